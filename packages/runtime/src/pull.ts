import type { Subscription } from '@vigil/liveness';
import { VigilError } from './errors.ts';

/** Wakes one waiting reader: when something waits for it, or when it leaves. */
export class Bell {
  #rung = false;
  #wake: (() => void) | null = null;

  readonly ring = (): void => {
    this.#rung = true;
    this.#wake?.();
  };

  /** Resolves at the next ring; at once when it rang since the last time. */
  async wait(): Promise<void> {
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = null;
    }
    this.#rung = false;
  }
}

/**
 * Takes what waits in a mailbox, one by one, until the reader leaves. A value counts as delivered once the reader asks
 * for the next (S104). Throws when the mailbox was closed, so that the reader comes back and starts from a snapshot.
 */
export async function* pull<E>(
  subscription: Subscription<E>,
  bell: Bell,
  signal: AbortSignal,
): AsyncGenerator<readonly [string, E]> {
  signal.addEventListener('abort', bell.ring);
  try {
    while (!signal.aborted) {
      for (const [key, event] of subscription.pending()) {
        yield [key, event];
        subscription.delivered(key, event);
        if (signal.aborted) return;
      }
      if (subscription.closed !== null) throw closed(subscription.closed);
      await bell.wait();
    }
  } finally {
    signal.removeEventListener('abort', bell.ring);
    subscription.close();
  }
}

/** Why a stream ends that its reader did not leave. */
export function closed(reason: string): VigilError {
  return new VigilError(
    'unavailable',
    `The stream was closed: ${reason}. Connect again; it continues from a snapshot.`,
  );
}

/** The revision of an id `epoch.revision`; null when it is of another epoch or not such an id. */
export function revisionOf(eventId: string | undefined, epoch: string): number | null {
  if (eventId === undefined || !eventId.startsWith(`${epoch}.`)) return null;
  const text = eventId.slice(epoch.length + 1);
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}
