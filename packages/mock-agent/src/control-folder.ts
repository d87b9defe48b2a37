import { mkdirSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callControl } from './loopback.ts';

const PORT_FILE = '.port';

/** The folder in which processes that share no port find each other: a file per process, one per release not used yet. */
export class ControlFolder {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Makes this process's port known until it exits. */
  announce(port: number): void {
    mkdirSync(this.#path, { recursive: true });
    const file = join(this.#path, `${process.pid}${PORT_FILE}`);
    writeFileSync(file, String(port));
    process.on('exit', () => rmSync(file, { force: true }));
  }

  /** Uses up a release that came before anything waited for it; exactly one process succeeds. */
  take(name: string): boolean {
    try {
      unlinkSync(this.#released(name));
      return true;
    } catch {
      return false;
    }
  }

  /** Wakes whoever waits for the name in any process, or leaves the release for the next one; returns how many woke. */
  async release(name: string): Promise<number> {
    mkdirSync(this.#path, { recursive: true });
    // The file comes first: a process that begins to wait meanwhile finds it.
    writeFileSync(this.#released(name), '');
    let woken = 0;
    for (const port of this.ports()) {
      const answer = await callControl({ port, method: 'POST', path: `/wake/${encodeURIComponent(name)}` }).catch(
        () => undefined,
      );
      if (typeof answer?.woken === 'number') woken += answer.woken;
    }
    if (woken > 0) this.take(name);
    return woken;
  }

  /** Ports of the processes that announced themselves; one that died without a word may be among them. */
  ports(): readonly number[] {
    return readdirSync(this.#path)
      .filter((file) => file.endsWith(PORT_FILE))
      .map((file) => Number(readFileSync(join(this.#path, file), 'utf8')))
      .filter((port) => Number.isInteger(port) && port > 0);
  }

  #released(name: string): string {
    return join(this.#path, `${name}.released`);
  }
}
