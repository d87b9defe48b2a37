import type { Result } from './trials.ts';

const seconds = (ms: number): string => (ms / 1_000).toFixed(1);

/** The results as a Markdown table. */
export function tableOf(results: readonly Result[]): string {
  const lines = results.map((one) => {
    const sorted = [...one.took].sort((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    const took = `${seconds(median)} s (${seconds(sorted.at(-1) ?? 0)} s)`;
    const bad = [...one.stuck.map((what) => `stuck: ${what}`)];
    return `| ${one.what} | ${one.kind} | ${one.times} | ${one.acknowledged} | ${one.lost.length} | ${one.doubled.length} | ${one.tended} | ${bad.length === 0 ? 'none' : bad.join('; ')} | ${took} |`;
  });
  return [
    '| what | database | times | acknowledged | lost | delivered twice | waits for a person | stuck | truth back: median (longest) |',
    '|---|---|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}
