'use client';

import type { SessionReading } from '@vigil/client/react';
import { type RefObject, useCallback, useLayoutEffect, useRef } from 'react';

/** Nearer to the beginning than this asks for what came before, in px. */
const NEAR = 400;

/** Loads earlier messages when the reader nears the beginning, and keeps what is being read where it is. */
export function useOlder(scroller: RefObject<HTMLElement | null>, reading: SessionReading): () => void {
  const { hasOlder, loadOlder, messages } = reading;
  const loading = useRef(false);
  const fromEnd = useRef<number | null>(null);
  const first = messages[0]?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new first message is what moves the rest
  useLayoutEffect(() => {
    const el = scroller.current;
    if (el !== null && fromEnd.current !== null) el.scrollTop = el.scrollHeight - fromEnd.current;
    fromEnd.current = null;
  }, [first, scroller]);
  return useCallback(() => {
    const el = scroller.current;
    if (el === null || !hasOlder || loading.current || el.scrollTop > NEAR) return;
    loading.current = true;
    fromEnd.current = el.scrollHeight - el.scrollTop;
    const settle = () => {
      loading.current = false;
    };
    loadOlder().then(settle, settle);
  }, [scroller, hasOlder, loadOlder]);
}
