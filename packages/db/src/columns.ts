import { customType } from 'drizzle-orm/pg-core';

/** Postgres cannot store NUL, and agents do print it. */
const storableText = (value: string): string => value.replaceAll('\u0000', '\ufffd');

/** JSON for jsonb, which refuses NUL and lone surrogates. */
function storableJson(value: unknown): string {
  const json = JSON.stringify(value) ?? 'null';
  if (!json.includes('\\u')) return json;
  // Consumes escapes one by one, so that an escaped backslash before a `u` is not taken for one. JSON.stringify
  // escapes a surrogate only when it is alone.
  return json.replace(/\\(?:u0000|ud[89a-f][0-9a-f]{2}|.)/g, (sequence) =>
    /^\\u(?:0000|d)/.test(sequence) ? '\\ufffd' : sequence,
  );
}

/** Text in which what cannot be stored is replaced by U+FFFD. */
export const text = customType<{ data: string; driverData: string }>({
  dataType: () => 'text',
  toDriver: storableText,
});

/** jsonb that both drivers give parsed. Drizzle's own parses again, and turns the JSON string "1" into a number. */
export const json = customType<{ data: unknown; driverData: unknown }>({
  dataType: () => 'jsonb',
  toDriver: storableJson,
});

/** A moment, to the millisecond: ISO 8601 in UTC whatever the server's time zone and date style print. */
export const instant = customType<{ data: string; driverData: string | Date }>({
  dataType: () => 'timestamp(3) with time zone',
  fromDriver: (value) => new Date(value).toISOString(),
});
