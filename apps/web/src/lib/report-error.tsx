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

export function reportError({ what, meaning }: Said, error: unknown): void {
  toast.error(what, { description: <ErrorText meaning={meaning} error={error} />, duration: 12_000 });
}
