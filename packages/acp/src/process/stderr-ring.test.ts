import { describe, expect, it } from 'vitest';
import { StderrRing } from './stderr-ring.ts';

describe('the last words of an agent', () => {
  it('[S130] are bounded, whole lines, the newest', () => {
    const ring = new StderrRing({}, 100);
    for (let nth = 0; nth < 1_000; nth += 1) ring.push(`line ${nth}\n`);

    const text = ring.read();

    expect(text.length).toBeLessThanOrEqual(100);
    expect(text).toMatch(/^line \d+\n[\s\S]*line 999\n$/);
  });

  it('[S130] hold no secret of the environment, also where one is within another', () => {
    const ring = new StderrRing({
      A_KEY: 'secret-1',
      B_TOKEN: 'secret-1-longer',
      C_PASSWORD: 'short',
      HOME: 'my-home-dir',
    });
    ring.push('secret-1 secret-1-');
    ring.push('longer short my-home-dir');

    expect(ring.read()).toBe('*** *** short my-home-dir');
  });
});
