import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Fields, isFields, pick } from '../src/json.ts';
import { type MockOptions, startMock } from './mock-process.ts';
import { kindOf, shape } from './shape.ts';

const RECORDINGS = new URL('../../acp/recordings/', import.meta.url);

/** All that agents sent in the recordings of these folders: of each kind of frame every path and type that it had. */
function seen(folders: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const kinds = new Map<string, Set<string>>();
  for (const folder of folders) {
    const url = new URL(`${folder}/`, RECORDINGS);
    for (const name of readdirSync(url).filter((file) => file.endsWith('.ndjson'))) {
      for (const frame of framesOf(readFileSync(new URL(name, url), 'utf8'))) {
        const paths = kinds.get(kindOf(frame)) ?? new Set();
        for (const path of pathsOf(frame)) paths.add(path);
        kinds.set(kindOf(frame), paths);
      }
    }
  }
  return kinds;
}

function framesOf(text: string): readonly Fields[] {
  const lines = text.split('\n').filter((line) => line !== '');
  const records = lines.map((line): unknown => JSON.parse(line));
  const sent = records.filter((record) => pick(record, 'dir') === 'agent->client');
  return sent.map((record) => pick(record, 'frame')).filter(isFields);
}

/** What a tool is given and gives back is the tool's own. Ids are numbers or texts as the peer likes. */
const FREE = /\.(rawInput|rawOutput|toolResponse)\b|^\.id:|^\.params\.requestedSchema/;

function pathsOf(frame: Fields): readonly string[] {
  return shape(frame).filter((path) => !FREE.test(path));
}

/** A list that is empty is one of those that have items. */
function isOf(recorded: ReadonlySet<string> | undefined, path: string): boolean {
  if (recorded === undefined) return false;
  return recorded.has(path) || (path.endsWith('[]') && [...recorded].some((one) => one.startsWith(path)));
}

const SCRIPT = [
  '/say text',
  '/think thought',
  '/plan one; two',
  '/tool works for 1ms',
  '/tool breaks for 1ms fails',
  '/permission p',
  '/shell s for 20ms',
  '/subagent f foreground',
  '/subagent a for 20ms',
  '/monitor m every 20ms for 30ms',
  '/wait 60ms',
];

/** Every kind of frame that the dialect sends, with all its paths. */
async function sentBy(dialect: string, options: MockOptions): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const mock = await startMock(dialect, options);
  await mock.prompt(...SCRIPT);
  if (dialect !== 'generic') await Promise.all(['s', 'a', 'm'].map((work) => mock.says(`woken by ${work}`)));
  await mock.prompt('/end');
  const kinds = new Map<string, Set<string>>();
  for (const frame of mock.frames) {
    const paths = kinds.get(kindOf(frame)) ?? new Set();
    for (const path of pathsOf(frame)) paths.add(path);
    kinds.set(kindOf(frame), paths);
  }
  await mock[Symbol.asyncDispose]();
  return kinds;
}

/** Kinds that no recording has; `sdk.test.ts` holds them to the protocol's own schema. */
const BY_PROTOCOL = new Set(['agent_thought_chunk', 'plan', 'plan_update'].map((kind) => `session/update ${kind}`));

const RAW = { session: { _meta: { claudeCode: { emitRawSDKMessages: true } } } };
const CHILDREN = { initialize: { clientCapabilities: { subagents: {}, _meta: { terminal_output: true } } } };
const OPTED_IN = { initialize: { clientCapabilities: { _meta: { 'hermes-agent': { stateUpdate: 1 } } } } };
const UNATTESTED = ['gemini-0.61/v1', 'opencode-1.18/v1', 'qwen-0.15/v1'];

interface Case {
  readonly name: string;
  readonly dialect: string;
  readonly options: MockOptions;
  readonly folders: readonly string[];
}

const CASES: readonly Case[] = [
  { name: 'claude-v1', dialect: 'claude-v1', options: {}, folders: ['claude-0.101/v1'] },
  {
    name: 'claude-v1 with child sessions',
    dialect: 'claude-v1',
    options: CHILDREN,
    folders: ['claude-0.101/v1-subagents'],
  },
  { name: 'claude-v1-raw', dialect: 'claude-v1-raw', options: RAW, folders: ['claude-0.101/v1-raw'] },
  { name: 'acp-v2', dialect: 'acp-v2', options: {}, folders: ['claude-0.101/v2'] },
  { name: 'hermes', dialect: 'hermes', options: OPTED_IN, folders: ['conformance/hermes-v1', ...UNATTESTED] },
  { name: 'generic', dialect: 'generic', options: {}, folders: UNATTESTED },
];

test.each(CASES)('[S34] sends as $name no frame, and no field of one, that no recording has', async (given) => {
  const recorded = seen(given.folders);
  const sent = await sentBy(given.dialect, given.options);
  const kinds = [...sent].filter(([kind]) => !BY_PROTOCOL.has(kind));
  const strange = kinds.flatMap(([kind, paths]) =>
    [...paths].filter((path) => !isOf(recorded.get(kind), path)).map((path) => `${kind} ${path}`),
  );

  expect(kinds.length).toBeGreaterThan(4);
  expect(strange).toEqual([]);
});
