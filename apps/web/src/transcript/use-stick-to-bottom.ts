'use client';

import { type MouseEvent, type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Nearer to the end than this counts as at the end, in px. */
const NEAR = 40;

/** Keeps the end in view while the reader is at it, and leaves the reader alone otherwise. */
export function useStickToBottom(scroller: RefObject<HTMLElement | null>, height: number) {
  const stuck = useRef(true);
  const [away, setAway] = useState(false);
  const onScroll = useCallback(() => {
    const el = scroller.current;
    if (el === null) return;
    stuck.current = el.scrollHeight - el.scrollTop - el.clientHeight < NEAR;
    setAway(!stuck.current);
  }, [scroller]);
  const toBottom = useCallback(() => {
    stuck.current = true;
    const el = scroller.current;
    if (el !== null) el.scrollTop = el.scrollHeight;
  }, [scroller]);
  /** What the reader opens must not run away from under the pointer. */
  const onClickCapture = useCallback((event: MouseEvent<HTMLElement>) => {
    if (event.target instanceof Element && event.target.closest('summary, [aria-expanded]')) stuck.current = false;
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height is what changed
  useLayoutEffect(() => {
    if (stuck.current) toBottom();
  }, [height, toBottom]);
  useEffect(() => {
    const el = scroller.current;
    if (el === null) return;
    const resized = new ResizeObserver(() => stuck.current && toBottom());
    resized.observe(el);
    return () => resized.disconnect();
  }, [scroller, toBottom]);
  return { away, onScroll, onClickCapture, toBottom };
}
