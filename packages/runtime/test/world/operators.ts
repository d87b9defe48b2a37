import type { SubmitResult } from '../../src/index.ts';
import type { Entry } from './ledger.ts';
import type { Step, StepKind } from './plans.ts';
import { crash, wake } from './provider.ts';
import type { Slot, World } from './world.ts';

/** What somebody does in a step, to a session that is there. */
type Act = (world: World, at: { sessionId: string; taskId: string; slot: Slot; step: Step }) => void | Promise<void>;

const TIMES = [50, 200, 1_000, 1_600, 2_100, 5_100, 10_100, 61_000, 400_000] as const;

/** Keys are few, so that they come again. */
function submit(world: World, { sessionId, slot, step }: Parameters<Act>[1]): void {
  const origin = step.b % 4 === 3 ? 'wakeup' : 'human';
  const again = step.b === 0 || step.b === 4;
  const key = again ? `key ${step.a % 4}` : `key ${++world.texts}!`;
  const text = `${slot.index}/${sessionId.slice(0, 4)}/${key}`;
  const entry = world.ledger.entry({ sessionId, key, text, origin });
  entry.pending += 1;
  const call = world.vigil.submit({ sessionId, text, clientKey: key, origin: entry.origin });
  world.call(`submit ${text}`, call, {
    ok: (result) => promised(world, entry, result),
    bad: ({ code, reason }) => {
      entry.pending -= 1;
      entry.refusals.push(reason ?? code);
    },
    lost: () => lose(entry),
  });
}

function lose(entry: Entry): void {
  entry.pending -= 1;
  entry.unsure = true;
}

function promised(world: World, entry: Entry, result: SubmitResult): void {
  entry.pending -= 1;
  entry.promised += 1;
  entry.messageIds.add(result.messageId);
  if (entry.promised > 1) world.reached.add('a key again');
  if (entry.messageIds.size > 1) world.fail('S80', `"${entry.text}" became two messages`);
}

function prompt(world: World, { sessionId, slot }: Parameters<Act>[1]): void {
  const text = `${slot.index}/strict ${++world.texts}!`;
  const entry = world.ledger.entry({ sessionId, key: null, text, origin: 'human' });
  entry.pending += 1;
  world.call(text, world.vigil.prompt({ sessionId, text }), {
    ok: (result) => {
      promised(world, entry, result);
      if (entry.takes === 0 && !entry.excuses.has('stopped')) world.fail('S80', `"${text}" was answered and not taken`);
    },
    bad: ({ code, reason }) => {
      entry.pending -= 1;
      entry.refusals.push(reason ?? code);
      if (entry.takes > 0) world.fail('S80', `"${text}" was refused (${reason ?? code}) and taken`);
    },
    lost: () => lose(entry),
  });
}

/** Wake-ups that wait when somebody stops the session are dropped (S61). */
function stopsWakeUps(world: World, sessionId: string): void {
  for (const entry of world.ledger.of(sessionId)) if (entry.origin === 'wakeup') entry.excuses.add('stopped');
}

/** Prompts that a provider has and did not say a word of: a cancel makes it unknown whether it took them. */
function abandon(world: World, slot: Slot): void {
  for (const open of world.processOf(slot)?.openPrompts ?? []) {
    if (open.state === 'written' && open.cancelledAt !== null) world.ledger.byText(open.text).excuses.add('stopped');
  }
}

export function cancel(world: World, slot: Slot, exact: { generation?: number } = {}): void {
  const { sessionId } = slot;
  if (sessionId === null) return;
  stopsWakeUps(world, sessionId);
  world.call('cancel', world.vigil.cancel({ sessionId, ...exact }));
  abandon(world, slot);
}

/** The entry of the queue that the step means. */
async function queued(world: World, at: Parameters<Act>[1]): Promise<{ messageId: string; text: string } | null> {
  const { entries } = await world.vigil.listQueue(at.sessionId);
  return entries[at.step.b % Math.max(1, entries.length)] ?? null;
}

