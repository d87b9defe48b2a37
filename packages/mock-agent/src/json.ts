/** Any JSON value; `undefined` fields are left out when written. */
export type Json = null | boolean | number | string | readonly Json[] | Fields;

/** A JSON object. */
export interface Fields {
  readonly [name: string]: Json | undefined;
}

/** Narrows to a JSON object. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Follows names into nested objects; `undefined` where the path breaks. */
export function pick(value: unknown, ...path: readonly string[]): Json | undefined {
  let at: unknown = value;
  for (const name of path) {
    if (!isFields(at)) return undefined;
    at = at[name];
  }
  return at as Json | undefined;
}

/** The string at a path, else `undefined`. */
export function pickString(value: unknown, ...path: readonly string[]): string | undefined {
  const found = pick(value, ...path);
  return typeof found === 'string' ? found : undefined;
}
