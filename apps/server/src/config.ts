import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isLoopback } from './loopback.ts';
import { nearestName } from './nearest-name.ts';
import { FOREIGN_NAMES, SETTINGS, type Settings } from './settings.ts';

/** Everything that can be chosen about a server, checked. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Absolute. */
  readonly dataDir: string;
  /** Postgres; null for the embedded database. */
  readonly databaseUrl: string | null;
  /** Absolute; null where no file is given. */
  readonly agentsFile: string | null;
  readonly mockProvider: boolean;
  /** What the environment says; null where it says nothing (S76). */
  readonly features: { readonly handoff: boolean | null; readonly reported: boolean | null };
  readonly stallAfterMs: number;
  readonly startTimeoutMs: number;
  readonly settleAfterMs: number;
  /** How long a free agent without any use is kept (S116); undefined: for ever. */
  readonly idleStopAfterMs: number | undefined;
  readonly logLevel: NonNullable<Settings['LOG_LEVEL']>;
  readonly mode: 'production' | 'development';
  /** Adds tasks that show every state, where the board is empty. */
  readonly demo: boolean;
}

export interface ConfigSource {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly args: readonly string[];
  readonly cwd: string;
}

/** Why a server does not start: one line per setting with what was expected, what came and what to do. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const count = problems.length === 1 ? 'a setting is wrong' : `${problems.length} settings are wrong`;
    super(`Vigil does not start: ${count}.\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

export const HELP = `Usage: npm start -- [--demo]

  --demo   offers the mock agents and, on an empty board, adds tasks that show every state
  --help   shows this

Environment:
${Object.entries(SETTINGS)
  .map(([name, { expected, example }]) => `  ${name}=${example}\n      ${expected}`)
  .join('\n')}
`;

/** Reads the environment and the arguments once. `help` when only the help was asked for; throws `ConfigError`. */
export function parseConfig(source: ConfigSource): Config | 'help' {
  const flags = readFlags(source.args);
  if (flags.help) return 'help';
  const { settings, problems } = readSettings(source.env);
  const mode = source.env.NODE_ENV === 'development' ? 'development' : 'production';
  const chosen = { ...DEFAULTS, ...settings };
  const developing = mode === 'development' && isLoopback(chosen.VIGIL_HOST);
  const mockProvider = settings.VIGIL_MOCK_PROVIDER ?? (flags.demo || developing);
  const found = [...flags.problems, ...problems, ...contradictions({ ...chosen, mockProvider, demo: flags.demo })];
  if (found.length > 0) throw new ConfigError(found);
  return { ...named(chosen, source.cwd), mockProvider, mode, demo: flags.demo };
}

const DEFAULTS = {
  PORT: 3000,
  VIGIL_HOST: '127.0.0.1',
  VIGIL_DATA_DIR: '.vigil',
  VIGIL_STALL_AFTER: 300_000,
  VIGIL_START_TIMEOUT: 60_000,
  VIGIL_SETTLE_AFTER: 2_000,
  VIGIL_AUTH: false,
  LOG_LEVEL: 'info',
} as const satisfies Settings;

type Chosen = Settings & Required<Pick<Settings, keyof typeof DEFAULTS>>;

function named(chosen: Chosen, cwd: string): Omit<Config, 'mockProvider' | 'mode' | 'demo'> {
  const { VIGIL_AGENTS_FILE: agentsFile } = chosen;
  return {
    host: chosen.VIGIL_HOST,
    port: chosen.PORT,
    dataDir: resolve(cwd, chosen.VIGIL_DATA_DIR),
    databaseUrl: chosen.DATABASE_URL ?? null,
    agentsFile: agentsFile === undefined ? null : resolve(cwd, agentsFile),
    features: {
      handoff: chosen.VIGIL_FEATURES_CLAUDE_BACKGROUND_PROMPT_HANDOFF ?? null,
      reported: chosen.VIGIL_FEATURES_REPORTED_BACKGROUND_WORK ?? null,
    },
    stallAfterMs: chosen.VIGIL_STALL_AFTER,
    startTimeoutMs: chosen.VIGIL_START_TIMEOUT,
    settleAfterMs: chosen.VIGIL_SETTLE_AFTER,
    idleStopAfterMs: chosen.VIGIL_IDLE_STOP_AFTER,
    logLevel: chosen.LOG_LEVEL,
  };
}

interface Flags {
  readonly demo: boolean;
  readonly help: boolean;
  readonly problems: readonly string[];
}

function readFlags(args: readonly string[]): Flags {
  const { values, tokens } = parseArgs({
    args: [...args],
    strict: false,
    tokens: true,
    options: { demo: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  const problems: string[] = [];
  for (const token of tokens) {
    const written = token.kind === 'option' ? token.rawName : token.kind === 'positional' ? token.value : '';
    const known =
      token.kind === 'option' && (token.name === 'demo' || token.name === 'help') && token.value === undefined;
    if (!known && written !== '') problems.push(`${written}: expected --demo or --help; leave it out.`);
  }
  return { demo: values.demo === true, help: values.help === true, problems };
}

function readSettings(env: ConfigSource['env']): { settings: Settings; problems: string[] } {
  const settings: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, { schema, expected, example, ...rest }] of Object.entries(SETTINGS)) {
    const text = env[name]?.trim();
    if (text === undefined || text === '') continue;
    const result = schema.safeParse(text);
    const got = 'secret' in rest ? 'something else (not shown)' : JSON.stringify(text);
    if (result.success) settings[name] = result.data;
    else
      problems.push(
        `${name}: expected ${expected}, got ${got}. Set, for example, ${name}=${example}, or leave it out.`,
      );
  }
  problems.push(...unknownNames(env));
  return { settings: settings as Settings, problems };
}

function unknownNames(env: ConfigSource['env']): string[] {
  const known = Object.keys(SETTINGS);
  return Object.keys(env)
    .filter((name) => name.startsWith('VIGIL_') && !known.includes(name) && !FOREIGN_NAMES.includes(name))
    .sort()
    .map((name) => {
      const near = nearestName(name, known);
      const advice = near === null ? `The names are ${known.join(', ')}.` : `Did you mean ${near}?`;
      return `${name}: expected a name that Vigil knows, got this one. ${advice} Correct it or unset it.`;
    });
}

interface Choice {
  readonly VIGIL_HOST: string;
  readonly VIGIL_AUTH: boolean;
  readonly mockProvider: boolean;
  readonly demo: boolean;
}

function contradictions({ VIGIL_HOST: host, VIGIL_AUTH: auth, mockProvider, demo }: Choice): string[] {
  const problems: string[] = [];
  if (auth) {
    problems.push(
      'VIGIL_AUTH: expected off, got on. This version has no accounts yet; serve on loopback and unset it.',
    );
  } else if (!isLoopback(host)) {
    problems.push(
      `VIGIL_HOST: expected a loopback address, got "${host}". Without authentication everybody who reaches the port ` +
        'could run agents here. Set VIGIL_HOST=127.0.0.1, and use a tunnel such as ssh -L to reach it from elsewhere.',
    );
  }
  if (mockProvider && !isLoopback(host)) {
    problems.push(
      `VIGIL_MOCK_PROVIDER: expected off with the host "${host}", got on. Mock agents are for this machine only: ` +
        'set VIGIL_MOCK_PROVIDER=off, or VIGIL_HOST=127.0.0.1.',
    );
  }
  if (demo && !mockProvider) {
    problems.push('VIGIL_MOCK_PROVIDER: expected on with --demo, got off. Unset it, or leave --demo out.');
  }
  return problems;
}
