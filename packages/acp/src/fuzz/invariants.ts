import { playRecording, providerOf } from '../recordings/play-recording.ts';
import { type ReadingLine, readingLines } from '../recordings/reading-words.ts';
import { inPieces, type RecordedLine } from '../recordings/recorded-lines.ts';
import { seeded } from '../recordings/seeded.ts';
import { type MutationKind, mutated } from './mutations.ts';

/** A recording to mutate. */
export interface Subject {
  readonly name: string;
  readonly lines: readonly RecordedLine[];
}

const KINDS: readonly (readonly MutationKind[])[] = [['order'], ['text'], ['type'], ['order', 'text', 'type']];

/** Mutates the recording by this seed, plays it, and answers what broke; null when nothing did. */
export function tryOne({ name, lines }: Subject, seed: number): string | null {
  const random = seeded(seed);
  const kinds = KINDS[Math.floor(random() * KINDS.length)] ?? ['order'];
  const toggles = { provider: providerOf(lines, name), fine: random() < 0.5 };
  const made = mutated(lines, { random, count: 1 + Math.floor(random() * 12), kinds });
  try {
    const played = readingLines(
      playRecording(
        inPieces(made, () => 1 + Math.floor(random() * 4_000)),
        toggles,
      ),
    );
    const plain = kinds.every((kind) => kind === 'text') ? readingLines(playRecording(lines, toggles)) : null;
    return broken(played) ?? (plain === null ? null : claimed(played, plain));
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

/** What holds of every recording, however mutilated. */
function broken(lines: readonly ReadingLine[]): string | null {
  for (const line of lines) {
    const subagents = line.live.filter((one) => one.kind === 'subagent').length;
    if (line.count !== subagents || line.count < 0) return `count ${line.count} with ${subagents} subagents listed`;
    const ended = ['idle', 'failed', 'completed', 'cancelled', 'created'].includes(line.state);
    if (ended && (line.live.length > 0 || line.tier !== null || line.awaitingFollowUp || line.mayWake))
      return `state outlived its execution: ${JSON.stringify(line)}`;
    if (line.state === 'waiting_for_input' && line.tier === 'generating') return 'a settled session was generating';
    if (line.state === 'running' && line.tier === null) return 'a running session had no tier';
  }
  return null;
}

/** Text claims nothing: what was live, and when, is as it was (S23). */
function claimed(played: readonly ReadingLine[], plain: readonly ReadingLine[]): string | null {
  const work = (lines: readonly ReadingLine[]) =>
    JSON.stringify(lines.map(({ t, live, tier, state }) => [t, live, tier, state]));
  return work(played) === work(plain) ? null : 'text changed what was taken for work';
}
