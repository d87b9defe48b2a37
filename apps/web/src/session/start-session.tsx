'use client';

import type { AgentInfo } from '@vigil/client';
import { trpc } from '@vigil/client/react';
import { Button, cn, labels, TextField } from '@vigil/ui';
import { type FormEvent, useId, useState } from 'react';
import { ErrorNote } from '../lib/report-error.tsx';
import { Agents, AgentWords } from './agent-list.tsx';

interface ChoiceProps {
  readonly agents: readonly AgentInfo[];
  readonly chosen: string | null;
  readonly onChoose: (agentId: string) => void;
}

function AgentChoice({ agents, chosen, onChoose }: ChoiceProps) {
  const name = useId();
  return (
    <fieldset>
      <legend className="mb-1 font-medium">{labels.agents.choose}</legend>
      <div className="divide-y divide-line rounded-md border border-line bg-surface">
        {agents.map((agent) => (
          <label
            key={agent.id}
            className={cn(
              'flex min-h-9 items-center gap-3 px-3 py-1.5 has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-ink has-[:focus-visible]:outline-offset-[-2px]',
              agent.available && 'cursor-pointer hover:bg-sunken',
            )}
          >
            <input
              type="radio"
              name={name}
              value={agent.id}
              checked={chosen === agent.id}
              disabled={!agent.available}
              onChange={() => onChoose(agent.id)}
              className="size-4 shrink-0 accent-ink outline-none"
            />
            <AgentWords agent={agent} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface FormProps {
  readonly taskId: string;
  readonly agents: readonly AgentInfo[];
  readonly onStarted: (sessionId: string) => void;
}

function StartForm({ taskId, agents, onStarted }: FormProps) {
  const [picked, setPicked] = useState<string | null>(null);
  const [cwd, setCwd] = useState('');
  const create = trpc.session.create.useMutation({
    onSuccess: (session) => onStarted(session.id),
  });
  const agentId = picked ?? agents.find((agent) => agent.available)?.id ?? null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (agentId === null || create.isPending) return;
    create.mutate({ taskId, agentId, ...(cwd.trim() && { cwd: cwd.trim() }) });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <AgentChoice agents={agents} chosen={agentId} onChoose={setPicked} />
      <TextField
        label={labels.session.cwd}
        hint={labels.session.cwdHint}
        value={cwd}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setCwd(event.target.value)}
      />
      {create.error && (
        <ErrorNote what={labels.session.startFailed} meaning={labels.session.startFailedMeaning} error={create.error} />
      )}
      <Button
        type="submit"
        variant="primary"
        size="lg"
        className="self-start"
        disabled={agentId === null || create.isPending}
      >
        {labels.session.start}
      </Button>
    </form>
  );
}

interface Props {
  readonly taskId: string;
  readonly onStarted: (sessionId: string) => void;
}

export function StartSession({ taskId, onStarted }: Props) {
  return (
    <section aria-labelledby="start-session" className="mx-auto flex max-w-lg flex-col gap-4">
      <h2 id="start-session" className="font-semibold text-base">
        {labels.session.heading}
      </h2>
      <Agents>{(agents) => <StartForm taskId={taskId} agents={agents} onStarted={onStarted} />}</Agents>
    </section>
  );
}
