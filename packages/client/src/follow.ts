import type { TRPCClientError } from '@trpc/client';
import type { AppRouter } from '@vigil/api';
import { type Connection, ConnectionMonitor } from './connection.ts';
import { backOff, isTransient } from './links.ts';

/** Why a stream ended for good: the server refused it. */
export interface StreamError {
  /** tRPC's code, such as `NOT_FOUND`; null when the failure has none. */
  readonly code: string | null;
  readonly message: string;
}

export interface StreamHandlers<E> {
  onData(frame: { readonly id: string; readonly data: E }): void;
  onConnectionStateChange(state: { readonly state: 'idle' | 'connecting' | 'pending' }): void;
  onError(error: TRPCClientError<AppRouter>): void;
  onComplete(): void;
}

export interface StreamSource<E> {
  /** Opens the stream, from after `lastEventId` where it is not null. */
  open(lastEventId: string | null, handlers: StreamHandlers<E>): { unsubscribe(): void };
  /** Takes one event in. False when it does not continue what is held: the stream starts again from a snapshot. */
  accept(event: E): boolean;
  connection(connection: Connection): void;
  failed(error: StreamError): void;
}

/** A stream that is kept open. */
export interface Following {
  /** Drops what is held and begins with a snapshot. */
  startAgain(): void;
  stop(): void;
}

/** Keeps a stream open through losses, restarts and gaps. */
export function follow<E>(source: StreamSource<E>): Following {
  const following = new Follower(source);
  following.open();
  return following;
}

/** A view that keeps breaking must not keep the server busy, in ms. */
const START_AGAIN_MS = 250;

class Follower<E> implements Following {
  readonly #source: StreamSource<E>;
  readonly #monitor: ConnectionMonitor;
  #lastEventId: string | null = null;
  #attempt = 0;
  /** Handlers of an earlier subscription compare with it and fall silent. */
  #current = 0;
  #subscription: { unsubscribe(): void } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(source: StreamSource<E>) {
    this.#source = source;
    this.#monitor = new ConnectionMonitor((connection) => source.connection(connection));
  }

  open(): void {
    this.#current += 1;
    const mine = this.#current;
    const ifCurrent = (run: () => void) => {
      if (mine === this.#current) run();
    };
    this.#subscription = this.#source.open(this.#lastEventId, {
      onData: ({ id, data }) => ifCurrent(() => this.#receive(id, data)),
      onConnectionStateChange: ({ state }) => ifCurrent(() => state === 'connecting' && this.#monitor.down()),
      onError: (error) => ifCurrent(() => this.#fail(error)),
      onComplete: () => ifCurrent(() => this.#again()),
    });
  }

  startAgain(): void {
    this.#lastEventId = null;
    this.#again(START_AGAIN_MS);
  }

  stop(): void {
    this.#close();
    this.#monitor.stop();
  }

  #receive(id: string, event: E): void {
    if (this.#source.accept(event)) {
      this.#lastEventId = id;
      this.#attempt = 0;
      this.#monitor.up();
      return;
    }
    this.startAgain();
  }

  #fail(error: TRPCClientError<AppRouter>): void {
    if (isTransient(error)) {
      this.#again();
      return;
    }
    this.#close();
    this.#monitor.giveUp();
    this.#source.failed({ code: error.data?.code ?? null, message: error.message });
  }

  #again(delayMs: number = backOff(this.#attempt)): void {
    this.#close();
    this.#monitor.down();
    this.#timer = setTimeout(() => this.open(), delayMs);
    this.#attempt += 1;
  }

  #close(): void {
    this.#current += 1;
    clearTimeout(this.#timer);
    this.#subscription?.unsubscribe();
    this.#subscription = undefined;
  }
}
