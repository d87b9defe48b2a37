import type { PromptRow } from '@vigil/db';
import type { Session } from '../../src/index.ts';
import type { Entry } from './ledger.ts';
import type { BoardReader, SessionReader } from './reader.ts';
import { mayChange, wrongInSession, wrongInTask } from './readings.ts';
import type { World } from './world.ts';

// What must hold when everything has come to rest and the database takes what it is given.

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

export interface Readers {
  readonly boards: readonly BoardReader[];
  readonly sessions: readonly SessionReader[];
}

/** Compares memory, database, readers and what senders were told. `final`: nothing may be on its way any more. */
export async function audit(world: World, readers: Readers, final: boolean): Promise<void> {
  const { vigil } = world;
  const archived = await vigil.listTasks({ archived: true });
  const tasks = [...archived.tasks, ...(await vigil.listTasks({})).tasks];
  const known = new Set<string>();
  for (const task of tasks) {
    const { sessions } = await vigil.getTask(task.id);
    for (const wrong of wrongInTask(task, sessions)) world.violations.push(wrong);
    const row = world.store.tasks.get(task.id);
    const stored = row && { title: row.title, state: row.state, position: row.position, archivedAt: row.archivedAt };
    const { title, state, position, archivedAt } = task;
    if (!same(stored, { title, state, position, archivedAt })) {
      world.fail('S142', `task ${state} ${position} ${archivedAt} is stored as ${JSON.stringify(stored)}`);
    }
    for (const session of sessions) {
      known.add(session.id);
      if (task.archivedAt !== null && session.executionId !== null)
        world.fail('W4, S114', `a session of an archived task has an execution: ${JSON.stringify(session)}`);
      await auditSession(world, session, { final, archived: task.archivedAt !== null });
    }
  }
  for (const id of world.store.sessions.keys())
    if (!known.has(id)) world.fail('S142', `session ${id} is stored and not known`);
  for (const id of world.store.tasks.keys())
    if (!tasks.some((task) => task.id === id)) world.fail('S142', `task ${id} is stored and not known`);
  for (const { from, to } of world.store.transitions)
    if (!mayChange(from, to)) world.fail('S11', `a session went from ${from} to ${to}`);
  auditReaders(world, readers);
  for (const entry of world.ledger.entries) auditEntry(world, entry, final);
}

async function auditSession(world: World, session: Session, how: { final: boolean; archived: boolean }): Promise<void> {
  const { store } = world;
  for (const wrong of wrongInSession(session)) world.violations.push(wrong);
  const row = store.sessions.get(session.id);
  const part = ({
    state,
    executionId,
    stopReason,
    error,
    autoRun,
    title,
  }: Omit<Session, never> | NonNullable<typeof row>) => ({
    ...{ state, executionId, stopReason, error, autoRun, title },
  });
  if (row === undefined || !same(part(row), part(session)))
    world.fail('S142', `session ${JSON.stringify(part(session))} is stored as ${JSON.stringify(row && part(row))}`);
  const open = [...store.executions.values()].filter((one) => one.sessionId === session.id && one.endedAt === null);
  // The row of one that would not end yet stays open, so that a next life looks for it.
  const ending = (id: string) =>
    id !== session.executionId && world.processes.some((one) => one.alive && one.options.executionId === id);
  const lives = open.map((one) => one.id).filter((id) => !ending(id));
  if (session.liveness === 'live' && !same(lives, session.executionId === null ? [] : [session.executionId]))
    world.fail('S142', `execution ${session.executionId} of ${session.state} is stored as ${lives}`);
  const asked = [...store.requests.values()].filter((one) => one.sessionId === session.id && one.resolvedAt === null);
  if (!same(asked.map((one) => one.id).sort(), session.pendingRequests.map((one) => one.id).sort()))
    world.fail('S132', `requests ${session.pendingRequests.length} are stored as ${asked.length}`);
  await auditQueue(world, session, how);
  await auditTranscript(world, session);
}

async function auditQueue(world: World, session: Session, how: { final: boolean; archived: boolean }): Promise<void> {
  const { entries, autoRun } = await world.vigil.listQueue(session.id);
  const rank = (row: PromptRow) => (row.origin === 'human' ? 0 : 1);
  const ageAndId = (row: PromptRow) => `${row.createdAt} ${row.id}`;
  const rows = [...world.store.prompts.values()].filter((row) => row.sessionId === session.id);
  const queued = rows
    .filter((row) => row.status === 'queued')
    .sort((a, b) => rank(a) - rank(b) || a.position - b.position || (ageAndId(a) < ageAndId(b) ? -1 : 1));
  const shown = entries.map((one) => [one.messageId, one.text]);
  // A boot leaves the backlog of archived tasks where it is.
  if (
    !same(
      queued.map((row) => [row.id, row.text]),
      shown,
    ) &&
    !(how.archived && shown.length === 0)
  )
    world.fail('S81, S142', `queue ${JSON.stringify(shown)} is stored as ${JSON.stringify(queued)}`);
  const open = world.processes.flatMap((one) => (one.alive ? one.openPrompts : [])).map((one) => one.text);
  const reserved = rows.filter((row) => row.status === 'reserved' && !open.includes(row.text));
  if (reserved.length > 0 && session.state !== 'starting')
    world.fail('S81', `reserved and not at work: ${JSON.stringify(reserved)}`);
  auditClaim(world, session, { reserved: rows.some((row) => row.status === 'reserved') });
  // Whoever was refused, nobody is sent until the provider tells that it is idle (S83).
  const busy = entries.some((one) => one.reason === 'provider_busy');
  const drains = autoRun && entries.length > 0 && session.inputMode === 'direct' && !busy && !how.archived;
  if (drains) world.fail('S81', `${entries.length} wait for a session that is free: ${JSON.stringify(session)}`);
}

