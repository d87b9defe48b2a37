'use client';

import { Tooltip } from '@base-ui/react/tooltip';
import { useEffect, useState } from 'react';

interface Tip {
  readonly anchor: Element;
  readonly text: string;
}

const DELAY = 350;

function tipOf(target: EventTarget | null): Tip | null {
  const anchor = target instanceof Element ? target.closest('[data-tip]') : null;
  const text = anchor?.getAttribute('data-tip');
  return anchor && text ? { anchor, text } : null;
}

/** Within a focused row, the glyph explains itself although only the row has the focus. */
function tipWithin(target: EventTarget | null): Tip | null {
  const own = tipOf(target);
  if (own || !(target instanceof Element) || !target.matches('a, button') || !target.matches(':focus-visible')) return own;
  return tipOf(target.querySelector('[data-tip]'));
}

function useTip(): readonly [Tip | null, () => void] {
  const [tip, setTip] = useState<Tip | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (next: Tip | null, delay: number) => {
      clearTimeout(timer);
      if (next === null) setTip(null);
      else timer = setTimeout(() => setTip(next), delay);
    };
    const over = (event: PointerEvent) => event.pointerType !== 'touch' && show(tipOf(event.target), DELAY);
    const focus = (event: FocusEvent) => show(tipWithin(event.target), 0);
    const hide = () => show(null, 0);
    const key = (event: KeyboardEvent) => event.key === 'Escape' && hide();
    document.addEventListener('pointerover', over);
    document.addEventListener('focusin', focus);
    document.addEventListener('focusout', hide);
    document.addEventListener('pointerdown', hide, true);
    document.addEventListener('scroll', hide, true);
    document.addEventListener('keydown', key);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('pointerover', over);
      document.removeEventListener('focusin', focus);
      document.removeEventListener('focusout', hide);
      document.removeEventListener('pointerdown', hide, true);
      document.removeEventListener('scroll', hide, true);
      document.removeEventListener('keydown', key);
    };
  }, []);
  return [tip, () => setTip(null)];
}

/** One tooltip for the page, for every element with `data-tip`: a thousand rows cost nothing. Mount it once. */
export function Tooltips() {
  const [tip, close] = useTip();
  const [shown, setShown] = useState<Tip | null>(null);
  if (tip && tip !== shown) setShown(tip);
  return (
    <Tooltip.Root open={tip !== null && tip.anchor.isConnected} onOpenChange={(open) => !open && close()}>
      <Tooltip.Portal>
        <Tooltip.Positioner anchor={shown?.anchor ?? null} sideOffset={6} className="pointer-events-none z-[60]">
          <Tooltip.Popup className="max-w-72 rounded border border-line bg-surface px-2 py-1 text-ink text-xs shadow-overlay">
            {shown?.text}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