const ACTS: Readonly<Partial<Record<StepKind, Act>>> = {
  submit,
  prompt,
  cancel: async (world, { slot, step }) => {
    const generation = (await world.shown(slot))?.generation;
    const exact = step.b % 3 === 0 ? { generation: (generation ?? 1) - (step.b % 2) } : {};
    cancel(world, slot, exact);
  },
  'stop all': (world, { sessionId }) => {
    stopsWakeUps(world, sessionId);
    world.call('stop all', world.vigil.stopAll(sessionId));
  },
  'stop one': async (world, { sessionId, slot, step }) => {
    const workloads = (await world.shown(slot))?.workloads ?? [];
    const workload = workloads[step.b % Math.max(1, workloads.length)];
    if (workload) world.call('stop one', world.vigil.stopWorkload({ sessionId, workloadId: workload.id }));
  },
  teardown: tearDown,
  'delete session': (world, { sessionId, slot }) => {
    world.call('delete session', world.vigil.deleteSession(sessionId), { ok: () => deleted(world, slot, sessionId) });
  },
  'delete task': (world, { taskId }) => {
    world.call('delete task', world.vigil.deleteTask(taskId), { ok: () => taskDeleted(world, taskId) });
  },
  archive: (world, { taskId }) => world.call('archive', world.vigil.archiveTask(taskId)),
  unarchive: (world, { taskId }) => world.call('unarchive', world.vigil.unarchiveTask(taskId)),
  respond: async (world, { sessionId, slot, step }) => {
    const [request] = (await world.shown(slot))?.pendingRequests ?? [];
    if (request === undefined) return;
    const said = request.kind === 'permission' ? { optionId: 'yes' } : { answers: { a: 1 } };
    const outcome = step.b % 4 === 0 ? ({ cancelled: true } as const) : said;
    world.call('respond', world.vigil.respond({ sessionId, requestId: request.id, outcome }));
  },
  crash: (world, { slot }) => {
    const process = world.processOf(slot);
    if (process) crash(process);
  },
  wake: (world, { slot }) => {
    const process = world.processOf(slot);
    if (process) wake(process);
  },
  'auto-run': (world, { sessionId, step }) =>
    world.call('auto-run', world.vigil.setAutoRun({ sessionId, on: step.b % 3 !== 0 })),
  edit: async (world, at) => {
    const one = await queued(world, at);
    if (one === null) return;
    const { sessionId } = at;
    world.call('edit', world.vigil.editQueued({ sessionId, messageId: one.messageId, text: `${one.text}*` }));
  },
  remove: async (world, at) => {
    const one = await queued(world, at);
    if (one !== null) remove(world, at.sessionId, one);
  },
  reorder: async (world, { sessionId, step }) => {
    const ids = (await world.vigil.listQueue(sessionId)).entries.map((one) => one.messageId);
    const order =
      step.b % 3 === 2 ? ids.slice(1) : step.b % 3 === 1 ? [...ids.slice(1), ...ids.slice(0, 1)] : ids.reverse();
    world.call('reorder', world.vigil.reorderQueue({ sessionId, order }));
  },
  clear: async (world, { sessionId }) => {
    const { entries } = await world.vigil.listQueue(sessionId);
    for (const one of entries) world.ledger.byText(one.text).excuses.add('removed');
    world.call('clear', world.vigil.clearQueue(sessionId));
  },
  'send now': async (world, at) => {
    const one = await queued(world, at);
    if (one === null) return;
    const { sessionId, slot, step } = at;
    const generation = (await world.shown(slot))?.generation;
    const seen = step.b % 3 === 0 && generation != null ? { generation: generation - (step.b % 2) } : {};
    world.call('send now', world.vigil.sendNow({ sessionId, messageId: one.messageId, ...seen }));
    abandon(world, slot);
  },
  'move task': (world, { taskId, step }) => {
    const state = (['backlog', 'in_progress', 'review', 'done'] as const)[step.b % 4] ?? 'done';
    world.call('move task', world.vigil.moveTask({ taskId, state, position: step.b }));
  },
};

function remove(world: World, sessionId: string, one: { messageId: string; text: string }): void {
  const entry = world.ledger.byText(one.text);
  world.call(`remove ${one.text}`, world.vigil.removeQueued({ sessionId, messageId: one.messageId }), {
    ok: (queue) => {
      // It may have been taken for delivery while its removal was under way.
      if (queue.entries.some((each) => each.messageId === one.messageId)) return;
      entry.excuses.add('removed');
    },
    bad: ({ code }) => {
      if (code === 'unavailable') entry.excuses.add('removed');
    },
    lost: () => entry.excuses.add('removed'),
  });
}

