import { expect } from '@playwright/test';

interface MockState {
  readonly waiting: readonly string[];
}

/** The control port that the mock agents of one server share: tests release what agents wait for, so none sleeps. */
export class MockControl {
  readonly port: number;

  constructor(port: number) {
    this.port = port;
  }

  /** Resolves when an agent waits for the gate. */
  async waitsFor(gate: string): Promise<void> {
    await expect
      .poll(async () => (await this.#call<MockState>('GET', '/state'))?.waiting ?? [], {
        message: `an agent waits for the gate ${gate}`,
      })
      .toContain(gate);
  }

  /** Lets go on what waits for the gate, once it waits. */
  async release(gate: string): Promise<void> {
    await this.waitsFor(gate);
    await this.#call('POST', `/release/${gate}`);
  }

  /** Resolves when no agent is left. */
  async isGone(): Promise<void> {
    await expect.poll(() => this.#call('GET', '/state'), { message: 'no agent answers any more' }).toBeUndefined();
  }

  /** Nobody listens before the first agent has started, and for a moment when the leading one ends. */
  async #call<T>(method: string, path: string): Promise<T | undefined> {
    try {
      const response = await fetch(`http://127.0.0.1:${this.port}${path}`, { method });
      return (await response.json()) as T;
    } catch {
      return undefined;
    }
  }
}
