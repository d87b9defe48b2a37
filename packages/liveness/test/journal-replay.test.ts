import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { read, written } from '../cli/journal-file.ts';
import { replayed } from '../cli/replay-text.ts';
import { replay } from '../src/journal.ts';
import { CLAUDE_V1, idle, item, launched, out, roster, yielded } from './facts.ts';
import { session } from './session-script.ts';

function story() {
  const s = session({ traits: CLAUDE_V1, fine: true });
  const g1 = s.prompt();
  s.frame(out, launched('tool:A'));
  s.frame(yielded(g1));
  s.frame(roster([item('tool:A')]), idle());
  return s;
}

describe('vigil-replay', () => {
  it('[S53] [S100] a journal that was written and read leads to the very same records', () => {
    const s = story();
    const entries = read(written(s.world.journal.entries));
    expect(replay(entries)).toEqual(replay(s.world.journal.entries));
    expect(replay(entries).get(s.id)?.view.activeSubagentCount).toBe(1);
  });

  it('[S23] only what stood for an attestation is made one', () => {
    const { event } = story().world.journal.entries[0] ?? {};
    const line = JSON.stringify({ event: { ...event, error: '{"attestation":{"evidence":{}}}' }, tick: 1 });
    expect(read(line)[0]?.event).toMatchObject({ error: '{"attestation":{"evidence":{}}}' });
  });

  it('says which line is not an entry', () => {
    expect(() => read('{"event":{}}\n')).toThrow('line 1: expected {"event"');
    expect(() => read(`${written(story().world.journal.entries.slice(0, 1))}nonsense`)).toThrow(
      'line 2: expected one JSON object',
    );
  });

  it('prints each event, what was told of it and the record after it', () => {
    const blocks = [...replayed(story().world.journal.entries)];
    expect(blocks).toHaveLength(8);
    expect(blocks[0]).toMatch(/^#\d+ s \{"sessionId":"s"|^#\d+ s \{"type":"session.loaded"/);
    expect(blocks.at(-2)).toContain('"kind": "yielded"');
  });

  it('runs as a command', { timeout: 60_000 }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'vigil-replay-'));
    try {
      const journal = join(folder, 'journal.ndjson');
      writeFileSync(journal, written(story().world.journal.entries));
      const tsx = fileURLToPath(new URL('../../../node_modules/tsx/dist/cli.mjs', import.meta.url));
      const command = fileURLToPath(new URL('../cli/vigil-replay-cli.ts', import.meta.url));
      const output = execFileSync(process.execPath, [tsx, command, journal], { encoding: 'utf8' });
      expect(output).toContain('session.activity_changed');
      expect(output).toContain('"activeSubagentCount": 1');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
