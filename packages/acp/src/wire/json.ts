/** Lenient access to what agents send: a value of another shape reads as absent, never as an exception. */
export type JsonObject = { readonly [key: string]: unknown };

const MAX_NESTING = 256;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object at the end of the path; an empty object where there is none. */
export function objectAt(value: unknown, ...path: readonly string[]): JsonObject {
  const found = valueAt(value, ...path);
  return isObject(found) ? found : {};
}

/** Own members only: what an object inherits is nothing that was sent. */
export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  let at = value;
  for (let step = 0; step < path.length; step += 1) {
    const key = path[step] ?? '';
    if (!isObject(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at;
}

/** A non-empty string, or undefined. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = valueAt(value, ...path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = valueAt(value, ...path);
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}

export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found : [];
}

/**
 * Parses one line of the wire; undefined for what is no JSON object or nests deeper than 256. Keys named like the
 * prototype are left out, and told to `leftOut`.
 */
export function parseFrame(line: string, leftOut: () => void = () => undefined): JsonObject | undefined {
  if (mayNestTooDeep(line) && nestsTooDeep(line)) return undefined;
  try {
    const value: unknown = mayNamePrototype(line) ? withoutPrototypes(line, leftOut) : JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** An escape of one of the letters of `__proto__`. */
const ESCAPED_LETTER = /\\u00(?:5f|6f|7[024])/i;

/** The name itself, or an escape that may spell it. */
function mayNamePrototype(line: string): boolean {
  return line.includes('__proto__') || (line.includes('\\u00') && ESCAPED_LETTER.test(line));
}

function withoutPrototypes(line: string, leftOut: () => void): unknown {
  return JSON.parse(line, (key: string, value: unknown) => {
    if (key !== '__proto__') return value;
    leftOut();
    return undefined;
  });
}

/** Whether a line has brackets enough: a cheap question that nearly all lines answer with no. */
function mayNestTooDeep(line: string): boolean {
  if (line.length <= 2 * MAX_NESTING) return false;
  let left = MAX_NESTING;
  for (const bracket of ['{', '[']) {
    for (let at = line.indexOf(bracket); at >= 0; at = line.indexOf(bracket, at + 1)) {
      left -= 1;
      if (left < 0) return true;
    }
  }
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function nestsTooDeep(line: string): boolean {
  let depth = 0;
  for (let at = 0; at < line.length && depth <= MAX_NESTING; at += 1) {
    const code = line.charCodeAt(at);
    if (code === QUOTE) at = endOfText(line, at);
    else if (code === 0x7b || code === 0x5b) depth += 1;
    else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return depth > MAX_NESTING;
}

/** Where the text that begins at `from` ends; the end of the line where it does not. */
function endOfText(line: string, from: number): number {
  for (let end = line.indexOf('"', from + 1); end >= 0; end = line.indexOf('"', end + 1)) {
    let escapes = end - 1;
    while (line.charCodeAt(escapes) === BACKSLASH) escapes -= 1;
    if ((end - escapes) % 2 === 1) return end;
  }
  return line.length;
}
