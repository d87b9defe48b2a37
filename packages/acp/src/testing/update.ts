import type { SessionUpdate } from '../adapters/adapter.ts';
import type { JsonObject } from '../wire/json.ts';

/** An update of the root session. */
export function rootUpdate(kind: string, body: JsonObject = {}): SessionUpdate {
  return { sessionId: 'root', root: true, kind, body: { sessionUpdate: kind, ...body } };
}

/** An update of a child session. */
export function childUpdate(sessionId: string, kind: string, body: JsonObject = {}): SessionUpdate {
  return { sessionId, root: false, kind, body: { sessionUpdate: kind, ...body } };
}
