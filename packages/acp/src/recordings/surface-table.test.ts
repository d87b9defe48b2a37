import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { withTable } from './surface-table.ts';

it('[S24] has the page on providers say what the recordings hold', () => {
  const page = readFileSync(new URL('../../../../docs/providers.md', import.meta.url), 'utf8');

  expect(page).toBe(withTable(page, fileURLToPath(new URL('../../recordings/', import.meta.url))));
});
