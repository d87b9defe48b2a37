import { describe, expect, it } from 'vitest';
import { diffLines } from './diff-lines.ts';

const SIGNS = { same: ' ', gone: '-', new: '+', gap: '…' };
const show = (before: string, after: string) => diffLines(before, after).map(({ kind, text }) => SIGNS[kind] + text);

describe('diffLines', () => {
  it('shows what went and what came', () => {
    expect(show('a\nb\nc\n', 'a\nB\nc\n')).toEqual([' a', '-b', '+B', ' c']);
    expect(show('a\nb\n', 'b\nc\n')).toEqual(['-a', ' b', '+c']);
  });

  it('shows a new file as new only', () => {
    expect(show('', 'a\nb\n')).toEqual(['+a', '+b']);
  });

  it('folds what is far from a change', () => {
    const many = Array.from({ length: 20 }, (_, i) => `l${i}`);
    const changed = [...many.slice(0, 10), 'X', ...many.slice(11)];
    const lines = show(many.join('\n'), changed.join('\n'));
    expect(lines).toEqual(['…', ' l7', ' l8', ' l9', '-l10', '+X', ' l11', ' l12', ' l13', '…']);
  });

  it('does not stall on large rewrites', () => {
    const before = Array.from({ length: 5_000 }, (_, i) => `a${i}`).join('\n');
    const after = Array.from({ length: 5_000 }, (_, i) => `b${i}`).join('\n');
    expect(diffLines(before, after)).toHaveLength(10_000);
  });
});
