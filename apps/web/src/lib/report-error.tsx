'use client';

import { labels } from '@vigil/ui';
import { toast } from 'sonner';

interface Said {
  /** What happened. */
  readonly what: string;
  /** What it means for the work, and what to do. */
  readonly meaning: string;
}

function reasonOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('data' in error)) return null;
  const { data } = error;
  if (typeof data !== 'object' || data === null || !('reason' in data)) return null;
  return typeof data.reason === 'string' ? data.reason : null;
}

export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const reason = reasonOf(error);
  return reason === null ? message : `${message}\n${labels.error.reason(reason)}`;
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
