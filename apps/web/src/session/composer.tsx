'use client';

import type { Session } from '@vigil/client';
import { trpc } from '@vigil/client/react';
import { Button, cn, inputStyle, labels } from '@vigil/ui';
import { Square } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import { toast } from 'sonner';
import { ErrorNote, reportError } from '../lib/report-error.tsx';
import { reasonWords, useSubmit } from './use-submit.ts';

function CancelTurn({ session }: { readonly session: Session }) {
  const { id: sessionId, generation } = session;
  const cancel = trpc.session.cancel.useMutation({
    onSuccess: ({ outcome }) => {
      if (outcome === 'nothing_to_cancel') toast(labels.session.nothingToCancel);
    },
    onError: (error) =>
      reportError({ what: labels.session.cancelFailed, meaning: labels.session.cancelFailedMeaning }, error),
  });
  const atWork = session.state === 'running' || session.state === 'starting';
  if (!atWork && !session.cancellationPending) return null;
  const pending = session.cancellationPending || cancel.isPending;
  return (
    <Button disabled={pending} onClick={() => cancel.mutate({ sessionId, ...(generation !== null && { generation }) })}>
      <Square size={11} aria-hidden="true" fill="currentColor" />
      {pending ? labels.session.cancelling : labels.session.cancel}
    </Button>
  );
}

function willWords({ inputMode, inputReason }: Session): string {
  const { will } = labels.composer;
  if (inputMode === 'direct') return will.send;
  const reason = reasonWords(inputReason);
  return inputMode === 'queue' ? will.queue(reason) : will.unavailable(reason);
}

/** Says what will happen before it happens, by the server's own admission (W3, S77). */
export function Composer({ session, focus }: { readonly session: Session; readonly focus: boolean }) {
  const hint = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (focus) field.current?.focus();
  }, [focus]);
  const { text, change, submit, outcome, pending, error } = useSubmit(session.id);
  const unavailable = session.inputMode === 'unavailable';
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {error && <ErrorNote what={labels.composer.failed} meaning={labels.composer.failedMeaning} error={error} />}
      <textarea
        ref={field}
        data-prompt
        aria-label={labels.composer.prompt}
        aria-describedby={hint}
        placeholder={labels.composer.placeholder}
        value={text}
        rows={2}
        disabled={unavailable}
        onChange={(event) => change(event.target.value)}
        onKeyDown={onKeyDown}
        className={cn(inputStyle, 'field-sizing-content max-h-52 min-h-13 resize-none px-2.5 py-1.5')}
      />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p id={hint} className="text-ink-soft text-xs">
          {willWords(session)}
        </p>
        <p role="status" className="text-xs">
          {/* A prompt that started an agent was sent only if the agent came up. */}
          {session.state !== 'failed' && outcome}
        </p>
        <div className="ml-auto flex gap-2">
          <CancelTurn session={session} />
          <Button
            type="submit"
            variant="primary"
            aria-describedby={hint}
            disabled={unavailable || pending || text.trim() === ''}
          >
            {session.inputMode === 'queue' ? labels.composer.queue : labels.composer.send}
          </Button>
        </div>
      </div>
    </form>
  );
}
