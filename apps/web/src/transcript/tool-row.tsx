'use client';

import type { Message, ToolContent } from '@vigil/client';
import { cn, labels } from '@vigil/ui';
import { ChevronRight } from 'lucide-react';
import { useContext, useState } from 'react';
import { focusableIfScrollable } from '../lib/focusable-if-scrollable.ts';
import { formatElapsed, formatSpan, millis } from '../lib/time.ts';
import { useNow } from '../lib/use-now.ts';
import { Diff } from './diff.tsx';
import { LiveCalls } from './live-calls.ts';
import { Markdown } from './markdown.tsx';

type Tool = Extract<Message, { kind: 'tool' }>;

const COLOURS: Record<Tool['status'], string> = {
  pending: 'text-ink-soft',
  in_progress: 'text-state-generating',
  completed: 'text-ink-soft',
  failed: 'text-state-failed',
  cancelled: 'text-ink-soft',
  unknown: 'text-ink-soft',
};

function Ticking({ since }: { readonly since: string }) {
  const now = useNow();
  return formatElapsed(now - millis(since));
}

function Duration({ tool }: { readonly tool: Tool }) {
  if (tool.endedAt !== null) return formatSpan(millis(tool.endedAt) - millis(tool.startedAt));
  return tool.status === 'in_progress' ? <Ticking since={tool.startedAt} /> : null;
}

const box =
  'max-h-96 overflow-auto whitespace-pre-wrap rounded border border-line bg-sunken px-2 py-1 text-xs [overflow-wrap:anywhere]';

function Part({ content }: { readonly content: ToolContent }) {
  switch (content.type) {
    case 'text':
      return <Markdown text={content.text} />;
    case 'diff':
      return <Diff path={content.path} before={content.oldText} after={content.newText} />;
    case 'terminal':
      return (
        <div>
          <pre ref={focusableIfScrollable} className={box}>
            {content.output}
          </pre>
          <p className={cn('mt-0.5 text-xs', content.exitCode ? 'text-state-failed' : 'text-ink-soft')}>
            {content.exitCode === null ? labels.transcript.running : labels.transcript.exit(content.exitCode)}
          </p>
        </div>
      );
    default:
      content satisfies never;
      return null;
  }
}

function inputText(input: unknown): string | null {
  if (input === null || input === undefined) return null;
  if (typeof input === 'string') return input;
  const text = JSON.stringify(input, null, 2);
  return text === '{}' ? null : text;
}

function Body({ tool }: { readonly tool: Tool }) {
  const input = inputText(tool.input);
  return (
    <div className="flex flex-col gap-2 pt-1 pb-2 pl-5">
      {input !== null && (
        <div>
          <p className="text-ink-soft text-xs">{labels.transcript.input}</p>
          <pre ref={focusableIfScrollable} className={box}>
            {input}
          </pre>
        </div>
      )}
      {tool.content.map((content, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no id and are only ever added to
        <Part key={index} content={content} />
      ))}
      {input === null && tool.content.length === 0 && <p className="text-ink-soft">{labels.transcript.nothing}</p>}
    </div>
  );
}

/** One line with state and duration; input, diffs and output on demand. */
export function ToolRow({ message }: { readonly message: Tool }) {
  const [open, setOpen] = useState(false);
  // A closed call that launched detached work is not over: the work goes on (S26).
  const launched = useContext(LiveCalls).has(message.id) && message.status === 'completed';
  return (
    <div>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="-mx-1 flex min-h-6 w-[calc(100%+8px)] cursor-pointer items-center gap-1.5 rounded px-1 text-left hover:bg-sunken pointer-coarse:min-h-9"
      >
        <ChevronRight size={14} aria-hidden="true" className={cn('shrink-0 text-ink-soft', open && 'rotate-90')} />
        <span className="min-w-0 flex-1 truncate">{message.title}</span>
        <span className={cn('tabular shrink-0 text-xs', COLOURS[message.status])}>
          {launched ? (
            <>
              {labels.transcript.launched} <Ticking since={message.startedAt} />
            </>
          ) : (
            <>
              {labels.transcript.tool[message.status]} <Duration tool={message} />
            </>
          )}
        </span>
      </button>
      {open && <Body tool={message} />}
    </div>
  );
}
