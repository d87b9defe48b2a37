import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { type Server, startServer } from './server-process.ts';

// Calls every procedure of the contract on a real server with real mock agents. The shapes are the contract's, written
// down once more: fields may be added, none may be missing or of another type.

const time = z.iso.datetime();
const revision = z.int().nonnegative();
const activity = {
  foregroundActivity: z.enum(['generating', 'background']).nullable(),
  activeSubagentCount: z.int().nonnegative(),
  activityRevision: revision,
  liveness: z.enum(['live', 'unknown']),
};
const task = z.object({
  ...activity,
  id: z.string(),
  title: z.string(),
  description: z.string(),
  state: z.enum(['backlog', 'in_progress', 'review', 'done']),
  position: z.number(),
  parentId: z.string().nullable(),
  dependsOn: z.array(z.string()),
  archivedAt: time.nullable(),
  pendingPermission: z.boolean(),
  pendingClarification: z.boolean(),
  queuedPromptCount: z.int(),
  sessionIds: z.array(z.string()),
  createdAt: time,
  updatedAt: time,
});
const request = z.object({
  id: z.string(),
  kind: z.enum(['permission', 'clarification']),
  title: z.string(),
  detail: z.string().nullable(),
  askedBy: z.string().nullable(),
  options: z.array(z.object({ id: z.string(), kind: z.string(), label: z.string() })),
  schema: z.unknown(),
  createdAt: time,
});
const workload = z.object({
  id: z.string(),
  executionId: z.string(),
  kind: z.enum(['subagent', 'shell', 'monitor', 'other']),
  label: z.string(),
  detached: z.boolean(),
  source: z.enum(['reported', 'inferred']),
  startedAt: time,
  lastEvidenceAt: time,
  stoppable: z.boolean(),
});
const session = z.object({
  ...activity,
  id: z.string(),
  taskId: z.string(),
  agentId: z.string(),
  provider: z.string(),
  title: z.string(),
  cwd: z.string(),
  state: z.enum(['created', 'starting', 'running', 'waiting_for_input', 'idle', 'completed', 'failed', 'cancelled']),
  executionId: z.string().nullable(),
  policy: z.enum(['coarse', 'reported', 'fine']),
  reportsBackground: z.boolean().nullable(),
  mayWake: z.boolean(),
  awaitingFollowUp: z.boolean(),
  inputMode: z.enum(['direct', 'queue', 'unavailable']),
  inputReason: z.string().nullable(),
  autoRun: z.boolean(),
  cancellationPending: z.boolean(),
  pendingRequests: z.array(request),
  workloads: z.array(workload),
  stopReason: z.string().nullable(),
  error: z.string().nullable(),
});
const boot = { epoch: z.string(), revision };
const message = z.object({ id: z.string(), seq: z.int(), createdAt: time, kind: z.string() });
const queueEntry = z.object({ messageId: z.string(), text: z.string(), reason: z.string().nullable() });
const queue = z.object({ entries: z.array(queueEntry), autoRun: z.boolean() });
const submitted = z.object({
  outcome: z.enum(['dispatched', 'queued']),
  reason: z.string().nullable(),
  messageId: z.string(),
  epoch: z.string(),
  generation: z.int().nullable(),
});
const tornDown = z.object({
  outcome: z.enum(['retired', 'superseded', 'already_retired', 'unknown_execution']),
  cause: z.string().nullable(),
  endedAt: time.nullable(),
  released: z.boolean(),
});
const feature = z.object({
  key: z.string(),
  description: z.string(),
  risk: z.string(),
  source: z.enum(['env', 'override', 'default']),
  override: z.boolean().nullable(),
  effective: z.boolean(),
  restartToApply: z.boolean(),
});

let folder: string;
let server: Server;
const MOCK = { VIGIL_MOCK_PROVIDER: 'on', LOG_LEVEL: 'error' };
const api = () => server.client.api;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigil-contract-'));
  server = await startServer({ dataDir: folder, env: MOCK });
}, 60_000);

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

const read = async (sessionId: string) => (await api().session.get.query({ sessionId })).session;
const until = <T>(look: () => Promise<T>) => vi.waitFor(look, { timeout: 20_000, interval: 20 });
const inState = (sessionId: string, state: string) =>
  until(async () => {
    const shown = await read(sessionId);
    expect(shown.state).toBe(state);
    return shown;
  });
const refusal = (code: string, reason?: string) => ({ data: { code, ...(reason !== undefined && { reason }) } });

async function newSession(agentId = 'mock') {
  const { id: taskId } = await api().task.create.mutate({ title: 'A task' });
  return api().session.create.mutate({ taskId, agentId });
}

