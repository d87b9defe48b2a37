'use client';

import { Button, labels } from '@vigil/ui';
import { useDialogs } from '../dialogs/dialogs.tsx';
import { AgentList } from '../session/agent-list.tsx';

/** An empty board: what to do, what was found here, and how to see it at work. */
export function FirstRun() {
  const dialogs = useDialogs();
  return (
    <div className="flex max-w-xl flex-col gap-6 px-4 py-6 sm:px-8">
      <section aria-labelledby="first-run" className="flex flex-col items-start gap-2">
        <h2 id="first-run" className="font-semibold text-lg">
          {labels.firstRun.title}
        </h2>
        <p className="text-base text-ink-soft">{labels.firstRun.what}</p>
        <Button variant="primary" size="lg" className="mt-1" onClick={() => dialogs.newTask()}>
          {labels.task.new}
        </Button>
      </section>
      <section aria-labelledby="first-agents" className="flex flex-col gap-2">
        <h2 id="first-agents" className="font-medium">
          {labels.firstRun.agents}
        </h2>
        <AgentList />
      </section>
      <section className="flex flex-col items-start gap-1 text-ink-soft">
        <p>{labels.firstRun.demo}</p>
        <code className="rounded border border-line bg-sunken px-2 py-1 text-ink">{labels.firstRun.demoCommand}</code>
      </section>
    </div>
  );
}
