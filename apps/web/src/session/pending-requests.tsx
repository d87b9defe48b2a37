'use client';

import type { PendingRequest, Session } from '@vigil/client';
import { trpc } from '@vigil/client/react';
import { Button, isCurrent, labels, STATUSES, StatusGlyph } from '@vigil/ui';
import { type ReactNode, useId } from 'react';
import { focusableIfScrollable } from '../lib/focusable-if-scrollable.ts';
import { reportError } from '../lib/report-error.tsx';
import { ClarificationForm } from './clarification-form.tsx';

type Outcome = { optionId: string } | { answers: Record<string, unknown> } | { cancelled: true };

function useRespond(sessionId: string, requestId: string) {
  const respond = trpc.session.respond.useMutation({
    onError: (error) => reportError({ what: labels.request.failed, meaning: labels.request.failedMeaning }, error),
  });
  const send = (outcome: Outcome) => respond.mutate({ sessionId, requestId, outcome });
  // Answered and not yet gone from the stream is still busy.
  return { send, busy: respond.isPending || respond.isSuccess };
}

function Options({
  request,
  busy,
  onChoose,
}: {
  request: PendingRequest;
  busy: boolean;
  onChoose: (id: string) => void;
}) {
  const primary = request.options.find(({ kind }) => kind.startsWith('allow'))?.id;
  return (
    <div className="flex flex-wrap gap-2">
      {request.options.map(({ id, label }) => (
        <Button key={id} variant={id === primary ? 'primary' : 'plain'} disabled={busy} onClick={() => onChoose(id)}>
          {label}
        </Button>
      ))}
    </div>
  );
}

function RequestCard({ sessionId, request }: { readonly sessionId: string; readonly request: PendingRequest }) {
  const heading = useId();
  const { send, busy } = useRespond(sessionId, request.id);
  const options = <Options request={request} busy={busy} onChoose={(optionId) => send({ optionId })} />;
  const form: ReactNode = (
    <ClarificationForm
      schema={request.schema}
      busy={busy}
      onAnswer={(answers) => send({ answers })}
      onDismiss={() => send({ cancelled: true })}
    />
  );
  return (
    <section
      aria-labelledby={heading}
      className="flex max-h-[45dvh] flex-col gap-2 overflow-y-auto rounded-md border border-line-strong bg-surface px-3 py-2.5"
    >
      <div className="flex items-start gap-2">
        <StatusGlyph status={STATUSES[request.kind]} className="mt-0.5" />
        <div className="min-w-0 flex-1">
          <h2 id={heading} className="font-medium [overflow-wrap:anywhere]">
            <span className="sr-only">{labels.request[request.kind]}: </span>
            {request.title}
          </h2>
          {request.askedBy !== null && (
            <p className="text-ink-soft text-xs">{labels.request.askedBy(request.askedBy)}</p>
          )}
        </div>
      </div>
      {request.detail && request.detail !== request.title && (
        <pre
          ref={focusableIfScrollable}
          className="max-h-40 overflow-auto whitespace-pre-wrap rounded border border-line bg-sunken px-2 py-1 text-xs [overflow-wrap:anywhere]"
        >
          {request.detail}
        </pre>
      )}
      {request.kind === 'permission' || request.options.length > 0 ? options : form}
    </section>
  );
}

/** What the agent waits for. A request of a session that is no longer current means nothing (W1). */
export function PendingRequests({ session }: { readonly session: Session }) {
  if (!isCurrent(session) || session.pendingRequests.length === 0) return null;
  return session.pendingRequests.map((request) => (
    <RequestCard key={request.id} sessionId={session.id} request={request} />
  ));
}
