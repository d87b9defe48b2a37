import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { tierLine } from '../testing/tier-line.ts';

function shown(recording: string, options: { readonly fine?: boolean } = {}): readonly string[] {
  const file = fileURLToPath(new URL(`../../recordings/claude-0.101/${recording}.ndjson`, import.meta.url));
  const lines = tierLine(file, { provider: 'claude-acp', ...options }).map((one) => one.line);
  return lines.slice(lines.indexOf('running generating 0'));
}

const DONE = 'waiting_for_input none 0';

/** What the product shows of a recorded session, through adapter and core. */
describe('recorded sessions', () => {
  it('[S12] shows background until the wake of a shell, over v2 and raw', () => {
    expect(shown('v2-raw/03-background-bash')).toEqual([
      'running generating 0',
      'waiting_for_input background 0',
      'waiting_for_input background 0+',
      'running generating 0',
      DONE,
    ]);
  });

  it('[S78] ends a turn of v1 with both its answer and the raw idle', () => {
    expect(shown('v1-raw/03-background-bash')).toEqual(shown('v2-raw/03-background-bash'));
  });

  it('[S22] counts a detached subagent until it ends', () => {
    expect(shown('v2-raw/06-subagent-background')).toEqual([
      'running generating 0',
      'running generating 1',
      'waiting_for_input background 1',
      'waiting_for_input background 0+',
      'running generating 0',
      DONE,
    ]);
  });

  it('[S29] hard case 9: goes back to background after every event of a monitor', () => {
    const lines = shown('v2-raw/07-monitor');

    expect(lines.filter((line) => line === 'waiting_for_input background 0')).toHaveLength(4);
    expect(lines.slice(-3)).toEqual(['waiting_for_input background 0+', 'running generating 0', DONE]);
  });

  it('[S132] stays in background while a detached child waits for its permission', () => {
    const lines = shown('v2-raw/08f-permission-from-background-subagent-while-idle');

    expect(lines.filter((line) => line.startsWith('running'))).toEqual([
      'running generating 0',
      'running generating 1',
      'running generating 0',
    ]);
  });

  it('[S70] shows a plain v1 session by its coarse state alone', () => {
    expect(shown('v1/03-background-bash')).toEqual(['running generating 0', DONE, 'running generating 0', DONE]);
  });

  it('[S60] hard case 13: yields a held prompt to its detached subagent where the experiment is on', () => {
    expect(shown('v1/06-subagent-background', { fine: true })).toEqual([
      'running generating 0',
      'running generating 1',
      'running background 1',
      'running generating 1',
      'running generating 0',
      DONE,
    ]);
  });

  it('[S65] hard case 28: retires the subagent, and not the shell, with a cancelled turn of plain v1', () => {
    expect(shown('v1/09b-cancel-with-background-live')).toEqual([
      'running generating 0',
      'running generating 1',
      DONE,
      'running generating 0',
      DONE,
    ]);
  });
});
