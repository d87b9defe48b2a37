import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

function tokensOf(selector: string): ReadonlyMap<string, string> {
  const block = css.slice(css.indexOf(`${selector} {`));
  const body = block.slice(0, block.indexOf('}'));
  return new Map([...body.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', value = '']) => [name, value]));
}

function luminance(hex: string): number {
  const channel = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

function contrast(a: string, b: string): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

const TEXT = [
  'ink',
  'ink-soft',
  ...['attention', 'question', 'generating', 'background', 'failed', 'done', 'neutral'].map((n) => `state-${n}`),
];
const GROUNDS = ['paper', 'surface', 'sunken', 'well'];

describe.each([':root', ':root.dark'])('colours of %s', (selector) => {
  const tokens = tokensOf(selector);
  const of = (name: string) => tokens.get(name) ?? '#000000';

  it.each(TEXT.flatMap((text) => GROUNDS.map((ground) => [text, ground] as const)))(
    '[W7] %s on %s passes AA for text',
    (text, ground) => {
      expect(tokens.has(text) && tokens.has(ground)).toBe(true);
      expect(contrast(of(text), of(ground))).toBeGreaterThanOrEqual(4.5);
    },
  );

  it.each(GROUNDS)('[W7] the border of controls passes AA on %s', (ground) => {
    expect(contrast(of('line-strong'), of(ground))).toBeGreaterThanOrEqual(3);
  });

  it('[W7] words on filled buttons pass AA', () => {
    expect(contrast(of('paper'), of('ink'))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(of('surface'), of('state-failed'))).toBeGreaterThanOrEqual(4.5);
  });
});
