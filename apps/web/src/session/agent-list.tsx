'use client';

import type { AgentInfo } from '@vigil/client';
import { trpc } from '@vigil/client/react';
import { cn, labels } from '@vigil/ui';
import type { ReactNode } from 'react';
import { ErrorText } from '../lib/report-error.tsx';

interface ReadingProps {
  readonly children: (agents: readonly AgentInfo[]) => ReactNode;
}

/** The agents of this machine, those that are there first; or why there are none to show. */
export function Agents({ children }: ReadingProps) {
  const { data, error } = trpc.agent.list.useQuery();
  if (error) return <ErrorText meaning={labels.agents.failed} error={error} />;
  if (data === undefined) return <p className="text-ink-soft">{labels.agents.loading}</p>;
  if (data.length === 0) return <p className="text-ink-soft">{labels.agents.none}</p>;
  return children([...data].sort((a, b) => Number(b.available) - Number(a.available)));
}

export function AgentWords({ agent }: { readonly agent: AgentInfo }) {
  return (
    <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
      <span className={cn('font-medium', !agent.available && 'text-ink-soft')}>{agent.label}</span>
      <span
        className={cn(
          'min-w-0 text-xs [overflow-wrap:anywhere]',
          agent.available ? 'text-state-done' : 'text-ink-soft',
        )}
      >
        {agent.available ? labels.agents.available : (agent.reason ?? labels.agents.unavailable)}
      </span>
    </span>
  );
}

export function AgentList() {
  return (
    <Agents>
      {(agents) => (
        <ul className="divide-y divide-line rounded-md border border-line bg-surface">
          {agents.map((agent) => (
            <li key={agent.id} className="flex min-h-8 items-center px-3 py-1">
              <AgentWords agent={agent} />
            </li>
          ))}
        </ul>
      )}
    </Agents>
  );
}
