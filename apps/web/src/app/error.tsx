'use client';

import { Button, labels } from '@vigil/ui';
import { messageOf } from '../lib/report-error.tsx';
import { Blank } from '../shell/blank.tsx';

export default function Failed({ error, reset }: { readonly error: Error; readonly reset: () => void }) {
  return (
    <Blank title={labels.error.page} meaning={labels.error.pageMeaning}>
      <Button onClick={reset}>{labels.error.reload}</Button>
      <details className="mt-2 w-full text-ink-soft">
        <summary className="cursor-pointer">{labels.error.raw}</summary>
        <pre className="mt-1 overflow-auto whitespace-pre-wrap text-xs">{messageOf(error)}</pre>
      </details>
    </Blank>
  );
}
