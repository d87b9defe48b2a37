/** Where Vigil is and how to talk to it. */
export interface VigilClientOptions {
  /** Origin of the server, such as `http://127.0.0.1:3000`. In a browser: the page's own by default. */
  readonly url?: string | undefined;
  /** What streams run on; `ws` by default. Calls are HTTP requests, batched. */
  readonly transport?: 'ws' | 'sse' | undefined;
  /** Needed where the server asks for accounts. */
  readonly token?: string | undefined;
  /** Delay before the n-th attempt to come back (from 0), in ms; by default doubling to 5 s, with jitter. */
  readonly retryDelayMs?: ((attempt: number) => number) | undefined;
}
