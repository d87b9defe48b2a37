import type { MessageRow } from '@vigil/db';
import type { Message } from './types.ts';

/** A message as it is kept: what orders it in columns, the rest as its payload. */
export function rowOf(sessionId: string, message: Message): MessageRow {
  const { id, seq, createdAt, kind, ...payload } = message;
  const role = kind === 'user' || kind === 'assistant' || kind === 'thought' ? kind : null;
  return { sessionId, id, seq, kind, role, payload, createdAt };
}

/** The message of a row that `rowOf` made. */
export function messageOf(row: MessageRow): Message {
  const { id, seq, createdAt, kind, payload } = row;
  return { ...(payload as object), id, seq, createdAt, kind } as Message;
}
