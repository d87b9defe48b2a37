import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { TRPCError } from '@trpc/server';
import { getHTTPStatusCodeFromError } from '@trpc/server/http';
import { AGENT_ERROR_CODES } from '@vigil/acp';
import { TRPC_CODES } from '@vigil/api';
import { DATABASE_ERROR_CODES } from '@vigil/db';
import { ERROR_CODES } from '@vigil/runtime';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const page = readFileSync(`${root}docs/errors.md`, 'utf8');

/** First cells of the table below a heading. */
function listed(heading: string): string[] {
  const section = page.slice(page.indexOf(heading) + heading.length).split(/^#{2,3} /m)[0] ?? '';
  return [...section.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, code]) => code ?? '');
}

function sources(folder: string): string {
  return readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(`${root}${folder}/${name}`, 'utf8'))
    .join('\n');
}

test('[contract] docs/errors.md lists every code, and only those', () => {
  expect(listed('## Answers of the API')).toEqual([...ERROR_CODES]);
  expect(listed('### Database').sort()).toEqual([...DATABASE_ERROR_CODES].sort());
  expect(listed('### Agents').sort()).toEqual([...AGENT_ERROR_CODES].sort());
});

test('[contract] docs/errors.md says which tRPC code and status each code becomes', () => {
  for (const [code, trpc] of Object.entries(TRPC_CODES)) {
    const status = getHTTPStatusCodeFromError(new TRPCError({ code: trpc }));
    expect(page).toContain(`| \`${code}\` | \`${trpc}\` | ${status} |`);
  }
});

test('[S80] docs/errors.md lists every reason that the runtime gives', () => {
  const [, refusals = ''] = /type RefusalReason =([^;]+);/.exec(sources('packages/liveness/src')) ?? [];
  const given = [
    ...`${refusals}`.matchAll(/'([a-z_]+)'/g),
    ...sources('packages/runtime/src').matchAll(/reason: '([a-z_]+)'/g),
  ];
  const reasons = new Set(given.map(([, reason]) => reason));
  expect(reasons.size).toBeGreaterThan(3);
  expect(listed('### Reasons')).toEqual(expect.arrayContaining([...reasons]));
});
