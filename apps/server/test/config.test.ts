import { expect, test } from 'vitest';
import { ConfigError, parseConfig } from '../src/config.ts';

function parse(env: Record<string, string>, args: string[] = []) {
  const config = parseConfig({ env, args, cwd: '/srv' });
  if (config === 'help') throw new Error('expected a configuration');
  return config;
}

function problemsOf(env: Record<string, string>, args: string[] = []): readonly string[] {
  try {
    parse(env, args);
  } catch (cause) {
    if (cause instanceof ConfigError) return cause.problems;
    throw cause;
  }
  return [];
}

test('[contract] the defaults are those of the contract', () => {
  expect(parse({})).toEqual({
    host: '127.0.0.1',
    port: 3000,
    dataDir: '/srv/.vigil',
    databaseUrl: null,
    agentsFile: null,
    mockProvider: false,
    features: { handoff: null, reported: null },
    stallAfterMs: 300_000,
    startTimeoutMs: 60_000,
    settleAfterMs: 2_000,
    idleStopAfterMs: undefined,
    logLevel: 'info',
    mode: 'production',
    demo: false,
  });
});

test('[contract] every variable is read, and an empty one says nothing', () => {
  const config = parse({
    PORT: '0',
    VIGIL_HOST: '::1',
    VIGIL_DATA_DIR: 'data',
    DATABASE_URL: 'postgres://u:p@db/vigil',
    VIGIL_AGENTS_FILE: 'agents.json',
    VIGIL_MOCK_PROVIDER: 'on',
    VIGIL_FEATURES_CLAUDE_BACKGROUND_PROMPT_HANDOFF: 'true',
    VIGIL_FEATURES_REPORTED_BACKGROUND_WORK: '0',
    VIGIL_STALL_AFTER: '1h',
    VIGIL_START_TIMEOUT: '1.5s',
    VIGIL_SETTLE_AFTER: '500ms',
    VIGIL_AUTH: '',
    LOG_LEVEL: 'debug',
  });
  expect(config).toMatchObject({
    port: 0,
    host: '::1',
    dataDir: '/srv/data',
    agentsFile: '/srv/agents.json',
    databaseUrl: 'postgres://u:p@db/vigil',
    mockProvider: true,
    features: { handoff: true, reported: false },
    stallAfterMs: 3_600_000,
    startTimeoutMs: 1_500,
    settleAfterMs: 500,
    logLevel: 'debug',
  });
});

test('[S34] the mock provider is on in development and in the demo, else off, and never beyond loopback', () => {
  expect(parse({ NODE_ENV: 'development' }).mockProvider).toBe(true);
  expect(parse({ NODE_ENV: 'production' }).mockProvider).toBe(false);
  expect(parse({}, ['--demo'])).toMatchObject({ mockProvider: true, demo: true });
  const [auth, mock] = problemsOf({ VIGIL_HOST: '0.0.0.0', VIGIL_MOCK_PROVIDER: 'on' });
  expect(auth).toContain('VIGIL_HOST');
  expect(mock).toContain('VIGIL_MOCK_PROVIDER');
  expect(problemsOf({ VIGIL_MOCK_PROVIDER: 'off' }, ['--demo'])).toHaveLength(1);
});

test('[contract] a host beyond loopback without authentication refuses to start', () => {
  for (const host of ['0.0.0.0', '::', '192.168.1.2', 'vigil.example']) {
    expect(problemsOf({ VIGIL_HOST: host })).toHaveLength(1);
  }
  for (const host of ['127.0.0.1', '127.1.2.3', '::1', 'localhost'])
    expect(problemsOf({ VIGIL_HOST: host })).toEqual([]);
});

test('[contract] a mistyped name is refused with the nearest one', () => {
  expect(problemsOf({ VIGIL_STAL_AFTER: '5m' })).toEqual([
    'VIGIL_STAL_AFTER: expected a name that Vigil knows, got this one. Did you mean VIGIL_STALL_AFTER? Correct it or unset it.',
  ]);
  for (const name of ['VIGIL_WHATEVER', 'VIGIL_FOO'])
    expect(problemsOf({ [name]: '1' })[0]).toContain('The names are PORT, VIGIL_HOST');
  expect(problemsOf({ VIGIL_INSTALL_BROWSER: '1', VIGILANT: '1' })).toEqual([]);
});

test.each([
  ['PORT', '65536'],
  ['PORT', 'http'],
  ['DATABASE_URL', 'mysql://u:secret@db'],
  ['VIGIL_MOCK_PROVIDER', 'yes'],
  ['VIGIL_STALL_AFTER', '5'],
  ['VIGIL_START_TIMEOUT', '0s'],
  ['VIGIL_SETTLE_AFTER', '-1s'],
  ['VIGIL_AUTH', 'on'],
  ['LOG_LEVEL', 'loud'],
])('[contract] %s=%s is refused: what was expected, what came, what to do', (name, value) => {
  const problems = problemsOf({ [name]: value });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(new RegExp(`^${name}: expected .+, got .+\\. .+`));
  expect(problems[0]).not.toContain('secret');
});

test('[contract] all that is wrong is said at once', () => {
  expect(problemsOf({ PORT: 'x', LOG_LEVEL: 'y', VIGIL_Z: '1' }, ['--dmeo', 'now'])).toHaveLength(5);
  expect(parseConfig({ env: { PORT: 'x' }, args: ['--help'], cwd: '/' })).toBe('help');
});
