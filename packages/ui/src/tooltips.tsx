'use client';

import { Tooltip } from '@base-ui/react/tooltip';
import { useEffect, useState } from 'react';

interface Tip {
  readonly anchor: Element;
  readonly text: string;
}

const DELAY = 350;
/** Keys by which one walks through the page. */
const MOVES: ReadonlySet<string> = new Set(['Tab', 'j', 'k', 'ArrowLeft', 'ArrowRight', 'Home', 'End']);

function tipOf(target: EventTarget | null): Tip | null {
  const anchor = target instanceof Element ? target.closest('[data-tip]') : null;
  const text = anchor?.getAttribute('data-tip');
  return anchor && text ? { anchor, text } : null;
}

/** Within a focused row, the glyph explains itself although only the row has the focus. */
function tipWithin(target: EventTarget | null): Tip | null {
  const own = tipOf(target);
  if (own || !(target instanceof Element) || !target.matches('a, button') || !target.matches(':focus-visible'))
    return own;
  return tipOf(target.querySelector('[data-tip]'));
}

function useTip(): readonly [Tip | null, () => void] {
  const [tip, setTip] = useState<Tip | null>(null);
  useEffect(() => {
    let moving = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (next: Tip | null, delay: number) => {
      clearTimeout(timer);
      if (next === null) setTip(null);
      else timer = setTimeout(() => setTip(next), delay);
    };
    const over = (event: PointerEvent) => event.pointerType !== 'touch' && show(tipOf(event.target), DELAY);
    // Focus that the page moved by itself, as into a dialog, asks for no explanation.
    const focus = (event: FocusEvent) => show(moving ? tipWithin(event.target) : null, 0);
    const hide = () => show(null, 0);
    const key = (event: KeyboardEvent) => {
      moving = MOVES.has(event.key);
      if (event.key === 'Escape') hide();
    };
    document.addEventListener('pointerover', over);
    document.addEventListener('focusin', focus);
    document.addEventListener('focusout', hide);
    document.addEventListener('pointerdown', hide, true);
    document.addEventListener('scroll', hide, true);
    document.addEventListener('keydown', key, true);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('pointerover', over);
      document.removeEventListener('focusin', focus);
      document.removeEventListener('focusout', hide);
      document.removeEventListener('pointerdown', hide, true);
      document.removeEventListener('scroll', hide, true);
      document.removeEventListener('keydown', key, true);
    };
  }, []);
  return [tip, () => setTip(null)];
}

/**
 * One tooltip for the page, for every element with `data-tip`: a thousand rows cost nothing. Mount it once. It repeats
 * the accessible name, so it is hidden from assistive technology.
 */
export function Tooltips() {
  const [tip, close] = useTip();
  const [shown, setShown] = useState<Tip | null>(null);
  if (tip && tip !== shown) setShown(tip);
  return (
    <Tooltip.Root open={tip?.anchor.isConnected ?? false} onOpenChange={(open) => !open && close()}>
      <Tooltip.Portal>
        <Tooltip.Positioner anchor={shown?.anchor ?? null} sideOffset={6} className="pointer-events-none z-[60]">
          <Tooltip.Popup
            aria-hidden="true"
            className="max-w-72 rounded border border-line bg-surface px-2 py-1 text-ink text-xs shadow-overlay"
          >
            {shown?.text}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
