'use client';

import type { Session, Task } from '@vigil/client';
import { trpc } from '@vigil/client/react';
import { IconButton, labels, Menu, MenuItem, Select, Status, type StatusReading } from '@vigil/ui';
import { Archive, MoreHorizontal, Trash2 } from 'lucide-react';
import { useDialogs } from '../dialogs/dialogs.tsx';
import { useBoard } from '../lib/board-context.tsx';
import { reportError } from '../lib/report-error.tsx';
import { positionAt, TASK_STATES } from '../lib/task-order.ts';
import { formatElapsed, millis } from '../lib/time.ts';
import { useNow } from '../lib/use-now.ts';

const STATES = TASK_STATES.map((value) => ({ value, label: labels.taskState[value] }));

function StateSelect({ task }: { readonly task: Task }) {
  const { columns } = useBoard();
  const move = trpc.task.move.useMutation({
    onError: (error) => reportError({ what: labels.board.moveFailed, meaning: labels.board.moveFailedMeaning }, error),
  });
  return (
    <Select
      label={labels.task.state}
      value={move.isPending ? move.variables.state : task.state}
      options={STATES}
      className="min-w-28"
      onChange={(state) => {
        if (state === task.state) return;
        move.mutate({ taskId: task.id, state, position: positionAt(columns[state], columns[state].length) });
      }}
    />
  );
}

function Elapsed({ since }: { readonly since: string }) {
  const now = useNow();
  return <span className="tabular text-ink-soft">{labels.task.turn(formatElapsed(now - millis(since)))}</span>;
}

function Actions({ taskId }: { readonly taskId: string }) {
  const dialogs = useDialogs();
  return (
    <>
      <div className="hidden items-center sm:flex">
        <IconButton
          label={labels.task.archive}
          icon={<Archive size={16} />}
          onClick={() => dialogs.archiveTask(taskId)}
        />
        <IconButton label={labels.task.delete} icon={<Trash2 size={16} />} onClick={() => dialogs.deleteTask(taskId)} />
      </div>
      <div className="sm:hidden">
        <Menu trigger={<IconButton label={labels.task.actions} icon={<MoreHorizontal size={16} />} />}>
          <MenuItem icon={<Archive size={16} aria-hidden="true" />} onSelect={() => dialogs.archiveTask(taskId)}>
            {labels.task.archive}
          </MenuItem>
          <MenuItem danger icon={<Trash2 size={16} aria-hidden="true" />} onSelect={() => dialogs.deleteTask(taskId)}>
            {labels.task.delete}
          </MenuItem>
        </Menu>
      </div>
    </>
  );
}

interface Props {
  readonly task: Task;
  readonly status: StatusReading;
  readonly session: Session | undefined;
}

export function TaskHeader({ task, status, session }: Props) {
  return (
    <header className="flex shrink-0 flex-col gap-1.5 border-line border-b px-4 py-2">
      <div className="flex items-start gap-2">
        <h1 className="line-clamp-2 min-w-0 flex-1 py-0.5 font-semibold text-lg [overflow-wrap:anywhere]">
          {task.title}
        </h1>
        <Actions taskId={task.id} />
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
        <StateSelect task={task} />
        <div data-testid="task-status" className="flex items-center">
          <Status status={status} size={20} />
        </div>
        {session && <span className="text-ink-soft">{session.agentId}</span>}
        {session?.turnStartedAt && <Elapsed since={session.turnStartedAt} />}
      </div>
      {task.description !== '' && (
        <p className="line-clamp-1 sm:line-clamp-3 whitespace-pre-wrap text-ink-soft [overflow-wrap:anywhere]">
          {task.description}
        </p>
      )}
    </header>
  );
}