/** Of an execution that is over nothing is seen in its successor (P6). */
async function tearDown(world: World, { sessionId, slot, step }: Parameters<Act>[1]): Promise<void> {
  const { vigil } = world;
  const causes = ['stopped', 'stopped', 'completed', 'failed', 'cancelled'] as const;
  const cause = step.b === 11 ? 'cancelled' : (causes[step.b % 4] ?? 'stopped');
  const old = step.b % 3 === 0 ? slot.executions[step.a % Math.max(1, slot.executions.length)] : undefined;
  const before = await world.shown(slot);
  const executionId = old ?? before?.executionId ?? slot.executions.at(-1);
  if (executionId === undefined) return;
  const stale = executionId !== before?.executionId;
  const call = vigil.teardown({ sessionId, executionId, cause });
  // Nothing was awaited since, but the call itself.
  const after = await world.shown(slot);
  if (stale && JSON.stringify(before) !== JSON.stringify(after))
    world.fail('P6', `teardown of ${executionId}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`);
  world.call('teardown', call, {
    ok: ({ outcome, cause: told }) => {
      world.reached.add(outcome);
      if (outcome !== 'unknown_execution' && told === null) world.fail('S113', `${outcome} without a cause`);
      if (stale && outcome === 'retired') world.fail('S113', 'an execution was retired that did not serve');
    },
  });
}

function deleted(world: World, slot: Slot, sessionId: string): void {
  for (const entry of world.ledger.of(sessionId)) entry.excuses.add('deleted');
  if (slot.sessionId !== sessionId) return;
  slot.sessionId = null;
  if (world.processOf(slot)) world.fail('S114', 'the session was deleted, and its agent lives');
}

export function taskDeleted(world: World, taskId: string): void {
  for (const slot of world.slots) {
    if (slot.taskId !== taskId) continue;
    slot.taskId = null;
    if (slot.sessionId !== null) deleted(world, slot, slot.sessionId);
  }
}

/** Makes what is missing of a slot: the task, else the session. The first two share a task. */
export function create(world: World, slot: Slot): void {
  const mates = world.slots.filter((one) => one.index < 2 === slot.index < 2);
  const { taskId } = slot;
  if (taskId === null) {
    world.call('create task', world.vigil.createTask({ title: `task of ${slot.index}` }), {
      ok: (task) => {
        for (const mate of mates) mate.taskId ??= task.id;
      },
    });
  } else if (slot.sessionId === null) {
    world.call('create session', world.vigil.createSession({ taskId, agentId: `agent-${slot.index}` }), {
      ok: (session) => {
        if (slot.sessionId === null) slot.executions.length = 0;
        if (slot.sessionId === null && slot.taskId === session.taskId) slot.sessionId = session.id;
      },
    });
  }
}

/** Does one step; steps on sessions that are not there do nothing. */
export async function act(world: World, step: Step): Promise<void> {
  const slot = world.slots[step.a % world.slots.length];
  if (slot === undefined) return;
  switch (step.kind) {
    case 'create session':
      return create(world, slot);
    case 'time':
      return world.advance(TIMES[step.b % TIMES.length] ?? 0);
    case 'database goes':
      world.weather.down = true;
      return;
    case 'database comes':
      world.weather.down = false;
      return;
    case 'kill':
      world.kill();
      return world.start();
    case 'restart':
      await world.stop();
      return world.start();
  }
  const { sessionId, taskId } = slot;
  if (sessionId === null || taskId === null) return;
  await ACTS[step.kind]?.(world, { sessionId, taskId, slot, step });
}

/** What the server knows after a boot is what there is: a deletion, or a creation, may have been answered to nobody. */
export async function reconcile(world: World): Promise<void> {
  const { vigil } = world;
  const tasks = [...(await vigil.listTasks({})).tasks, ...(await vigil.listTasks({ archived: true })).tasks];
  const sessions = await Promise.all(tasks.map((task) => vigil.getTask(task.id)));
  const all = sessions.flatMap((one) => one.sessions);
  for (const slot of world.slots) {
    if (slot.sessionId !== null && !all.some((one) => one.id === slot.sessionId)) deleted(world, slot, slot.sessionId);
    if (slot.taskId !== null && !tasks.some((one) => one.id === slot.taskId)) slot.taskId = null;
    const found = slot.sessionId === null ? all.find((one) => one.agentId === `agent-${slot.index}`) : undefined;
    if (found === undefined) continue;
    slot.sessionId = found.id;
    slot.taskId = found.taskId;
  }
}
