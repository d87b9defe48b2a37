import { textAt } from '../wire/json.ts';
import type { RpcAnswer } from '../wire/json-rpc-peer.ts';

const BUSY_WORDS =
  /\bbusy\b|already (?:running|processing|in progress|generating)|in progress|another prompt|prompt is running/i;

/** True for an error that says, by type or in words, that the agent is at work and takes no prompt now (S83). */
export function isBusy(answer: RpcAnswer): boolean {
  if (answer.ok) return false;
  const typed = textAt(answer.data, 'reason') ?? textAt(answer.data, 'type') ?? textAt(answer.data, 'code');
  return typed === 'busy' || typed === 'prompt_in_progress' || BUSY_WORDS.test(answer.message);
}
