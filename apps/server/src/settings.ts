import { z } from 'zod';
import { parseDuration } from './duration.ts';

/** One environment variable: what it may be, in words and as a schema, and a value to copy. */
interface Setting<T> {
  readonly schema: z.ZodType<T, string>;
  readonly expected: string;
  readonly example: string;
  /** Its value is never shown. */
  readonly secret?: boolean;
}

const TRUE = ['true', 'on', '1'];
const FALSE = ['false', 'off', '0'];

const toggle: Setting<boolean> = {
  schema: z.enum([...TRUE, ...FALSE]).transform((value) => TRUE.includes(value)),
  expected: 'on or off (also true, false, 1, 0)',
  example: 'on',
};

function duration(example: string, least: number): Setting<number> {
  return {
    schema: z.string().transform((text, context) => {
      const value = parseDuration(text);
      if (value !== null && value >= least) return value;
      context.addIssue('not a duration');
      return z.NEVER;
    }),
    expected: `a duration such as 500ms, 2s, 5m or 1h${least > 0 ? ', more than 0' : ''}`,
    example,
  };
}

/** Every environment variable that Vigil reads. */
export const SETTINGS = {
  PORT: {
    schema: z
      .string()
      .regex(/^\d{1,5}$/)
      .transform(Number)
      .refine((port) => port <= 65_535),
    expected: 'a port from 0 (any free one) to 65535',
    example: '3000',
  } satisfies Setting<number>,
  VIGIL_HOST: {
    schema: z.string().regex(/^[\w.:-]+$/),
    expected: 'a host name or address to listen on',
    example: '127.0.0.1',
  } satisfies Setting<string>,
  VIGIL_DATA_DIR: { schema: z.string(), expected: 'a folder', example: '.vigil' } satisfies Setting<string>,
  DATABASE_URL: {
    schema: z.string().regex(/^postgres(ql)?:\/\/./),
    expected: 'a URL that begins with postgres://',
    example: 'postgres://user:password@localhost:5432/vigil',
    secret: true,
  } satisfies Setting<string>,
  VIGIL_AGENTS_FILE: { schema: z.string(), expected: 'a JSON file', example: 'agents.json' } satisfies Setting<string>,
  VIGIL_MOCK_PROVIDER: toggle,
  VIGIL_FEATURES_CLAUDE_BACKGROUND_PROMPT_HANDOFF: toggle,
  VIGIL_FEATURES_REPORTED_BACKGROUND_WORK: toggle,
  VIGIL_STALL_AFTER: duration('5m', 1),
  VIGIL_START_TIMEOUT: duration('60s', 1),
  VIGIL_SETTLE_AFTER: duration('2s', 0),
  VIGIL_IDLE_STOP_AFTER: duration('30m', 1),
  VIGIL_AUTH: { ...toggle, example: 'off' },
  LOG_LEVEL: {
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    expected: 'trace, debug, info, warn, error, fatal or silent',
    example: 'info',
  },
} as const;

type SettingName = keyof typeof SETTINGS;

/** Names of the family that other parts of the repository read; the server only knows that they are not mistakes. */
export const FOREIGN_NAMES: readonly string[] = ['VIGIL_INSTALL_BROWSER'];

/** A value that was read, by name; absent where the environment says nothing. */
export type Settings = { [K in SettingName]?: z.output<(typeof SETTINGS)[K]['schema']> };
