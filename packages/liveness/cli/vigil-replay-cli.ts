#!/usr/bin/env -S npx tsx
import { readFileSync } from 'node:fs';
import { read } from './journal-file.ts';
import { replayed } from './replay-text.ts';

/** `vigil-replay JOURNAL`: prints the record after each event of a journal, for bug reports. `-` reads standard input. */
const [path] = process.argv.slice(2);
if (path === undefined) {
  console.error(
    'Expected a journal: vigil-replay JOURNAL (a file of {"event", "tick"} lines, or - for standard input).',
  );
  process.exitCode = 2;
} else {
  try {
    for (const block of replayed(read(readFileSync(path === '-' ? 0 : path, 'utf8')))) console.log(block);
  } catch (error) {
    console.error(error instanceof Error ? `${path}: ${error.message}` : error);
    process.exitCode = 1;
  }
}
