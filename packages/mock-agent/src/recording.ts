import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { type Fields, isFields, type Json, pick, pickString } from './json.ts';
import type { Stage } from './stage.ts';

/** What is known of a recording while it is played. */
interface Player {
  readonly stage: Stage;
  /** The session of the recording whose id becomes ours. */
  recorded: string | undefined;
  /** The recorded id of the first prompt; its answer becomes ours. */
  promptId: Json | undefined;
}

/**
 * Plays the agent's frames of a recording (one `{t, dir, frame}` a line), in order and without its pauses.
 * The session id of its first prompt becomes this session's. A relative path is relative to the session's folder.
 */
export async function playRecording(stage: Stage, file: string): Promise<'on' | 'end'> {
  const player: Player = { stage, recorded: undefined, promptId: undefined };
  const input = createReadStream(resolve(stage.session.cwd, file), 'utf8');
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (stage.turn.cancel.signal.aborted) return 'end';
      await playLine(player, line);
    }
  } catch (error) {
    const text = `Expected /replay FILE with a readable recording; got: ${file} (${String(error)})`;
    const messageId = stage.turn.messageId;
    stage.session.world.surface.said(stage.turn, { kind: 'message', text, messageId });
    return 'end';
  } finally {
    input.destroy();
  }
  return 'on';
}

async function playLine(player: Player, line: string): Promise<void> {
  const record: unknown = line === '' ? undefined : JSON.parse(line);
  const frame = pick(record, 'frame');
  if (!isFields(frame)) return;
  if (pick(record, 'dir') === 'client->agent') return noteClient(player, frame);
  if (pick(record, 'dir') === 'agent->client' && player.recorded !== undefined) await playAgent(player, frame);
}

function noteClient(player: Player, frame: Fields): void {
  if (frame.method !== 'session/prompt' || player.recorded !== undefined) return;
  player.recorded = pickString(frame, 'params', 'sessionId');
  player.promptId = frame.id;
}

async function playAgent(player: Player, frame: Fields): Promise<void> {
  const { wire } = player.stage.session.world;
  const { turn } = player.stage;
  const { method } = frame;
  const params = mapSession(player, frame.params);
  if (typeof method !== 'string') {
    if (frame.id === player.promptId && isFields(frame.result)) answer(player, frame.result);
  } else if (frame.id === undefined) {
    wire.notify(method, isFields(params) ? params : {});
  } else {
    await wire.request(method, isFields(params) ? params : {}, turn.cancel.signal);
  }
}

/** The recorded answer is ours in v1; in v2 the prompt was answered when it was accepted. */
function answer(player: Player, result: Fields): void {
  const { turn, session } = player.stage;
  if (turn.origin.kind === 'human' && session.world.surface.version === 1) turn.origin.reply(result);
}

function mapSession(player: Player, value: Json | undefined): Json | undefined {
  if (typeof value === 'string') return value === player.recorded ? player.stage.session.id : value;
  if (Array.isArray(value)) return value.map((item: Json) => mapSession(player, item) ?? null);
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, mapSession(player, field)]));
}