async function begun(text: string, agentId?: string) {
  const { id: sessionId } = await newSession(agentId);
  return { sessionId, sent: await api().session.submit.mutate({ sessionId, text, clientKey: 'first' }) };
}

/** With a script that does not end by itself. */
async function running(text: string) {
  const { sessionId, sent } = await begun(text);
  await inState(sessionId, 'running');
  return { sessionId, sent };
}

test('[contract] tasks: list, get, create, update, move, archive, unarchive, delete', async () => {
  const made = await api().task.create.mutate({ title: 'One', description: 'text' });
  task.parse(made);
  const other = await api().task.create.mutate({ title: 'Two', parentId: made.id, dependsOn: [made.id] });
  expect(task.parse(other)).toMatchObject({ parentId: made.id, dependsOn: [made.id], state: 'backlog' });
  task.parse(await api().task.update.mutate({ taskId: other.id, title: 'Three' }));
  const moved = await api().task.move.mutate({ taskId: other.id, state: 'review', position: 2 });
  expect(task.parse(moved)).toMatchObject({ title: 'Three', state: 'review', position: 2 });
  z.object({ ...boot, tasks: z.array(task) }).parse(await api().task.list.query({}));
  const { sessions } = z
    .object({ ...boot, task, sessions: z.array(session) })
    .parse(await api().task.get.query({ taskId: made.id }));
  expect(sessions).toEqual([]);
  expect(await api().task.archive.mutate({ taskId: other.id })).toEqual({ outcome: 'archived' });
  const { tasks } = await api().task.list.query({ archived: true });
  expect(tasks.map((one) => one.id)).toContain(other.id);
  expect(await api().task.unarchive.mutate({ taskId: other.id })).toEqual({ outcome: 'unarchived' });
  expect(await api().task.delete.mutate({ taskId: other.id })).toEqual({ outcome: 'deleted' });
  await expect(api().task.get.query({ taskId: other.id })).rejects.toMatchObject(refusal('NOT_FOUND'));
}, 60_000);

test('[contract, S80, S82] sessions and queues: submit, prompt, every verb of the queue, cancel', async () => {
  const { sessionId, sent } = await running('/wait 60s');
  expect(submitted.parse(sent)).toMatchObject({ outcome: 'dispatched', reason: null });
  const submit = (text: string) => api().session.submit.mutate({ sessionId, text, clientKey: text });
  const queued = await Promise.all(['/say a', '/say b', '/say c'].map(submit));
  for (const one of queued) expect(submitted.parse(one)).toMatchObject({ outcome: 'queued', generation: null });
  expect(await submit('/say a')).toMatchObject({ messageId: queued[0]?.messageId, outcome: 'queued' });
  const strict = api().session.prompt.mutate({ sessionId, text: '/say now' });
  await expect(strict).rejects.toMatchObject(refusal('CONFLICT', 'prompt_in_progress'));
  const [a = '', b = '', c = ''] = queued.map((one) => one.messageId);
  const verbs = api().queue;
  queue.parse(await verbs.list.query({ sessionId }));
  queue.parse(await verbs.setAutoRun.mutate({ sessionId, on: false }));
  queue.parse(await verbs.edit.mutate({ sessionId, messageId: a, text: '/say A' }));
  const partial = verbs.reorder.mutate({ sessionId, order: [c, a] });
  await expect(partial).rejects.toMatchObject(refusal('CONFLICT', 'queue_changed'));
  const order = queue.parse(await verbs.reorder.mutate({ sessionId, order: [c, a, b] }));
  expect(order).toMatchObject({
    autoRun: false,
    entries: [{ text: '/say c' }, { text: '/say A' }, { text: '/say b' }],
  });
  queue.parse(await verbs.remove.mutate({ sessionId, messageId: c }));
  const stale = verbs.sendNow.mutate({ sessionId, messageId: b, generation: (sent.generation ?? 0) + 1 });
  await expect(stale).rejects.toMatchObject(refusal('CONFLICT', 'turn_changed'));
  queue.parse(await verbs.sendNow.mutate({ sessionId, messageId: b, generation: sent.generation ?? undefined }));
  await inState(sessionId, 'waiting_for_input');
  await until(async () => {
    const { messages } = await api().session.messages.query({ sessionId });
    expect(messages.flatMap((one) => (one.kind === 'assistant' ? [one.text] : []))).toEqual(['b']);
  });
  expect(queue.parse(await verbs.clear.mutate({ sessionId })).entries).toEqual([]);
  const none = await api().session.cancel.mutate({ sessionId });
  expect(none).toEqual({ outcome: 'nothing_to_cancel' });
  submitted.parse(await api().session.prompt.mutate({ sessionId, text: '/wait 60s' }));
  expect(await api().session.cancel.mutate({ sessionId })).toEqual({ outcome: 'cancelling' });
  expect(await inState(sessionId, 'waiting_for_input')).toMatchObject({ stopReason: 'cancelled' });
  const page = z.object({ messages: z.array(message), nextBefore: z.int().nullable() });
  expect(page.parse(await api().session.messages.query({ sessionId, limit: 1 })).messages).toHaveLength(1);
  z.object({ ...boot, session, messages: z.array(message), queue }).parse(await api().session.get.query({ sessionId }));
}, 60_000);

