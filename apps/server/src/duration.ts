const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/;

/** Reads `500ms`, `2s`, `5m` or `1h` as milliseconds; null for anything else. */
export function parseDuration(text: string): number | null {
  const match = DURATION.exec(text);
  if (match === null) return null;
  const [, amount, unit] = match;
  return Math.round(Number(amount) * UNITS[unit as keyof typeof UNITS]);
}
