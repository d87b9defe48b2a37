'use client';

import { failureOf } from '@vigil/client';
import { labels } from '@vigil/ui';
import { toast } from 'sonner';

interface Said {
  /** What happened. */
  readonly what: string;
  /** What it means for the work, and what to do. */
  readonly meaning: string;
}

export function messageOf(error: unknown): string {
  const failure = failureOf(error);
  const message = failure?.message ?? (error instanceof Error ? error.message : String(error));
  return failure?.reason ? `${message}\n${labels.error.reason(failure.reason)}` : message;
}

/** What happened and what it means; the raw cause one click away. */
export function ErrorText({ meaning, error }: { readonly meaning: string; readonly error: unknown }) {
  return (
    <>
      <p>{meaning}</p>
      <details className="mt-1">
        <summary className="cursor-pointer">{labels.error.raw}</summary>
        <pre className="mt-1 max-h-40 overflow-auto whitespace-pre-wrap text-xs [overflow-wrap:anywhere]">
          {messageOf(error)}
        </pre>
      </details>
    </>
  );
}

/** Said where it happened, beside the control that failed. */
export function ErrorNote({ what, meaning, error }: Said & { readonly error: unknown }) {
  return (
    <div role="alert" className="rounded border border-state-failed px-2.5 py-1.5">
      <p className="font-medium text-state-failed">{what}</p>
      <ErrorText meaning={meaning} error={error} />
    </div>
  );
}

/** Said in a toast, where the control has gone or has no room. */
export function reportError({ what, meaning }: Said, error: unknown): void {
  toast.error(what, { description: <ErrorText meaning={meaning} error={error} />, duration: 12_000 });
}
