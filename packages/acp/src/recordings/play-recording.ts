import type { Rules } from '@vigil/liveness';
import { isObject, textAt, valueAt } from '../wire/json.ts';
import { noteOf, type RecordedLine } from './recorded-lines.ts';
import { RecordedWire, type Step, type WireOptions } from './recorded-wire.ts';
import { SessionPlayer, type Shown } from './session-player.ts';

/** The toggles of S71 and S74; what is left out is as in a server without settings. */
export interface Toggles {
  readonly fine?: boolean;
  readonly reported?: boolean;
}

/** What each line of the recording was read as, without what concerns another session. */
export function readSteps(lines: readonly RecordedLine[], options: WireOptions): readonly Step[] {
  const wire = new RecordedWire(options);
  const promises = promisedAt(lines);
  return lines.flatMap((line, at) => wire.read(line, promises.has(at)) ?? []);
}

/** Through wire reader, adapter, core and exposure: what the session would have shown, change by change. */
export function playRecording(lines: readonly RecordedLine[], options: WireOptions & Toggles): readonly Shown[] {
  const player = new SessionPlayer(rulesOf(options));
  for (const step of readSteps(lines, options)) player.play(step);
  player.rest();
  return player.shown;
}

const FINE_PROVIDERS = new Set(['claude-acp', 'mock']);

function rulesOf({ provider, fine = false, reported = true }: WireOptions & Toggles): Rules {
  return { fine: fine && FINE_PROVIDERS.has(provider), reported, settleAfterMs: 2_000 };
}

const OPENERS = new Set(['initialize', 'session/load', 'session/resume']);

/** Which openings of a conversation are followed by a prompt before the next one, or the end of the process. */
function promisedAt(lines: readonly RecordedLine[]): ReadonlySet<number> {
  const promised = new Set<number>();
  let openers: number[] = [];
  for (const [at, line] of lines.entries()) {
    const method = line.by === 'client' ? textAt(line.frame, 'method') : undefined;
    if (method === 'initialize' || method === 'session/close' || noteOf(line) === 'spawn') openers = [];
    if (method !== undefined && OPENERS.has(method)) openers.push(at);
    if (method === 'session/prompt') for (const opener of openers.splice(0)) promised.add(opener);
  }
  return promised;
}

const PROVIDERS: readonly (readonly [RegExp, string])[] = [
  [/claude/i, 'claude-acp'],
  [/codex/i, 'codex-acp'],
  [/opencode/i, 'opencode'],
  [/gemini/i, 'gemini'],
  [/qwen/i, 'qwen'],
  [/hermes/i, 'hermes'],
  [/vigil.?mock|mock-agent/i, 'mock'],
];

/** Whose recording it is: by the agent's own name, else by the path; `generic` where neither tells. */
export function providerOf(lines: readonly RecordedLine[], path: string): string {
  const answer = lines.find((line) => line.by === 'agent' && isObject(line.frame.result))?.frame;
  const name = textAt(answer, 'result', 'agentInfo', 'name') ?? textAt(answer, 'result', 'info', 'name');
  const of = (text: string) => PROVIDERS.find(([pattern]) => pattern.test(text))?.[1];
  return (name === undefined ? undefined : of(name)) ?? of(path) ?? 'generic';
}

/** What was spoken: the protocol's version and what the client asked for on top. */
export function surfaceOf(lines: readonly RecordedLine[]): string {
  const versions = lines.map((line) => (line.by === 'agent' ? valueAt(line.frame, 'result', 'protocolVersion') : null));
  const version = versions.find((one) => one === 1 || one === 2);
  const ours = lines.filter((line) => line.by === 'client');
  const asked = (...path: string[]) => ours.some(({ frame }) => (valueAt(frame, 'params', ...path) ?? null) !== null);
  const subagents = version === 1 && asked('clientCapabilities', 'subagents');
  const raw = asked('_meta', 'claudeCode', 'emitRawSDKMessages');
  return `v${version ?? '?'}${subagents ? '+subagents' : ''}${raw ? '+raw' : ''}`;
}

/** When the client lets go of the last process; infinite where it never does. */
export function letGoAt(lines: readonly RecordedLine[]): number {
  const closes = lines.filter((line) => /^client closes stdin/.test(noteOf(line)));
  return closes.at(-1)?.t ?? Number.POSITIVE_INFINITY;
}
