import { ControlFolder } from './control-folder.ts';
import { type Gates, LocalGates } from './gate.ts';
import type { Fields } from './json.ts';
import { callControl, listenControl } from './loopback.ts';

/** Where a test reaches this process. */
export interface ControlOptions {
  /** `MOCK_AGENT_CONTROL_PORT`; 0 takes any. */
  readonly port: number | undefined;
  /** `MOCK_AGENT_CONTROL_DIR`. */
  readonly folder: string | undefined;
  /** What `GET /state` says of this process. */
  readonly describe: () => Fields;
}

/** How often a process tries to get at its port, and the milliseconds between two tries. */
const ATTEMPTS = 20;
const PAUSE = 25;

/**
 * The gates of a process and its control port. The first process on a port leads: it keeps the gates of all. Later
 * ones follow: they ask the leader, and take the port over when it is gone.
 */
export class Control implements Gates {
  readonly #local = new LocalGates();
  readonly #options: ControlOptions;
  readonly #folder: ControlFolder | undefined;
  readonly #followers = new Set<number>();
  #following = false;
  #ownPort: Promise<number> | undefined;
  #ready: Promise<void>;

  constructor(options: ControlOptions) {
    this.#options = options;
    this.#folder = options.folder === undefined ? undefined : new ControlFolder(options.folder);
    this.#ready = this.#open();
  }

  async wait(name: string, signal: AbortSignal): Promise<void> {
    await this.#ready;
    const done = new AbortController();
    const inner = AbortSignal.any([signal, done.signal]);
    const waits = [this.#local.wait(name, inner)];
    if (this.#folder?.take(name) === true) this.#local.wake(name);
    if (this.#following) waits.push(this.#ask(name, inner));
    await Promise.race(waits);
    done.abort();
  }

  async #open(): Promise<void> {
    if (this.#folder !== undefined) this.#folder.announce(await this.#own());
    if (this.#options.port !== undefined) await this.#contend(this.#options.port);
  }

  /** Leads on the port if it is free, else follows whoever leads. */
  async #contend(port: number): Promise<void> {
    // A leader that is dying holds its port a moment longer than its connections.
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if ((await this.#lead(port)) || (await this.#follow(port))) return;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
    this.#following = false;
    process.stderr.write(
      `mock agent: expected control port ${port} to be free or a mock agent's; going on without it\n`,
    );
  }

  async #lead(port: number): Promise<boolean> {
    const led = await this.#listen(port).catch(() => undefined);
    if (led === undefined) return false;
    this.#following = false;
    if (port === 0) process.stderr.write(`${JSON.stringify({ control: led })}\n`);
    return true;
  }

  async #follow(port: number): Promise<boolean> {
    const own = await this.#own();
    const joined = await callControl({ port, method: 'POST', path: `/join/${own}` }).catch(() => undefined);
    this.#following = joined !== undefined;
    return this.#following;
  }

  /** Waits at the leader. When it dies its waits come back here, and one follower becomes the leader. */
  async #ask(name: string, signal: AbortSignal): Promise<void> {
    const port = this.#options.port;
    while (this.#following && port !== undefined && !signal.aborted) {
      const answer = await callControl({
        port,
        method: 'POST',
        path: `/wait/${encodeURIComponent(name)}`,
        signal,
      }).catch(() => undefined);
      if (answer !== undefined) return;
      if (!signal.aborted) await this.#contend(port);
    }
    // This process leads now, or stands alone: its own gates decide.
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  #own(): Promise<number> {
    this.#ownPort ??= this.#listen(0);
    return this.#ownPort;
  }

  #listen(port: number): Promise<number> {
    return listenControl(port, (method, path, gone) => this.#route(`${method} ${path}`, gone));
  }

  async #route(call: string, gone: AbortSignal): Promise<Fields | undefined> {
    const [, verb, coded = ''] =
      /^(GET \/state|POST \/(?:release|wake|wait|join))(?:\/([\w.%-]{1,192}))?$/.exec(call) ?? [];
    const name = decoded(coded);
    if (verb === 'GET /state') return this.#describe();
    if (name === '') return undefined;
    switch (verb) {
      case 'POST /release':
        return { woken: this.#local.release(name) };
      case 'POST /wake':
        return { woken: this.#local.wake(name) };
      case 'POST /wait':
        await this.#local.wait(name, gone);
        return {};
      case 'POST /join':
        this.#followers.add(Number(name));
        return {};
      default:
        return undefined;
    }
  }

  async #describe(): Promise<Fields> {
    const followers = await Promise.all([...this.#followers].map((port) => this.#follower(port)));
    const { waiting, remembered } = this.#local;
    const others = followers.filter((state) => state !== undefined);
    return { pid: process.pid, ...this.#options.describe(), waiting, released: remembered, followers: others };
  }

  async #follower(port: number): Promise<Fields | undefined> {
    const state = await callControl({ port, method: 'GET', path: '/state' }).catch(() => undefined);
    if (state === undefined) this.#followers.delete(port);
    return state;
  }
}

/** A gate's name as it stands in a path; empty where it is no name at all. */
function decoded(coded: string): string {
  try {
    return decodeURIComponent(coded);
  } catch {
    return '';
  }
}