test('[contract, S61] a wake-up goes in by the API, waits for people, and its key tells that a stop dropped it', async () => {
  const { sessionId } = await running('/wait 60s');
  const wake = { sessionId, text: '/say woken', clientKey: 'wake', origin: 'wakeup' } as const;
  expect(await api().session.submit.mutate(wake)).toMatchObject({ outcome: 'queued', reason: 'generating' });
  await api().session.submit.mutate({ sessionId, text: '/say human', clientKey: 'human' });
  const { entries } = await api().queue.list.query({ sessionId });
  expect(entries.map((one) => one.origin)).toEqual(['human', 'wakeup']);
  await api().session.stopAll.mutate({ sessionId });
  expect(await api().session.submit.mutate(wake)).toMatchObject({ outcome: 'queued', reason: 'dropped' });
  const left = await api().queue.list.query({ sessionId });
  expect(left).toMatchObject({ autoRun: false, entries: [{ text: '/say human' }] });
  expect(await read(sessionId)).toMatchObject({ state: 'idle', executionId: null, stopReason: 'interrupted' });
}, 60_000);

test('[contract, S131] stops one workload where its agent can, says why where not, and knows its own', async () => {
  const able = await begun('/shell build for 60s', 'mock-v2');
  const [shell] = z.array(workload).parse(
    await until(async () => {
      const { workloads } = await inState(able.sessionId, 'waiting_for_input');
      expect(workloads).toHaveLength(1);
      return workloads;
    }),
  );
  const at = { sessionId: able.sessionId, workloadId: shell?.id ?? '' };
  expect(shell?.stoppable).toBe(true);
  expect(await api().session.stopWorkload.mutate(at)).toEqual({ stopped: true, reason: null });
  await until(async () => expect((await read(able.sessionId)).workloads).toEqual([]));
  await expect(api().session.stopWorkload.mutate(at)).rejects.toMatchObject(refusal('NOT_FOUND'));
  const unable = await begun('/shell build for 60s');
  const { workloads } = await inState(unable.sessionId, 'waiting_for_input');
  const [inferred] = workloads;
  const answer = await api().session.stopWorkload.mutate({
    sessionId: unable.sessionId,
    workloadId: inferred?.id ?? '',
  });
  expect(answer).toMatchObject({ stopped: false, reason: expect.stringMatching(/no way to stop/) });
  expect(inferred?.stoppable).toBe(false);
  expect((await read(unable.sessionId)).workloads).toHaveLength(1);
  session.parse(await api().session.stopAll.mutate({ sessionId: unable.sessionId }));
  expect((await read(unable.sessionId)).workloads).toEqual([]);
}, 60_000);

test('[contract, S65] a cancelled turn leaves no card open, with a real agent', async () => {
  const { sessionId } = await running('/tool Build for 60s');
  await until(async () => {
    const { messages } = await api().session.get.query({ sessionId });
    expect(messages.some((one) => one.kind === 'tool')).toBe(true);
  });
  await api().session.cancel.mutate({ sessionId });
  await inState(sessionId, 'waiting_for_input');
  const { messages } = await api().session.get.query({ sessionId });
  for (const one of messages) if (one.kind === 'tool') expect(one.endedAt).not.toBeNull();
}, 60_000);

test('[contract, S132] a permission is asked, shown and answered', async () => {
  const { sessionId } = await running('/permission Write\n/say done');
  const [asked] = await until(async () => {
    const { pendingRequests } = await read(sessionId);
    expect(pendingRequests).toHaveLength(1);
    return z.array(request).parse(pendingRequests);
  });
  const requestId = asked?.id ?? '';
  const outcome = { optionId: asked?.options[0]?.id ?? '' };
  expect(await api().session.respond.mutate({ sessionId, requestId, outcome })).toEqual({ outcome: 'answered' });
  await inState(sessionId, 'waiting_for_input');
}, 60_000);

