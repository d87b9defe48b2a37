import type { ToolContent, ToolStatus } from '../types.ts';
import { isObject, listAt, textAt } from '../wire/json.ts';
import type { Terminals } from './terminals.ts';

const STATUSES: Readonly<Record<string, ToolStatus>> = {
  pending: 'pending',
  in_progress: 'in_progress',
  paused: 'in_progress',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
};

/** A call's status on the wire; a word that we do not know says that it goes on. */
export function toolStatus(status: unknown): ToolStatus | undefined {
  if (typeof status !== 'string') return undefined;
  return Object.hasOwn(STATUSES, status) ? STATUSES[status] : 'in_progress';
}

/** What a call shows: text, diffs and terminals; other content is left out. */
export function toolContent(content: unknown, terminals: Terminals): readonly ToolContent[] | undefined {
  if (!Array.isArray(content)) return undefined;
  return content.flatMap((block) => one(block, terminals));
}

function one(block: unknown, terminals: Terminals): readonly ToolContent[] {
  if (!isObject(block)) return [];
  switch (block.type) {
    case 'content': {
      const text = textOf(block.content);
      return text === '' ? [] : [{ type: 'text', text }];
    }
    case 'diff': {
      const { path, oldText, newText } = block;
      if (typeof path !== 'string' || typeof newText !== 'string') return [];
      return [{ type: 'diff', path, oldText: typeof oldText === 'string' ? oldText : null, newText }];
    }
    case 'terminal': {
      const id = textAt(block, 'terminalId');
      return id === undefined ? [] : [terminals.show(id)];
    }
    default:
      return [];
  }
}

/** The text of a content block or of a list of them. */
export function textOf(content: unknown): string {
  if (Array.isArray(content)) return content.map(textOf).join('');
  if (!isObject(content)) return '';
  return textAt(content, 'text') ?? listAt(content, 'content').map(textOf).join('');
}
