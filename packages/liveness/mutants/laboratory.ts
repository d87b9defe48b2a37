import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVitest, type Vitest } from 'vitest/node';
import type { Mutant } from './mutant.ts';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
/** Outside of `node_modules`, whose files Vitest does not transform. */
const COPIES = join(PACKAGE, '..', '..', '.cache', 'mutants');

/** `examples` takes a second, `laws` are the properties and the exploration. */
export type Suite = 'examples' | 'laws';
const SUITES: readonly Suite[] = ['examples', 'laws'];

/** Not run on mutants: the first is the test of the list itself. */
const LEFT_OUT = ['mutants.test.ts', 'journal-replay.test.ts'];

/** A copy of the core with its tests, in which one bug at a time is planted, and one Vitest that keeps it compiled. */
export class Laboratory {
  readonly #folder: string;
  readonly #vitest: Vitest;

  private constructor(folder: string, vitest: Vitest) {
    this.#folder = folder;
    this.#vitest = vitest;
  }

  static async open(): Promise<Laboratory> {
    const folder = join(COPIES, String(process.pid));
    mkdirSync(folder, { recursive: true });
    for (const part of ['src', 'test', 'explore']) cpSync(join(PACKAGE, part), join(folder, part), { recursive: true });
    for (const suite of SUITES) writeFileSync(join(folder, `${suite}.test.ts`), importsOf(folder, suite));
    const vitest = await createVitest('test', {
      root: folder,
      config: false,
      watch: false,
      include: ['*.test.ts'],
      bail: 1,
      maxWorkers: 1,
      reporters: [{}],
      environment: 'node',
    });
    return new Laboratory(folder, vitest);
  }

  /** The first test of a suite that fails with this bug; null when it survives. */
  async plant(mutant: Mutant, suite: Suite): Promise<string | null> {
    const path = join(this.#folder, 'src', mutant.file);
    const original = readFileSync(path, 'utf8');
    this.#write(path, planted(original, mutant));
    try {
      return await this.failing(suite);
    } finally {
      this.#write(path, original);
    }
  }

  /** The first test that fails with the present sources; null when all pass. */
  async failing(suite: Suite): Promise<string | null> {
    const specification = this.#vitest.getRootProject().createSpecification(join(this.#folder, `${suite}.test.ts`));
    const { testModules, unhandledErrors } = await this.#vitest.runTestSpecifications([specification]);
    const tests = testModules.flatMap((module) => [...module.children.allTests('failed')]);
    const [first] = tests;
    if (first !== undefined) return first.fullName;
    const broken = testModules.find((module) => module.state() === 'failed');
    if (broken !== undefined || unhandledErrors.length > 0) return `${suite} could not be run`;
    return null;
  }

  async close(): Promise<void> {
    await this.#vitest.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #write(path: string, text: string): void {
    writeFileSync(path, text);
    this.#vitest.invalidateFile(path);
  }
}

/** One file that imports all tests of a suite: one worker and one start of it for each bug. */
function importsOf(folder: string, suite: Suite): string {
  const files = ['src', 'test'].flatMap((part) => readdirSync(join(folder, part)).map((name) => `./${part}/${name}`));
  const tests = files.filter((path) => path.endsWith('.test.ts') && !LEFT_OUT.includes(basename(path)));
  const isLaw = (path: string) => path.endsWith('.property.test.ts') || path.endsWith('exploration.test.ts');
  return tests
    .filter((path) => isLaw(path) === (suite === 'laws'))
    .map((path) => `import '${path}';\n`)
    .join('');
}

/** How often the text that a bug replaces occurs; a list that is true says once. */
export const occurrences = (source: string, { find }: Mutant): number => source.split(find).length - 1;

/** The source with the bug in it. */
export function planted(source: string, mutant: Mutant): string {
  const count = occurrences(source, mutant);
  if (count !== 1)
    throw new Error(`expected the text of "${mutant.name}" once in src/${mutant.file}, found it ${count} times`);
  return source.replace(mutant.find, () => mutant.replace);
}

/** The present source of a mutant's file. */
export const sourceOf = ({ file }: Mutant): string => readFileSync(join(PACKAGE, 'src', file), 'utf8');