test('[contract, S112, S113, S114] teardown tells its facts, touches no successor, and a session is deleted', async () => {
  const { sessionId } = await begun('/shell build for 60s');
  const first = await inState(sessionId, 'waiting_for_input');
  const executionId = first.executionId ?? '';
  const { teardown } = api().session;
  const told = tornDown.parse(await teardown.mutate({ sessionId, executionId, cause: 'completed' }));
  expect(told).toMatchObject({ outcome: 'retired', cause: 'completed', released: true });
  expect(await read(sessionId)).toMatchObject({ state: 'completed', executionId: null, workloads: [] });
  await api().session.submit.mutate({ sessionId, text: '/subagent sub for 60s\n/wait 60s', clientKey: 'second' });
  const before = await until(async () => {
    const shown = await inState(sessionId, 'running');
    expect(shown.activeSubagentCount).toBe(1);
    return shown;
  });
  const late = tornDown.parse(await teardown.mutate({ sessionId, executionId, cause: 'failed' }));
  expect(late).toEqual({ ...told, outcome: 'already_retired', released: false });
  const after = await read(sessionId);
  for (const one of [before, after]) for (const work of one.workloads) work.lastEvidenceAt = '';
  expect(after).toEqual(before);
  const unknown = { outcome: 'unknown_execution', cause: null, endedAt: null, released: false };
  expect(tornDown.parse(await teardown.mutate({ sessionId, executionId: 'never' }))).toEqual(unknown);
  expect(await api().session.delete.mutate({ sessionId })).toEqual({ outcome: 'deleted' });
  await expect(api().session.get.query({ sessionId })).rejects.toMatchObject(refusal('NOT_FOUND'));
}, 60_000);

test('[contract] snapshots, agents, settings and the server tell of themselves', async () => {
  const snapshot = { ...boot, type: z.literal('snapshot'), tasks: z.array(task), sessions: z.array(session) };
  z.object(snapshot).parse(await api().activity.get.query({}));
  const agent = { id: z.string(), provider: z.string(), label: z.string(), available: z.boolean() };
  const agents = z.array(z.object({ ...agent, reason: z.string().nullable() })).parse(await api().agent.list.query());
  const builtIn = ['claude-acp', 'codex-acp', 'opencode', 'gemini', 'qwen', 'hermes', 'mock', 'mock-v2', 'mock-hermes'];
  expect(agents.map((one) => one.id)).toEqual(expect.arrayContaining(builtIn));
  const settings = await api().settings.get.query();
  expect(await api().settings.update.mutate({ confirmArchive: !settings.confirmArchive })).not.toEqual(settings);
  const info = { version: z.string(), epoch: z.string(), database: z.literal('embedded') };
  z.object({ ...info, cluster: z.unknown() }).parse(await api().server.info.query());
});

test('[contract, S71, S76] an override is stored, applies after a restart, and the environment beats it', async () => {
  const key = 'features.claudeBackgroundPromptHandoff';
  const find = (all: unknown) =>
    z
      .array(feature)
      .parse(all)
      .find((one) => one.key === key) ?? expect.unreachable('it is listed');
  expect(find(await api().feature.list.query())).toMatchObject({ source: 'default', effective: false, risk: 'high' });
  await expect(api().feature.override.mutate({ key: 'features.nope', on: true })).rejects.toMatchObject(
    refusal('NOT_FOUND'),
  );
  await expect(api().feature.override.mutate({ key: '__proto__', on: true })).rejects.toMatchObject(
    refusal('NOT_FOUND'),
  );
  const stored = find(await api().feature.override.mutate({ key, on: true }));
  expect(stored).toMatchObject({ source: 'default', override: true, effective: false, restartToApply: true });
  const { id: sessionId } = await newSession();
  expect((await read(sessionId)).policy).toBe('coarse');
  await reboot(MOCK);
  const applied = find(await api().feature.list.query());
  expect(applied).toMatchObject({ source: 'override', override: true, effective: true, restartToApply: false });
  expect((await read(sessionId)).policy).toBe('fine');
  await reboot({ ...MOCK, VIGIL_FEATURES_CLAUDE_BACKGROUND_PROMPT_HANDOFF: 'false' });
  const killed = find(await api().feature.list.query());
  expect(killed).toMatchObject({ source: 'env', override: true, effective: false });
  expect((await read(sessionId)).policy).toBe('coarse');
  expect(find(await api().feature.override.mutate({ key, on: null }))).toMatchObject({ override: null });
}, 120_000);

/** Another life on the same folder. */
async function reboot(env: Record<string, string>): Promise<void> {
  const exit = once(server.process, 'exit');
  await server.stop();
  await exit;
  server = await startServer({ dataDir: folder, env });
}
