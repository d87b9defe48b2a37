import { fileURLToPath } from 'node:url';
import type { Fact, Traits } from '@vigil/liveness';
import { openAgent } from '../open-agent.ts';
import type { AgentConnection, AgentExit, AgentLaunch, OpenOptions, Reading } from '../types.ts';

/** A connection to a real process, with all that it told. */
export interface Harness {
  readonly connection: AgentConnection;
  readonly readings: readonly Reading[];
  readonly traits: readonly Traits[];
  readonly logs: readonly string[];
  facts(): readonly Fact[];
  /** Text of the assistant's messages. */
  said(): string;
  /** Resolves once a reading, among those so far or to come, passes. */
  until(passes: (reading: Reading) => boolean): Promise<Reading>;
  readonly gone: Promise<AgentExit>;
}

export interface HarnessOptions extends Partial<Omit<OpenOptions, 'launch' | 'sink'>> {
  readonly provider?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const TESTING = new URL('../../testing/', import.meta.url);

/** Starts one of the agents in `testing/`. */
export async function startAgent(
  script: string,
  args: readonly string[],
  options: HarnessOptions = {},
): Promise<Harness> {
  const ears = new Ears();
  const connection = await openAgent({
    cwd: '/',
    agentSessionId: null,
    startTimeoutMs: 10_000,
    mockProvider: false,
    ...options,
    launch: launchOfScript(script, args, options),
    sink: ears,
  });
  return {
    connection,
    readings: ears.readings,
    traits: ears.gained,
    logs: ears.logs,
    gone: ears.exit,
    facts: () => ears.readings.flatMap((reading) => reading.facts),
    said: () => ears.said(),
    until: (passes) => ears.until(passes),
  };
}

/** The path of a recording. */
export function recordingPath(name: string): string {
  return fileURLToPath(new URL(`../recordings/${name}.ndjson`, TESTING));
}

function launchOfScript(script: string, args: readonly string[], options: HarnessOptions): AgentLaunch {
  const path = fileURLToPath(new URL(script, TESTING));
  const { provider = 'generic', env = {} } = options;
  return { agentId: provider, provider, command: process.execPath, args: [path, ...args], env, cwd: '/' };
}

/** Keeps all that a connection tells. */
export class Ears {
  readonly readings: Reading[] = [];
  readonly gained: Traits[] = [];
  readonly logs: string[] = [];
  readonly exit: Promise<AgentExit>;
  readonly #waiting = new Set<(reading: Reading) => void>();
  #tellExit: (exit: AgentExit) => void = () => undefined;

  constructor() {
    this.exit = new Promise((resolve) => {
      this.#tellExit = resolve;
    });
  }

  frame(reading: Reading): void {
    this.readings.push(reading);
    for (const tell of this.#waiting) tell(reading);
  }

  traits(traits: Traits): void {
    this.gained.push(traits);
  }

  gone(exit: AgentExit): void {
    this.#tellExit(exit);
  }

  log(entry: { readonly message: string }): void {
    this.logs.push(entry.message);
  }

  said(): string {
    return this.readings
      .flatMap((reading) => reading.transcript)
      .flatMap((event) => (event.type === 'message' && event.role === 'assistant' ? [event.text] : []))
      .join('');
  }

  until(passes: (reading: Reading) => boolean): Promise<Reading> {
    const known = this.readings.find(passes);
    if (known) return Promise.resolve(known);
    return new Promise((resolve) => {
      const tell = (reading: Reading) => {
        if (!passes(reading)) return;
        this.#waiting.delete(tell);
        resolve(reading);
      };
      this.#waiting.add(tell);
    });
  }
}
