import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('[S124] [S125] [S126] has the page on providers name a test for each behaviour of the reporter', () => {
  const page = readFileSync(new URL('../../../../docs/providers.md', import.meta.url), 'utf8');
  const tests = readFileSync(new URL('./state-reporter.test.ts', import.meta.url), 'utf8');
  const section = /^## The reporter\n([\s\S]*?)^## /m.exec(page)?.[1] ?? '';
  const named = [...section.matchAll(/\| `(\[S12[4-6]\] [^`]+)` \|/g)].map(([, title]) => title ?? '');
  expect(named).toHaveLength(12);
  expect(named.filter((title) => !tests.includes(`'${title}'`))).toEqual([]);
});
