/** Whether what is shown is the present. `since`: from when on it is not, ISO 8601; null while live. */
export type Connection =
  | { readonly status: 'live'; readonly since: null }
  | { readonly status: 'connecting' | 'reconnecting' | 'lost'; readonly since: string };

/** Failed attempts for this long read `lost`, in ms. */
const LOST_AFTER_MS = 10_000;

const LIVE: Connection = { status: 'live', since: null };

export function connectingNow(): Connection {
  return { status: 'connecting', since: new Date().toISOString() };
}

/** Follows one stream's ups and downs. */
export class ConnectionMonitor {
  #state: Connection = connectingNow();
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #onChange: (connection: Connection) => void;

  constructor(onChange: (connection: Connection) => void) {
    this.#onChange = onChange;
    this.#watchForLoss();
  }

  /** A frame arrived. */
  up(): void {
    clearTimeout(this.#timer);
    if (this.#state.status !== 'live') this.#become(LIVE);
  }

  /** The way is broken; attempts to come back are under way. */
  down(): void {
    if (this.#state.status !== 'live') return;
    this.#become({ status: 'reconnecting', since: new Date().toISOString() });
    this.#watchForLoss();
  }

  /** No more attempts. */
  giveUp(): void {
    clearTimeout(this.#timer);
    this.#lose();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #watchForLoss(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#lose(), LOST_AFTER_MS);
  }

  #lose(): void {
    const since = this.#state.since ?? new Date().toISOString();
    this.#become({ status: 'lost', since });
  }

  #become(state: Connection): void {
    this.#state = state;
    this.#onChange(state);
  }
}
