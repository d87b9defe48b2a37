// Hard cases over a real server: its process, mock agents as processes, its streams.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ActivityEvent,
  type ActivityView,
  acceptActivity,
  EMPTY_ACTIVITY,
  type Session,
  type Task,
} from '@vigil/client';
import { mockAgentPath, releaseGate } from '@vigil/mock-agent';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Server, startServer } from './server-process.ts';

const gates = mkdtempSync(join(tmpdir(), 'vigil-gates-'));
let server: Server;

beforeAll(async () => {
  const mock = (dialect: string) => ({
    provider: 'mock',
    command: process.execPath,
    args: [mockAgentPath()],
    env: { MOCK_AGENT_CONTROL_DIR: gates, MOCK_AGENT_DIALECT: dialect },
  });
  server = await startServer({
    agents: {
      mock: mock('claude-v1'),
      'mock-v2': mock('acp-v2'),
      claude: { ...mock('claude-v1'), provider: 'claude-acp' },
    },
    env: { VIGIL_MOCK_PROVIDER: 'on', LOG_LEVEL: 'error' },
  });
}, 60_000);

afterAll(async () => {
  await server.stop();
  rmSync(gates, { recursive: true, force: true });
});

/** A task, its stream, and what is seen of it. */
class Watched implements AsyncDisposable {
  readonly events: ActivityEvent[] = [];
  readonly taskId: string;
  readonly #watch;
  #count = 0;

  private constructor(taskId: string) {
    this.taskId = taskId;
    this.#watch = server.watch(taskId, (event) => this.events.push(event));
  }

  static async start(): Promise<Watched> {
    return new Watched((await server.client.api.task.create.mutate({ title: 'A hard case' })).id);
  }

  async session(agentId = 'mock'): Promise<string> {
    return (await server.client.api.session.create.mutate({ taskId: this.taskId, agentId })).id;
  }

  submit(sessionId: string, ...lines: string[]) {
    this.#count += 1;
    const clientKey = `${sessionId}-${this.#count}`;
    return server.client.api.session.submit.mutate({ sessionId, text: lines.join('\n'), clientKey });
  }

  /** The session as the stream shows it, once it is as asked. */
  until(sessionId: string, is: (session: Session) => boolean): Promise<Session> {
    return this.#watch.until(({ view }) => {
      const session = view.sessions.get(sessionId);
      return session !== undefined && is(session) ? session : undefined;
    });
  }

  /** States and tiers of a session in the order in which they were published, from the given event on. */
  readings(sessionId: string, from = 0): [string, string | null][] {
    const own = this.events
      .slice(from)
      .flatMap((event) => ('session' in event && event.sessionId === sessionId ? [event] : []));
    const all = own.map(({ state, foregroundActivity }): [string, string | null] => [state, foregroundActivity]);
    return all.filter((one, at) => at === 0 || one.join() !== all[at - 1]?.join());
  }

  /** The task as the stream shows it, once it is as asked. */
  shows(is: (task: Task) => boolean): Promise<Task> {
    return this.#watch.until(({ view }) => {
      const task = view.tasks.get(this.taskId);
      return task !== undefined && is(task) ? task : undefined;
    });
  }

  /** Tiers of the task in the order in which they were published. */
  tiers(): (string | null)[] {
    return this.events.flatMap((event) => ('task' in event ? [event.task.foregroundActivity] : []));
  }

  revisions(): number[] {
    return this.events.map(({ revision }) => revision);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#watch.stop();
    await server.client.api.task.delete.mutate({ taskId: this.taskId });
  }
}

async function said(sessionId: string): Promise<string[]> {
  const { messages } = await server.client.api.session.get.query({ sessionId });
  return messages.flatMap((one) => (one.kind === 'assistant' ? [one.text] : []));
}

const isFree = (session: Session): boolean => session.state === 'waiting_for_input';
const grows = (numbers: number[]): boolean => numbers.every((one, at) => at === 0 || one > (numbers[at - 1] ?? 0));

