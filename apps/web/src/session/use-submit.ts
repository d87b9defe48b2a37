'use client';

import type { SubmitResult } from '@vigil/client';
import { trpc } from '@vigil/client/react';
import { labels } from '@vigil/ui';
import { useEffect, useRef, useState } from 'react';
import { randomKey } from '../lib/random-key.ts';

/** How long the outcome of a submission stays in sight, in ms. */
const OUTCOME_MS = 6_000;

/** Unsent text per session: it survives changing tabs and pages, as long as the app is open. */
const drafts = new Map<string, string>();

export function reasonWords(reason: string | null): string {
  return (reason !== null && labels.composer.reason[reason]) || labels.composer.reasonOther;
}

function wordsOf(result: SubmitResult): string {
  return result.outcome === 'dispatched' ? labels.composer.sent : labels.composer.queued(reasonWords(result.reason));
}

/** The draft of one session and what became of the last submission. A repeat after a failure is the same submission. */
export function useSubmit(sessionId: string) {
  const [text, setText] = useState(() => drafts.get(sessionId) ?? '');
  const [outcome, setOutcome] = useState('');
  useEffect(() => {
    if (outcome === '') return;
    const timer = setTimeout(() => setOutcome(''), OUTCOME_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const attempt = useRef({ text: '', clientKey: '' });
  const change = (next: string) => {
    drafts.set(sessionId, next);
    setText(next);
    setOutcome('');
  };
  const submission = trpc.session.submit.useMutation({
    onSuccess: (result, sent) => {
      attempt.current = { text: '', clientKey: '' };
      setText((now) => (now === sent.text ? '' : now));
      if (drafts.get(sessionId) === sent.text) drafts.delete(sessionId);
      setOutcome(wordsOf(result));
    },
  });
  const submit = () => {
    if (text.trim() === '' || submission.isPending) return;
    if (attempt.current.text !== text) attempt.current = { text, clientKey: randomKey() };
    submission.mutate({ sessionId, text, clientKey: attempt.current.clientKey });
  };
  return { text, change, submit, outcome, pending: submission.isPending, error: submission.error };
}