/** At rest a session starts for a prompt whose row says so: else nobody would ever give its claim back (S55). */
function auditClaim(world: World, session: Session, { reserved }: { reserved: boolean }): void {
  if (session.state === 'starting' && !reserved)
    world.fail('S55', `starts with nothing that is on its way: ${JSON.stringify(session)}`);
}

async function auditTranscript(world: World, session: Session): Promise<void> {
  const { messages } = await world.ask(world.vigil.getSession(session.id));
  const rows = [...(world.store.messages.get(session.id)?.values() ?? [])].sort((a, b) => a.seq - b.seq);
  const stored = rows.slice(-200).map((row) => [row.id, row.seq, row.kind, (row.payload as { text?: string }).text]);
  const shown = messages.map((one) => [one.id, one.seq, one.kind, 'text' in one ? one.text : undefined]);
  const only = (some: unknown[][], others: unknown[][]) =>
    JSON.stringify(some.filter((one, at) => !same(one, others[at])).slice(0, 3));
  if (!same(stored, shown)) world.fail('S142', `transcript ${only(shown, stored)} is stored as ${only(stored, shown)}`);
  const seqs = new Set(messages.map((one) => one.seq));
  if (seqs.size !== messages.length) world.fail('S64', 'two messages have one place');
}

/** Times of evidence may be newer than what was published (S21). */
function comparable(session: Session | undefined): unknown {
  return session && { ...session, workloads: session.workloads.map((one) => ({ ...one, lastEvidenceAt: '' })) };
}

function auditReaders(world: World, readers: Readers): void {
  const { sessions, tasks } = world.vigil.activitySnapshot();
  for (const reader of readers.boards) {
    for (const session of sessions) {
      const seen = comparable(reader.sessions.get(session.id));
      if (!same(seen, comparable(session)))
        world.fail('W5, S104', `a reader has ${JSON.stringify(seen)} of ${JSON.stringify(session)}`);
    }
    for (const task of tasks) {
      const seen = reader.tasks.get(task.id);
      if (!same(seen, task)) world.fail('W5, S104', `a reader has ${JSON.stringify(seen)} of ${JSON.stringify(task)}`);
    }
  }
  for (const reader of readers.sessions) {
    const session = sessions.find((one) => one.id === reader.sessionId);
    if (reader.over || reader.session === null || session === undefined) continue;
    if (!same(comparable(reader.session), comparable(session)))
      world.fail('W5', `a reader has ${JSON.stringify(reader.session)} of ${JSON.stringify(session)}`);
    if (reader.queue?.entries.length !== session.queuedPromptCount)
      world.fail('W5', `a reader has queue ${JSON.stringify(reader.queue)} of ${session.queuedPromptCount}`);
  }
}

/** Delivered once, or in the queue, or refused to its sender (S80): never more than one of these, never none. */
function auditEntry(world: World, entry: Entry, final: boolean): void {
  const rows = [...world.store.prompts.values()].filter((row) => world.ledger.byText(row.text) === entry);
  const gone = !world.store.sessions.has(entry.sessionId);
  const told = `"${entry.text}" ${JSON.stringify({ ...entry, excuses: [...entry.excuses], rows: rows.map((row) => row.status) })}`;
  if (rows.length > 1) world.fail('S80', `stored twice: ${told}`);
  if (final && entry.pending > 0) world.fail('S80', `never answered: ${told}`);
  if (gone || entry.pending > 0) return;
  const [row] = rows;
  const promised = entry.promised > 0;
  if (promised && row !== undefined) world.reached.add(`promised and ${row.status}`);
  if (!promised && !entry.unsure && row !== undefined && entry.key !== null)
    world.fail('S80', `refused and kept: ${told}`);
  if (!promised && !entry.unsure && entry.takes > 0) world.fail('S80', `refused and taken: ${told}`);
  if (!promised) return;
  if (row === undefined) {
    world.fail('S80', `taken and lost: ${told}`);
    return;
  }
  if (row.status === 'queued' || row.status === 'reserved') {
    if (entry.takes > entry.unrecorded) world.fail('S56', `taken and kept: ${told}`);
    if (final && row.status === 'reserved') world.fail('S81', `stays reserved: ${told}`);
    return;
  }
  if (row.status === 'delivered' && entry.takes === 0) {
    if (entry.writes === 0 || !entry.excuses.has('stopped')) world.fail('S80', `delivered to nobody: ${told}`);
    entry.abandoned = true;
    world.reached.add('abandoned');
  }
  if (row.status === 'dropped' && entry.takes > entry.unrecorded) world.fail('S80', `taken and dropped: ${told}`);
  const excused = entry.excuses.has('removed') || entry.excuses.has('stopped') || entry.key === null;
  if (row.status === 'dropped' && !excused) world.fail('S80', `dropped by nobody: ${told}`);
  if (row.status === 'refused') world.fail('S80', `promised and refused: ${told}`);
}
