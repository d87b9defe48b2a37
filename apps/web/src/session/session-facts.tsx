'use client';

import type { Session, Workload } from '@vigil/client';
import { labels, Status, statusOf } from '@vigil/ui';
import { type ReactNode, useId } from 'react';
import { formatAgo, formatElapsed, millis } from '../lib/time.ts';
import { useNow } from '../lib/use-now.ts';

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-ink-soft text-xs">{name}</dt>
      <dd className="[overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

function reportsWords(reports: boolean | null): string {
  if (reports === null) return labels.session.reportsUnknown;
  return reports ? labels.session.reports : labels.session.reportsNot;
}

function stopWords(reason: string): string {
  return labels.session.stops[reason] ?? reason;
}

function Ago({ at }: { readonly at: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {labels.session.ago(formatAgo(now - millis(at)))}
    </time>
  );
}

function WorkloadRow({ workload }: { readonly workload: Workload }) {
  const now = useNow();
  return (
    <li className="border-line border-t py-1.5">
      <div className="flex items-baseline justify-between gap-2">
        <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{workload.label}</span>
        <time className="shrink-0" dateTime={workload.startedAt}>
          {formatElapsed(now - millis(workload.startedAt))}
        </time>
      </div>
      <p className="text-ink-soft text-xs">
        {labels.session.workload[workload.kind]},{' '}
        {workload.detached ? labels.session.detached : labels.session.foreground}
        {', '}
        <span className="tabular">{labels.session.lastSign(formatAgo(now - millis(workload.lastEvidenceAt)))}</span>
      </p>
      {workload.source === 'inferred' && <p className="text-ink-soft text-xs">{labels.session.inferred}</p>}
    </li>
  );
}

/** Facts, on demand and under every policy (S144): they never colour a status. */
function LiveWork({ session }: { readonly session: Session }) {
  const { workloads, awaitingFollowUp } = session;
  if (workloads.length === 0) {
    return awaitingFollowUp ? labels.session.followUp : labels.session.noWorkloads;
  }
  return (
    <details>
      <summary className="cursor-pointer">{labels.session.showWorkloads(workloads.length)}</summary>
      <ul aria-label={labels.session.workloads} className="mt-1">
        {workloads.map((workload) => (
          <WorkloadRow key={`${workload.executionId}/${workload.id}`} workload={workload} />
        ))}
      </ul>
      {awaitingFollowUp && <p>{labels.session.followUp}</p>}
    </details>
  );
}

export function SessionFacts({ session }: { readonly session: Session }) {
  const id = useId();
  const { fact } = labels.session;
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3 overflow-y-auto px-4 py-3">
      <h2 id={id} className="font-medium">
        {labels.session.facts}
      </h2>
      <dl className="flex flex-col gap-2.5">
        <Fact name={fact.status}>
          <Status status={statusOf(session)} />
        </Fact>
        <Fact name={fact.state}>{labels.session.states[session.state]}</Fact>
        <Fact name={fact.background}>{reportsWords(session.reportsBackground)}</Fact>
        <Fact name={labels.session.workloads}>
          <LiveWork session={session} />
        </Fact>
        {session.mayWake && <Fact name={fact.wakes}>{labels.session.mayWake}</Fact>}
        <Fact name={fact.policy}>{labels.session.policies[session.policy]}</Fact>
        <Fact name={fact.agent}>{session.agentId}</Fact>
        <Fact name={fact.cwd}>{session.cwd}</Fact>
        <Fact name={fact.execution}>
          {session.executionId === null ? labels.session.noExecution : <code>{session.executionId}</code>}
        </Fact>
        <Fact name={fact.activity}>
          <Ago at={session.updatedAt} />
        </Fact>
        {session.stopReason !== null && <Fact name={fact.stop}>{stopWords(session.stopReason)}</Fact>}
        {session.error !== null && (
          <Fact name={fact.error}>
            <span className="whitespace-pre-wrap text-state-failed">{session.error}</span>
          </Fact>
        )}
      </dl>
    </section>
  );
}
