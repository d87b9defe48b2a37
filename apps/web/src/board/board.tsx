'use client';

import { Button, labels } from '@vigil/ui';
import { Plus } from 'lucide-react';
import { useDialogs } from '../dialogs/dialogs.tsx';
import { useBoard } from '../lib/board-context.tsx';
import { BoardColumns } from './board-columns.tsx';
import { FirstRun } from './first-run.tsx';

function Body() {
  const { ready, size } = useBoard();
  if (!ready) return <p className="px-4 py-8 text-ink-soft">{labels.board.loading}</p>;
  return size === 0 ? <FirstRun /> : <BoardColumns />;
}

export function Board() {
  const dialogs = useDialogs();
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex h-11 shrink-0 items-center justify-between px-4">
        <h1 className="font-semibold text-base">{labels.nav.board}</h1>
        <Button onClick={() => dialogs.newTask()} className="max-md:hidden">
          <Plus size={16} aria-hidden="true" />
          {labels.task.new}
        </Button>
      </div>
      <Body />
    </div>
  );
}
