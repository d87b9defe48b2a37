import type { Result } from './trials.ts';
import type { SessionView, World } from './world.ts';

/** Something that an agent is in the middle of when it is killed. */
interface Phase {
  readonly name: string;
  readonly agentId?: string;
  readonly text: string;
  /** The last message that reaches the agent before it is killed. */
  readonly gets: string;
  /** The session when it is killed, where that can be seen. */
  readonly is?: (session: SessionView) => boolean;
  /** Done before the kill; answers what is done after it. */
  readonly act?: (world: World, session: SessionView) => Promise<() => Promise<unknown>>;
  readonly ends?: SessionView['state'];
  readonly needs?: 'postgres';
}

const PHASES: readonly Phase[] = [
  { name: 'starting', agentId: 'hold-up', text: '/say hello', gets: 'up' },
  { name: 'handshake', agentId: 'hold-new', text: '/say hello', gets: 'session/new' },
  { name: 'claimed, being stored', text: '/say hello', gets: 'session/new', needs: 'postgres', act: submitFrozen },
  { name: 'sent, not taken', agentId: 'hold-prompt', text: '/say hello', gets: 'session/prompt' },
  {
    name: 'generating',
    text: '/wait until released never',
    gets: 'session/prompt',
    is: (one) => one.foregroundActivity === 'generating',
  },
  {
    name: 'with background work',
    text: '/subagent A until released',
    gets: 'session/prompt',
    is: (one) => one.activeSubagentCount === 1 && one.state === 'waiting_for_input',
  },
  {
    name: 'waiting for permission',
    text: '/permission T',
    gets: 'session/prompt',
    is: (one) => one.pendingRequests.length === 1,
  },
  {
    name: 'yielded (handoff)',
    text: '/subagent A until released\n/idle',
    gets: 'session/prompt',
    is: (one) => one.state === 'running' && one.inputMode === 'direct',
  },
  {
    name: 'cancelling',
    text: '/hang',
    gets: 'session/prompt',
    is: (one) => one.state === 'running',
    act: async (world, { id }) => {
      await world.api.session.cancel.mutate({ sessionId: id });
      await world.until(id, (one) => one.cancellationPending);
      return async () => {};
    },
  },
  {
    name: 'tearing down',
    agentId: 'hung',
    text: 'hang',
    gets: 'session/prompt',
    is: (one) => one.state === 'running',
    ends: 'idle',
    act: async (world, { id }) => {
      const { executionId } = await world.read(id);
      const ended = world.api.session.teardown.mutate({ sessionId: id, executionId: executionId ?? '' });
      await world.until(id, (one) => one.state === 'idle');
      return () => ended;
    },
  },
];

/** The agent is there and free; a prompt is claimed, and its storing hangs. */
async function submitFrozen(world: World, { id }: SessionView): Promise<() => Promise<unknown>> {
  await world.until(id, (one) => one.state === 'waiting_for_input');
  world.postgres?.freeze(true);
  // The strict form, because it asks the database nothing before it claims.
  const answer = world.api.session.prompt.mutate({ sessionId: id, text: '/say stored late' }).catch(() => null);
  await world.until(id, (one) => one.inputMode === 'queue');
  return async () => {
    world.postgres?.freeze(false);
    await answer;
  };
}

/** Kills an agent in each phase of its life; each time the session says so, and takes the next prompt. */
export async function killAgents(world: World): Promise<Result[]> {
  const results: Result[] = [];
  for (const phase of PHASES) {
    if (phase.needs === undefined || phase.needs === world.kind) results.push(await killAgent(world, phase));
  }
  return results;
}

async function killAgent(world: World, phase: Phase): Promise<Result> {
  const session = await world.session(phase.agentId ?? 'mock');
  const { id: sessionId } = session;
  const from = world.witness.read().length;
  await world.api.session.submit.mutate({ sessionId, text: phase.text, clientKey: 'first' });
  const agent = await world.witness.until((seen) => seen.what === phase.gets, from);
  if (phase.is !== undefined) await world.until(sessionId, phase.is);
  const after = await phase.act?.(world, session);
  const since = performance.now();
  process.kill(agent.pid, 'SIGKILL');
  await world.until(sessionId, (one) => one.state === (phase.ends ?? 'failed') && isAtRest(one));
  const took = performance.now() - since;
  await after?.();
  const sent = world.witness
    .read()
    .slice(from)
    .filter((seen) => seen.what === 'session/prompt').length;
  const { entries } = await world.api.queue.list.query({ sessionId });
  const acknowledged = 1;
  return {
    what: `\`kill -9\` of an agent: ${phase.name}`,
    ...{ kind: world.kind, times: 1, took: [took], acknowledged, tended: entries.length, deliveredOnce: sent },
    lost: sent + entries.length < acknowledged ? [phase.name] : [],
    doubled: sent > acknowledged ? [phase.name] : [],
    stuck: await goesOn(world, sessionId).then(
      () => [],
      (error: Error) => [`${phase.name}: ${error.message}`],
    ),
  };
}

/** Nothing of the agent that was killed seems to live. */
const isAtRest = (one: SessionView): boolean =>
  one.foregroundActivity === null &&
  one.liveness === 'live' &&
  !one.cancellationPending &&
  one.activeSubagentCount + one.pendingRequests.length + one.workloads.length === 0;

/** What waits, or else a new prompt, reaches an agent when a person says so. */
async function goesOn(world: World, sessionId: string): Promise<void> {
  const { queue, session } = world.api;
  const from = world.witness.read().length;
  const { entries } = await queue.list.query({ sessionId });
  const [head] = entries;
  if (head !== undefined) await queue.sendNow.mutate({ sessionId, messageId: head.messageId });
  else await session.submit.mutate({ sessionId, text: '/say on', clientKey: 'next' });
  await world.witness.until((seen) => seen.what === 'session/prompt', from);
  await world.until(sessionId, (one) => one.state === 'running' || one.state === 'waiting_for_input');
}
