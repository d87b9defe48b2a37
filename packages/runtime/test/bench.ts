import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentLaunch, openAgent } from '@vigil/acp';
import type { Database } from '@vigil/db';
import { openTestDatabase } from '@vigil/db/testing';
import { mockAgentPath, releaseGate } from '@vigil/mock-agent';
import {
  type ActivityEvent,
  type AgentRegistry,
  createVigil,
  type Log,
  type Message,
  type RunningVigil,
  type Session,
  type SessionState,
  type VigilDeps,
} from '../src/index.ts';
import { type Lifeline, lifelineTo } from './lifeline.ts';

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };
const loud: Log = {
  debug: (data, message) => process.stderr.write(`debug ${message} ${JSON.stringify(data)}\n`),
  info: (data, message) => process.stderr.write(`info ${message} ${JSON.stringify(data)}\n`),
  warn: (data, message) => process.stderr.write(`warn ${message} ${JSON.stringify(data)}\n`),
  error: (data, message) =>
    process.stderr.write(`error ${message} ${JSON.stringify(data)} ${String('err' in data && data.err)}\n`),
};

/** A Vigil on a real database with real mock agents. */
export interface Bench {
  readonly vigil: RunningVigil;
  readonly database: Database;
  readonly deps: VigilDeps;
  /** Lets a mock agent go on that waits at this gate. */
  release(name: string): Promise<number>;
  /** A session of a new task. */
  session(agentId?: string): Promise<Session>;
  /** Resolves with the public session once it is as asked. */
  until(sessionId: string, is: SessionState | ((session: Session) => boolean)): Promise<Session>;
  /** Resolves with the messages once they are as asked. */
  transcript(sessionId: string, has: (messages: Message[]) => boolean): Promise<Message[]>;
  /** The same database, another boot. The first life is left as it is, and can write nothing any more. */
  restart(): Promise<Bench>;
  close(): Promise<void>;
}

export interface BenchOptions {
  readonly database?: Database;
  readonly deps?: Partial<VigilDeps>;
  readonly config?: Partial<VigilDeps['config']>;
}

/** Mock agents of three dialects, and one whose command does not exist. */
function registryOf(folder: string): AgentRegistry {
  const mock = (agentId: string, dialect: string): AgentLaunch => ({
    agentId,
    provider: 'mock',
    command: process.execPath,
    args: [mockAgentPath()],
    env: { MOCK_AGENT_DIALECT: dialect, MOCK_AGENT_CONTROL_DIR: folder, MOCK_AGENT_STATE_DIR: join(folder, 'state') },
    cwd: folder,
  });
  const launches = new Map<string, AgentLaunch>([
    ['mock', mock('mock', 'claude-v1')],
    ['mock-v2', mock('mock-v2', 'acp-v2')],
    ['mock-hermes', mock('mock-hermes', 'hermes')],
    ['plain', { ...mock('plain', 'generic'), provider: 'generic' }],
    ['missing', { ...mock('missing', 'claude-v1'), command: '/does/not/exist' }],
  ]);
  return {
    list: () =>
      [...launches.values()].map(({ agentId: id, provider }) => ({
        id,
        provider,
        label: id,
        available: true,
        reason: null,
      })),
    launch: (agentId) => {
      const launch = launches.get(agentId);
      return launch === undefined ? { launch: null, reason: `no agent ${agentId} is configured` } : { launch };
    },
  };
}

export async function startBench(options: BenchOptions = {}): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-runtime-'));
  const database = options.database ?? (await openTestDatabase());
  const deps: VigilDeps = {
    database,
    agents: registryOf(folder),
    openAgent,
    log: process.env.VIGIL_TEST_LOG === undefined ? silent : loud,
    now: Date.now,
    version: 'test',
    ...options.deps,
    config: {
      settleAfterMs: 50,
      startTimeoutMs: 10_000,
      stallAfterMs: 300_000,
      features: { handoff: null, reported: null },
      mockProvider: true,
      defaultCwd: folder,
      ...options.config,
    },
  };
  return live(deps, folder);
}

async function live(deps: VigilDeps, folder: string): Promise<Bench> {
  const lifeline = lifelineTo(deps.database);
  const vigil = await createVigil({ ...deps, database: lifeline.database });
  return benchOf(vigil, { deps, folder, lifeline });
}

function benchOf(
  vigil: RunningVigil,
  { deps, folder, lifeline }: { deps: VigilDeps; folder: string; lifeline: Lifeline },
): Bench {
  const bench: Bench = {
    vigil,
    database: deps.database,
    deps,
    release: (name) => releaseGate(folder, name),
    async session(agentId = 'mock') {
      const task = await vigil.createTask({ title: 'A task' });
      return vigil.createSession({ taskId: task.id, agentId });
    },
    until: (sessionId, is) => until(vigil, sessionId, typeof is === 'string' ? (session) => session.state === is : is),
    transcript: (sessionId, has) => transcript(vigil, sessionId, has),
    restart() {
      lifeline.cut();
      return live(deps, folder);
    },
    async close() {
      await vigil.close();
      await deps.database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return bench;
}

async function until(vigil: RunningVigil, sessionId: string, is: (session: Session) => boolean): Promise<Session> {
  const leave = new AbortController();
  try {
    for await (const { event } of vigil.watchSession({ sessionId, signal: leave.signal })) {
      if ((event.type === 'snapshot' || event.type === 'session') && is(event.session)) return event.session;
    }
  } finally {
    leave.abort();
  }
  throw new Error('the stream ended before the session was as asked');
}

async function transcript(
  vigil: RunningVigil,
  sessionId: string,
  has: (messages: Message[]) => boolean,
): Promise<Message[]> {
  const leave = new AbortController();
  const messages = new Map<string, Message>();
  const shown = () => [...messages.values()].sort((a, b) => a.seq - b.seq);
  try {
    for await (const { event } of vigil.watchSession({ sessionId, signal: leave.signal })) {
      if (event.type === 'snapshot') for (const message of event.messages) messages.set(message.id, message);
      if (event.type === 'message') messages.set(event.message.id, event.message);
      if (event.type === 'message.appended') {
        const old = messages.get(event.messageId);
        if (old === undefined || !('text' in old) || old.text.length !== event.offset)
          throw new Error('a gap in the text');
        messages.set(old.id, { ...old, text: old.text + event.text } as Message);
      }
      if (has(shown())) return shown();
    }
  } finally {
    leave.abort();
  }
  throw new Error('the stream ended before the transcript was as asked');
}

/** Collects the activity stream until told to stop. */
export function collect(vigil: RunningVigil, options: { taskId?: string; lastEventId?: string } = {}) {
  const leave = new AbortController();
  const events: { id: string; event: ActivityEvent }[] = [];
  const done = (async () => {
    for await (const one of vigil.watchActivity({ ...options, signal: leave.signal })) events.push(one);
  })();
  return {
    events,
    async stop() {
      leave.abort();
      await done;
      return events.map((one) => one.event);
    },
  };
}
