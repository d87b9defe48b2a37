import { readFileSync } from 'node:fs';
import type { Mutant } from './mutant.ts';

interface Place {
  readonly line: number;
  readonly column: number;
}

/** The part of the mutation testing report schema (version 2) that is read here. Lines and columns count from 1. */
interface Report {
  readonly files: Readonly<
    Record<
      string,
      {
        readonly source: string;
        readonly mutants: readonly {
          readonly mutatorName: string;
          readonly replacement?: string;
          readonly status: string;
          readonly location: { readonly start: Place; readonly end: Place };
        }[];
      }
    >
  >;
}

function offsetOf(source: string, { line, column }: Place): number {
  const before = source.split('\n').slice(0, line - 1);
  return before.reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 60);

/** The mutants that the tests of a Stryker run did not find, as bugs to plant before the other suite. */
export function survivorsOf(path: string): readonly Mutant[] {
  const report = JSON.parse(readFileSync(path, 'utf8')) as Report;
  return Object.entries(report.files).flatMap(([name, { source, mutants }]) =>
    mutants
      .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
      .map(({ location: { start, end }, replacement = '', mutatorName }) => {
        const [from, to] = [offsetOf(source, start), offsetOf(source, end)];
        return {
          name: `${start.line}:${start.column} \`${oneLine(source.slice(from, to))}\` → \`${oneLine(replacement)}\``,
          rule: mutatorName,
          file: name.replace(/^.*src\//, ''),
          find: source,
          replace: source.slice(0, from) + replacement + source.slice(to),
        };
      }),
  );
}