describe('over real streams', () => {
  test('[S12] [S58] hard case 4: a finaliser armed for the first turn does not end the second', async () => {
    await using task = await Watched.start();
    const [one, other] = [await task.session('claude'), await task.session('claude')];
    /** Detached work has ended and its wake does not come: the time is running that ends the wait for it. */
    const arm = async (sessionId: string, name: string) => {
      await task.submit(sessionId, `/shell ${name} until released`, `/linger ${name}`);
      await task.until(sessionId, (session) => isFree(session) && session.workloads.length === 1);
      await releaseGate(gates, name);
      await task.until(sessionId, (session) => isFree(session) && session.awaitingFollowUp);
    };
    await arm(one, 'four');
    const from = task.events.length;
    const { generation } = await task.submit(one, '/wait until released four-turn', '/say the second');
    // Armed after the first, so that its firing tells that the first one's time is over as well.
    await arm(other, 'four-other');
    await task.until(other, (session) => isFree(session) && !session.awaitingFollowUp);

    expect(await task.until(one, (session) => session.state === 'running')).toMatchObject({ generation });
    await releaseGate(gates, 'four-turn');
    await task.until(one, isFree);
    expect(task.readings(one, from)).toEqual([
      ['running', 'generating'],
      ['waiting_for_input', null],
    ]);
    expect(await said(one)).toEqual(['the second']);
  }, 60_000);

  test('[S4] [S131] hard case 14: output with no prompt open generates again, is stopped, and settles again', async () => {
    await using task = await Watched.start();
    const session = await task.session();
    await task.submit(session, '/shell fourteen until released', '/linger fourteen', '/say answered');
    await task.until(session, (one) => isFree(one) && one.workloads.length === 1);
    await releaseGate(gates, 'fourteen');
    await releaseGate(gates, 'fourteen.wakes');
    const woken = await task.until(session, (one) => one.state === 'running');
    expect(woken).toMatchObject({ foregroundActivity: 'generating', inputMode: 'queue' });
    expect(await server.client.api.session.cancel.mutate({ sessionId: session })).toEqual({ outcome: 'cancelling' });
    const settled = await task.until(session, isFree);

    expect(settled).toMatchObject({ stopReason: 'cancelled', foregroundActivity: null, inputMode: 'direct' });
    expect(task.readings(session).slice(-3)).toEqual([
      ['waiting_for_input', null],
      ['running', 'generating'],
      ['waiting_for_input', null],
    ]);
    expect(await said(session)).toEqual(['answered', 'woken by fourteen']);
    expect(grows(task.revisions())).toBe(true);
  }, 60_000);

  test('[S92] [S93] hard case 20: a task follows every settle, also when a successor starts in the same breath', async () => {
    await using task = await Watched.start();
    const [one, other] = [await task.session(), await task.session()];
    await task.submit(other, '/wait until released twenty-other');
    await task.submit(one, '/wait until released twenty-one');
    const { executionId } = await task.until(one, (session) => session.state === 'running');
    await task.until(other, (session) => session.state === 'running');
    await task.submit(one, '/wait until released twenty-two');

    const teardown = { sessionId: one, executionId: executionId ?? '' };
    expect(await server.client.api.session.teardown.mutate(teardown)).toMatchObject({ outcome: 'retired' });
    await task.until(one, (session) => session.state === 'running' && session.executionId !== executionId);
    await releaseGate(gates, 'twenty-other');
    await task.until(other, isFree);
    await releaseGate(gates, 'twenty-two');
    await task.until(one, isFree);
    await task.shows((shown) => shown.foregroundActivity === null);

    // Somebody worked from the first prompt to the last settle: what a task says in between is never that nobody does.
    const tiers = task.tiers().filter((tier, at, all) => at === 0 || tier !== all[at - 1]);
    expect(tiers).toEqual([null, 'generating', null]);
    const { sessions, task: now } = await server.client.api.task.get.query({ taskId: task.taskId });
    expect([now.foregroundActivity, ...sessions.map((each) => each.foregroundActivity)]).toEqual([null, null, null]);
  }, 60_000);

  test('[S101] hard case 19: in any order and with any losses, what a client shows of real streams is the newest it heard of', async () => {
    await using task = await Watched.start();
    const sessions = [await task.session(), await task.session('mock-v2')];
    for (const [at, session] of sessions.entries()) {
      await task.submit(session, `/subagent nineteen-${at} until released`, '/permission Write', '/say done');
      const { pendingRequests } = await task.until(session, (one) => one.pendingRequests.length === 1);
      const [request] = pendingRequests;
      const outcome = { optionId: request?.options[0]?.id ?? '' };
      await server.client.api.session.respond.mutate({ sessionId: session, requestId: request?.id ?? '', outcome });
      await task.until(session, (one) => isFree(one) && one.workloads.length === 1);
      await releaseGate(gates, `nineteen-${at}`);
      await task.until(session, (one) => isFree(one) && one.workloads.length === 0 && !one.awaitingFollowUp);
    }
    const last = await server.client.api.activity.get.query({});
    const mine = ({ taskId }: { taskId: string }) => taskId === task.taskId;
    // What is published after it tells that everything before it has been heard.
    await server.client.api.task.update.mutate({ taskId: task.taskId, title: 'Heard' });
    await task.shows(({ title }) => title === 'Heard');
    const [first, ...changes] = task.events.filter(({ revision }) => revision <= last.revision);
    if (first?.type !== 'snapshot') throw new Error('expected a stream to begin with a snapshot');
    const reading = {
      ...last,
      tasks: last.tasks.filter(({ id }) => id === task.taskId),
      sessions: last.sessions.filter(mine),
    };
    const newest = new Map(changes.map((event) => [keyOf(event), event.revision]));
    const isNewest = (event: ActivityEvent) => newest.get(keyOf(event)) === event.revision;
    expect(changes.length).toBeGreaterThan(20);

    fc.assert(
      fc.property(fc.shuffledSubarray(changes), fc.nat(changes.length), fc.boolean(), (heard, at, reads) => {
        const rest = changes.filter((event) => isNewest(event) && !heard.includes(event));
        // An answer that was long on its way is older than what has been heard since.
        const late = [...heard.slice(0, at), reads ? reading : first, ...heard.slice(at)];
        const heardInTheEnd: ActivityEvent[] = reads ? late : [...late, ...rest];
        let view = acceptActivity(EMPTY_ACTIVITY, first);
        for (const event of heardInTheEnd) view = neverBack(view, acceptActivity(view, event));
        expect([...view.tasks.values()]).toEqual(reading.tasks);
        expect(new Map(view.sessions)).toEqual(new Map(reading.sessions.map((one) => [one.id, one])));
      }),
      { seed: 19, numRuns: 500 },
    );
  }, 60_000);
});

const keyOf = (event: ActivityEvent): string =>
  'sessionId' in event ? event.sessionId : 'taskId' in event ? event.taskId : event.type;

/** The next view, of which nothing is older than it was. */
function neverBack(before: ActivityView, after: ActivityView): ActivityView {
  for (const [id, revision] of before.seen) {
    expect(after.seen.get(id) ?? after.base).toBeGreaterThanOrEqual(revision);
  }
  expect(after.revision).toBeGreaterThanOrEqual(before.revision);
  return after;
}
