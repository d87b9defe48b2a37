import { randomBytes, randomUUID } from 'node:crypto';

const LETTERS = '0123456789abcdefghijklmnopqrstuvwxyz';

function letters(count: number): string {
  return [...randomBytes(count)].map((byte) => LETTERS[byte % LETTERS.length] ?? '0').join('');
}

/** Fresh ids in the forms that the recordings show. */
export const identity = {
  session: (): string => randomUUID(),
  message: (): string => `msg_${letters(12)}`,
  toolCall: (): string => `toolu_${letters(20)}`,
  shellTask: (): string => `b${letters(8)}`,
  agentTask: (): string => `a${randomBytes(8).toString('hex')}`,
  run: (): string => `0${letters(8)}-${randomBytes(4).toString('hex')}`,
  uuid: (): string => randomUUID(),
} as const;
