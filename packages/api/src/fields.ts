import { z } from 'zod';

/** Postgres cannot store it in text. */
const NUL = '\u0000';
const MAX_PROMPT_BYTES = 1 << 20;
const MAX_DESCRIPTION_CHARS = 100_000;

const text = z.string().refine((value) => !value.includes(NUL), { error: 'must not contain the NUL character' });

/** Names one thing; given by the server, or by a client for its own keys. */
export const id = text.min(1).max(200);

/** Identifier that a client makes up; a repeat with the same key is the same submission. */
export const clientKey = id;

export const title = text.trim().min(1).max(500);

export const description = text.max(MAX_DESCRIPTION_CHARS);

/** Text of a prompt: 1 byte to 1 MiB of UTF-8. */
export const promptText = text
  .min(1)
  .refine((value) => new TextEncoder().encode(value).length <= MAX_PROMPT_BYTES, { error: 'must be at most 1 MiB' });

/** Generation of a prompt, as a session shows that of the turn at work. */
export const generation = z.int().positive();

export const promptOrigin = z.enum(['human', 'wakeup']);

export const taskState = z.enum(['backlog', 'in_progress', 'review', 'done']);

export const dependsOn = z.array(id).max(1_000);

/** Absolute or relative folder. */
export const folder = text.min(1).max(4_096);

/** Position in a stream to go on from, as tRPC's clients send it after a loss. */
export const lastEventId = z.string().max(200).nullish();
