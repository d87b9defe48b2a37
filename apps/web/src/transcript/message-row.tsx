'use client';

import type { Message } from '@vigil/client';
import { cn, labels } from '@vigil/ui';
import { memo, type ReactNode } from 'react';
import { formatClock } from '../lib/time.ts';
import { Markdown } from './markdown.tsx';
import { NoticeRow } from './notice-row.tsx';
import { PlanRow } from './plan-row.tsx';
import { ToolRow } from './tool-row.tsx';

type Of<K extends Message['kind']> = Extract<Message, { kind: K }>;

function Time({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} className="shrink-0 text-ink-soft text-xs" title={new Date(at).toLocaleString()}>
      {formatClock(at)}
    </time>
  );
}

function UserRow({ message }: { readonly message: Of<'user'> }) {
  const who = message.origin === 'human' ? labels.transcript.you : labels.transcript.program;
  return (
    <div className="my-1.5 rounded-md border border-line bg-surface px-3 py-2">
      <div className="mb-0.5 flex items-baseline justify-between gap-2">
        <span className="font-medium text-xs">{who}</span>
        {message.status === 'failed' && (
          <span className="text-state-failed text-xs">{labels.transcript.notDelivered}</span>
        )}
        <span className="flex-1" />
        <Time at={message.createdAt} />
      </div>
      <p className="whitespace-pre-wrap text-base [overflow-wrap:anywhere]">{message.text}</p>
    </div>
  );
}

function AssistantRow({ text }: { readonly text: string }) {
  return (
    <div className="py-1.5 text-base">
      <span className="sr-only">{labels.transcript.agent}: </span>
      <Markdown text={text} />
    </div>
  );
}

function ThoughtRow({ text }: { readonly text: string }) {
  return (
    <details className="py-0.5 text-ink-soft">
      <summary className="w-fit max-w-full cursor-pointer truncate">{labels.transcript.thought}</summary>
      <div className="border-line border-l-2 pl-3">
        <Markdown text={text} />
      </div>
    </details>
  );
}

function bodyOf(message: Message): ReactNode {
  switch (message.kind) {
    case 'user':
      return <UserRow message={message} />;
    case 'assistant':
      return <AssistantRow text={message.text} />;
    case 'thought':
      return <ThoughtRow text={message.text} />;
    case 'tool':
      return <ToolRow message={message} />;
    case 'plan':
      return <PlanRow message={message} />;
    case 'notice':
      return <NoticeRow message={message} />;
    default:
      // A newer server may say more than this page knows.
      message satisfies never;
      return null;
  }
}

/** Work of a subagent stands under the call that launched it. */
const isNested = (message: Message) => 'parentToolCallId' in message && message.parentToolCallId !== null;

export const MessageRow = memo(function MessageRow({ message }: { readonly message: Message }) {
  return (
    <div className="mx-auto max-w-[760px] px-4">
      <div className={cn(isNested(message) && 'ml-2 border-line border-l pl-3')}>{bodyOf(message)}</div>
    </div>
  );
});
