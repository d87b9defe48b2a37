'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import type { Message, Session } from '@vigil/client';
import type { SessionReading } from '@vigil/client/react';
import { Button, labels } from '@vigil/ui';
import { ArrowDown } from 'lucide-react';
import { useCallback, useId, useMemo, useRef } from 'react';
import { LiveCalls } from './live-calls.ts';
import { MessageRow } from './message-row.tsx';
import { useOlder } from './use-older.ts';
import { useStickToBottom } from './use-stick-to-bottom.ts';

const ESTIMATES: Record<Message['kind'], number> = {
  user: 72,
  assistant: 96,
  thought: 28,
  tool: 28,
  plan: 96,
  notice: 28,
};

function useRows(messages: readonly Message[]) {
  const scroller = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: messages.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => ESTIMATES[messages[index]?.kind ?? 'notice'],
    getItemKey: useCallback((index: number) => messages[index]?.id ?? index, [messages]),
    overscan: 10,
    paddingStart: 12,
    paddingEnd: 12,
  });
  return { scroller, virtual };
}

function Rows({
  virtual,
  messages,
}: {
  readonly virtual: ReturnType<typeof useRows>['virtual'];
  readonly messages: readonly Message[];
}) {
  const items = virtual.getVirtualItems();
  return (
    <ol className="relative w-full" style={{ height: virtual.getTotalSize() }}>
      {items.map(({ index, key, start }) => {
        const message = messages[index];
        return (
          message && (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              aria-setsize={messages.length}
              aria-posinset={index + 1}
              className="absolute top-0 left-0 w-full"
              style={{ transform: `translateY(${start}px)` }}
            >
              <MessageRow message={message} />
            </li>
          )
        );
      })}
    </ol>
  );
}

function emptyWords(session: Session | null): string {
  if (session === null) return labels.session.loading;
  return session.state === 'created' ? labels.session.empty : labels.session.silent;
}

function useLiveCalls(session: Session | null): ReadonlySet<string> {
  const workloads = session?.workloads;
  return useMemo(
    () => new Set(workloads?.flatMap(({ detached, messageId }) => (detached ? (messageId ?? []) : []))),
    [workloads],
  );
}

export function Transcript({ reading }: { readonly reading: SessionReading }) {
  const { messages, session } = reading;
  const { scroller, virtual } = useRows(messages);
  const { away, onScroll, onClickCapture, toBottom } = useStickToBottom(scroller, virtual.getTotalSize());
  const heading = useId();
  const older = useOlder(scroller, reading);
  const liveCalls = useLiveCalls(session);
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <section
        ref={scroller}
        aria-labelledby={heading}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        onClickCapture={onClickCapture}
        onScroll={() => {
          onScroll();
          older();
        }}
        className="min-h-0 flex-1 overflow-y-auto overflow-x-hidden outline-offset-[-2px] [overflow-anchor:none]"
      >
        <h2 id={heading} className="sr-only">
          {labels.session.transcript}
        </h2>
        {messages.length === 0 ? (
          <p className="px-4 py-6 text-ink-soft">{emptyWords(session)}</p>
        ) : (
          <LiveCalls value={liveCalls}>
            <Rows virtual={virtual} messages={messages} />
          </LiveCalls>
        )}
      </section>
      {away && (
        <Button size="sm" onClick={toBottom} className="absolute bottom-2 left-1/2 -translate-x-1/2 shadow-overlay">
          <ArrowDown size={14} aria-hidden="true" />
          {labels.session.toBottom}
        </Button>
      )}
    </div>
  );
}
