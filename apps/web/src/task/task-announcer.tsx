'use client';

import { labels, type StatusReading } from '@vigil/ui';
import { useEffect, useRef, useState } from 'react';

/** Readings that do not last this long are not spoken, in ms. */
const SETTLE_MS = 700;

/** Tells assistive technology politely when the status of the open task has changed. */
export function TaskAnnouncer({ title, status }: { readonly title: string; readonly status: StatusReading }) {
  const [said, setSaid] = useState('');
  const last = useRef(status.kind);
  useEffect(() => {
    if (status.kind === last.current) return;
    const timer = setTimeout(() => {
      last.current = status.kind;
      setSaid(labels.live(title, status.label));
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [title, status]);
  return (
    <p role="status" aria-live="polite" data-testid="announcer" className="sr-only">
      {said}
    </p>
  );
}
