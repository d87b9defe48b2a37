const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

/** Longest duration that a script may ask for: one day, in milliseconds. */
const LONGEST = 86_400_000;

/** Reads `500ms`, `2s` or `1m` as milliseconds; `undefined` for anything else. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text);
  const [, amount, unit] = match ?? [];
  if (amount === undefined || unit === undefined) return undefined;
  const milliseconds = Number(amount) * (UNITS[unit] ?? Number.NaN);
  return milliseconds <= LONGEST ? milliseconds : undefined;
}

/** Resolves after the time, or at once when the signal aborts. */
export function elapse(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end, { once: true });
  });
}
