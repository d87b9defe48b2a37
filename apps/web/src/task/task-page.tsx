'use client';

import type { Session, Task } from '@vigil/client';
import { useTask } from '@vigil/client/react';
import { Button, Drawer, labels, statusOf } from '@vigil/ui';
import { PanelRight } from 'lucide-react';
import { useRouter, useSearchParams } from 'next/navigation';
import { useEffect, useState } from 'react';
import { SessionFacts } from '../session/session-facts.tsx';
import { SessionPanel } from '../session/session-panel.tsx';
import { StartSession } from '../session/start-session.tsx';
import { SessionTabs } from './session-tabs.tsx';
import { TaskAnnouncer } from './task-announcer.tsx';
import { TaskGone } from './task-gone.tsx';
import { TaskHeader } from './task-header.tsx';

/** `?session=` names a session, or `new` for the form that makes one. */
function useSelected(taskId: string, sessions: readonly Session[]) {
  const router = useRouter();
  const wanted = useSearchParams().get('session');
  const select = (sessionId: string) =>
    router.replace(`/tasks/${encodeURIComponent(taskId)}?session=${encodeURIComponent(sessionId)}`, { scroll: false });
  const session = sessions.find(({ id }) => id === wanted) ?? (wanted === 'new' ? undefined : sessions.at(-1));
  return { session, select };
}

interface BodyProps {
  readonly task: Task;
  readonly sessions: readonly Session[];
}

function DetailsDrawer({ session }: { readonly session: Session }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="ghost" size="sm" className="lg:hidden" onClick={() => setOpen(true)}>
        <PanelRight size={14} aria-hidden="true" />
        {labels.task.details}
      </Button>
      <Drawer open={open} onOpenChange={setOpen} title={labels.task.details} side="right">
        <SessionFacts session={session} />
      </Drawer>
    </>
  );
}

function TaskBody({ task, sessions }: BodyProps) {
  const { session, select } = useSelected(task.id, sessions);
  const [started, setStarted] = useState<string | null>(null);
  const onStarted = (sessionId: string) => {
    setStarted(sessionId);
    select(sessionId);
  };
  const status = statusOf(task, sessions);
  useEffect(() => {
    document.title = `${task.title} · ${labels.app}`;
  }, [task.title]);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <TaskHeader task={task} status={status} session={session} />
      <TaskAnnouncer title={task.title} status={status} />
      {sessions.length > 0 && (
        <SessionTabs sessions={sessions} selectedId={session?.id ?? 'new'} onSelect={select}>
          {session && <DetailsDrawer session={session} />}
        </SessionTabs>
      )}
      {session ? (
        <div className="flex min-h-0 flex-1">
          <SessionPanel key={session.id} sessionId={session.id} live={session} fresh={session.id === started} />
          <aside
            aria-label={labels.session.facts}
            className="hidden w-72 shrink-0 flex-col overflow-y-auto border-line border-l lg:flex"
          >
            <SessionFacts session={session} />
          </aside>
        </div>
      ) : (
        <div className="min-h-0 flex-1 overflow-y-auto px-4 py-6">
          <StartSession taskId={task.id} onStarted={onStarted} />
        </div>
      )}
    </div>
  );
}

export function TaskPage({ taskId }: { readonly taskId: string }) {
  const { task, sessions, ready } = useTask(taskId);
  if (task) return <TaskBody task={task} sessions={sessions} />;
  if (ready) return <TaskGone taskId={taskId} />;
  return (
    <div className="px-4 py-8">
      <h1 className="sr-only">{labels.nav.tasks}</h1>
      <p className="text-ink-soft">{labels.board.loading}</p>
    </div>
  );
}
