// What ran and how it ended: one line per step while it goes on, one sum at the end.
import { seconds } from './process.mjs';

const indent = (text) => text.trimEnd().replace(/^/gm, '    ');

export class Tally {
  #passed = 0;
  #failed = 0;
  #skipped = 0;

  get ok() {
    return this.#failed === 0;
  }

  add({ passed = 0, failed = 0, skipped = 0 }) {
    this.#passed += passed;
    this.#failed += failed;
    this.#skipped += skipped;
  }

  /** Runs one check, which counts as one test. It answers `{ ok, detail, output }`; throwing is failing. */
  async step(name, check) {
    const since = performance.now();
    const { ok, detail, output } = await check().catch((error) => ({
      ok: false,
      output: error.expected ? error.message : error.stack,
    }));
    const summary = `${name}${detail ? `: ${detail}` : ''} (${seconds(since)})`;
    this.add(ok ? { passed: 1 } : { failed: 1 });
    console.log(ok ? `  ok    ${summary}` : `  FAIL  ${summary}\n${indent(output ?? '')}`);
    return ok;
  }

  /** The line that a reader, human or not, looks for last. */
  toString() {
    const skipped = this.#skipped > 0 ? `, ${this.#skipped} skipped` : '';
    return `${this.#passed} passed, ${this.#failed} failed${skipped}`;
  }
}
