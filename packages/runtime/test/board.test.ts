import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Bench, collect, startBench } from './bench.ts';
import { eventually } from './settle.ts';

let bench: Bench;

beforeAll(async () => {
  bench = await startBench();
});

afterAll(() => bench.close());

describe('tasks', () => {
  test('refuse a parent and dependencies that would close a circle', async () => {
    const { vigil } = bench;
    const a = await vigil.createTask({ title: 'a' });
    const b = await vigil.createTask({ title: 'b', parentId: a.id, dependsOn: [a.id, a.id] });
    expect(b.dependsOn).toEqual([a.id]);
    const circle = { code: 'conflict', reason: 'cycle' };
    await expect(vigil.updateTask({ taskId: a.id, parentId: b.id })).rejects.toMatchObject(circle);
    await expect(vigil.updateTask({ taskId: a.id, dependsOn: [b.id] })).rejects.toMatchObject(circle);
    await expect(vigil.updateTask({ taskId: a.id, dependsOn: [a.id] })).rejects.toMatchObject(circle);
    await expect(vigil.createTask({ title: 'c', dependsOn: ['nobody'] })).rejects.toMatchObject({ code: 'bad_input' });
    await expect(vigil.createTask({ title: ' ' })).rejects.toMatchObject({ code: 'bad_input' });
  });

  test('[contract] a session in a folder that does not exist is refused before anything starts', async () => {
    const { vigil } = bench;
    const { id: taskId } = await vigil.createTask({ title: 'elsewhere' });
    const refused = { code: 'bad_input', message: expect.stringContaining('no-such-folder, and there is none') };
    await expect(vigil.createSession({ taskId, agentId: 'mock', cwd: 'no-such-folder' })).rejects.toMatchObject(
      refused,
    );
    expect((await vigil.getTask(taskId)).sessions).toEqual([]);
  });

  test('[S105] a deleted one ends its stream, and is nobody’s parent or dependency any more', async () => {
    const { vigil } = bench;
    const a = await vigil.createTask({ title: 'a' });
    const b = await vigil.createTask({ title: 'b', parentId: a.id, dependsOn: [a.id] });
    const session = await vigil.createSession({ taskId: a.id, agentId: 'mock' });
    await vigil.prompt({ sessionId: session.id, text: '/wait until released gone' });
    const watching = collect(vigil);
    const own = collect(vigil, { taskId: a.id });
    expect(await vigil.deleteTask(a.id)).toEqual({ outcome: 'deleted' });
    expect((await vigil.getTask(b.id)).task).toMatchObject({ parentId: null, dependsOn: [] });
    await expect(vigil.getTask(a.id)).rejects.toMatchObject({ code: 'not_found' });
    const events = await watching.stop();
    const ends = events.flatMap((event) => (event.type.endsWith('deleted') ? [event.type] : []));
    expect(ends).toEqual(['session.deleted', 'task.deleted']);
    const last = { state: 'idle', policy: 'coarse', foregroundActivity: null, activeSubagentCount: 0 };
    expect(events).toContainEqual(expect.objectContaining({ type: 'session.deleted', sessionId: session.id, ...last }));
    expect((await own.stop()).at(-1)).toMatchObject({ type: 'task.deleted', taskId: a.id });
    expect(await bench.database.tasks.get(a.id)).toBeNull();
  });

  test('[S144] move to in_progress with the first prompt and to review when all is settled and nothing runs', async () => {
    const { vigil } = bench;
    const session = await bench.session('mock-v2');
    await vigil.submit({ sessionId: session.id, text: '/shell build until released', clientKey: 'a' });
    const settled = await bench.until(
      session.id,
      (one) => one.state === 'waiting_for_input' && one.workloads.length === 1,
    );
    expect(settled).toMatchObject({ policy: 'reported', foregroundActivity: 'background', inputMode: 'direct' });
    expect((await vigil.getTask(session.taskId)).task).toMatchObject({
      state: 'in_progress',
      foregroundActivity: 'background',
    });
    const watching = collect(vigil, { taskId: session.taskId });
    await bench.release('build');
    await bench.until(
      session.id,
      (one) => one.foregroundActivity === null && !one.awaitingFollowUp && one.state === 'waiting_for_input',
    );
    await eventually(() => vigil.activitySnapshot().tasks.find((one) => one.id === session.taskId)?.state === 'review');
    const events = await watching.stop();
    const tiers = events.flatMap((event) =>
      event.type === 'session.activity_changed' ? [event.foregroundActivity] : [],
    );
    expect(tiers.at(-1)).toBeNull();
    // The wake that reports the end is generating; nothing in between reads as done.
    expect(tiers.slice(0, -1)).not.toContain(null);
  });

  test('[S144] wait for every session, and never for work that is only inferred', async () => {
    const { vigil } = bench;
    const one = await bench.session('mock');
    const { taskId } = one;
    const other = await vigil.createSession({ taskId, agentId: 'mock' });
    const state = async () => (await vigil.getTask(taskId)).task.state;
    expect(await state()).toBe('backlog');
    await vigil.submit({ sessionId: other.id, text: '/wait until released other', clientKey: 'a' });
    await bench.until(other.id, 'running');
    expect(await state()).toBe('in_progress');
    await vigil.submit({ sessionId: one.id, text: '/shell inferred until released', clientKey: 'b' });
    const settled = await bench.until(one.id, ({ state, workloads }) => state !== 'running' && workloads.length === 1);
    expect(settled).toMatchObject({ policy: 'coarse', foregroundActivity: null });
    expect(await state()).toBe('in_progress');
    await bench.release('other');
    await bench.until(other.id, 'waiting_for_input');
    expect(await state()).toBe('review');
    expect((await vigil.getSession(one.id)).session.workloads).toHaveLength(1);
    // Somebody who says that it is done is not contradicted by a later prompt.
    await vigil.moveTask({ taskId, state: 'done', position: 1 });
    await vigil.submit({ sessionId: other.id, text: '/say more', clientKey: 'c' });
    await bench.transcript(other.id, (all) => all.some((each) => each.kind === 'assistant' && each.text === 'more'));
    expect(await state()).toBe('done');
    await bench.release('inferred');
  });

  test('[S144] [W4] are not moved while a prompt waits to run, and are once it is parked', async () => {
    const { vigil } = bench;
    const session = await bench.session('mock');
    await vigil.submit({ sessionId: session.id, text: '/wait until released never', clientKey: 'a' });
    await bench.until(session.id, 'running');
    await vigil.submit({ sessionId: session.id, text: '/say later', clientKey: 'b' });
    const watching = collect(vigil, { taskId: session.taskId });
    await vigil.cancel({ sessionId: session.id });
    const parked = await bench.until(session.id, 'waiting_for_input');
    expect(parked).toMatchObject({ autoRun: false, queuedPromptCount: 1 });
    await vi.waitUntil(async () => (await vigil.getTask(session.taskId)).task.state === 'review', { timeout: 5_000 });
    await vigil.setAutoRun({ sessionId: session.id, on: true });
    await bench.transcript(session.id, (all) => all.some((one) => one.kind === 'assistant' && one.text === 'later'));
    const states = (await watching.stop()).flatMap((event) =>
      event.type === 'task.updated' ? [event.task.state] : [],
    );
    expect(states.filter((state, at) => state !== states[at - 1]).slice(0, 2)).toEqual(['review', 'in_progress']);
  });

  test('[S114] are archived after their executions ended, take no prompt until unarchived, and leave the snapshot', async () => {
    const { vigil } = bench;
    const session = await bench.session('mock');
    await vigil.prompt({ sessionId: session.id, text: '/wait until released archived' });
    await vigil.archiveTask(session.taskId);
    expect((await vigil.getSession(session.id)).session).toMatchObject({ state: 'idle', stopReason: 'interrupted' });
    expect(vigil.activitySnapshot().tasks.some((one) => one.id === session.taskId)).toBe(false);
    const refusal = vigil.submit({ sessionId: session.id, text: 'hi', clientKey: 'k' });
    await expect(refusal).rejects.toMatchObject({ code: 'conflict', reason: 'task_archived' });
    await vigil.unarchiveTask(session.taskId);
    expect(vigil.activitySnapshot().sessions.some((one) => one.id === session.id)).toBe(true);
  });
});

describe('settings', () => {
  test('[W4] are changed one by one, and a change archives nothing', async () => {
    const { vigil } = bench;
    const task = await vigil.createTask({ title: 'a' });
    expect(await vigil.getSettings()).toEqual({ confirmArchive: true, automaticMoves: true });
    const changed = { confirmArchive: false, automaticMoves: true };
    expect(await vigil.updateSettings({ confirmArchive: false })).toEqual(changed);
    expect(await vigil.updateSettings({})).toEqual(changed);
    expect((await vigil.getTask(task.id)).task.archivedAt).toBeNull();
  });

  test('[W4] outlive a restart; what is stored and does not fit is as by default', async () => {
    const own = await startBench();
    await own.vigil.updateSettings({ confirmArchive: false, automaticMoves: false });
    await own.database.settings.set('automaticMoves', 'perhaps');
    const next = await own.restart();

    expect(await next.vigil.getSettings()).toEqual({ confirmArchive: false, automaticMoves: true });
    await next.close();
  });

  test('[S144] say whether tasks move by themselves', async () => {
    const { vigil } = bench;
    await vigil.updateSettings({ automaticMoves: false });
    const session = await bench.session('mock');
    await vigil.prompt({ sessionId: session.id, text: '/say hi' });
    await bench.until(session.id, 'waiting_for_input');
    expect((await vigil.getTask(session.taskId)).task.state).toBe('backlog');
    await vigil.updateSettings({ automaticMoves: true });
    await vigil.prompt({ sessionId: session.id, text: '/wait until released moved' });
    expect((await vigil.getTask(session.taskId)).task.state).toBe('in_progress');
    await vigil.updateSettings({ automaticMoves: false });
    await bench.release('moved');
    await bench.until(session.id, 'waiting_for_input');
    expect((await vigil.getTask(session.taskId)).task.state).toBe('in_progress');
    await vigil.updateSettings({ automaticMoves: true });
  });
});

describe('requests', () => {
  test('[S132] of an agent are answered once, by any operator, and show on the task', async () => {
    const { vigil } = bench;
    const session = await bench.session('mock');
    await vigil.submit({ sessionId: session.id, text: '/permission Write file\n/say thanks', clientKey: 'a' });
    const asking = await bench.until(session.id, (one) => one.pendingRequests.length === 1);
    expect(asking.state).toBe('running');
    expect((await vigil.getTask(session.taskId)).task.pendingPermission).toBe(true);
    const [request] = asking.pendingRequests;
    const optionId = request?.options[0]?.id ?? '';
    const requestId = request?.id ?? '';
    const wrong = vigil.respond({ sessionId: session.id, requestId, outcome: { optionId: 'nothing' } });
    await expect(wrong).rejects.toMatchObject({ code: 'bad_input' });
    const answer = { sessionId: session.id, requestId, outcome: { optionId } };
    expect(await vigil.respond(answer)).toEqual({ outcome: 'answered' });
    await expect(vigil.respond(answer)).rejects.toMatchObject({ code: 'conflict', reason: 'request_closed' });
    await bench.transcript(session.id, (all) =>
      all.some((one) => one.kind === 'assistant' && one.text.includes('thanks')),
    );
    expect((await vigil.getTask(session.taskId)).task.pendingPermission).toBe(false);
    const row = await bench.database.requests.get(requestId);
    expect(row).toMatchObject({ sessionId: session.id, kind: 'permission' });
  });

  test('[S132] stay open when the answer is of the wrong kind, so that the agent never waits for nobody', async () => {
    const { vigil } = bench;
    const session = await bench.session('mock');
    await vigil.submit({ sessionId: session.id, text: '/permission Write\n/ask Why\n/say thanks', clientKey: 'a' });
    const wrong = { permission: { answers: {} }, clarification: { optionId: 'allow' } };
    const right = { permission: { optionId: 'allow' }, clarification: { answers: { answer: 'so' } } };
    for (const kind of ['permission', 'clarification'] as const) {
      const asking = await bench.until(session.id, (one) => one.pendingRequests[0]?.kind === kind);
      const [request] = asking.pendingRequests;
      const respond = (outcome: Parameters<typeof vigil.respond>[0]['outcome']) =>
        vigil.respond({ sessionId: session.id, requestId: request?.id ?? '', outcome });
      await expect(respond(wrong[kind])).rejects.toMatchObject({ code: 'bad_input' });
      expect((await vigil.getSession(session.id)).session.pendingRequests).toEqual(asking.pendingRequests);
      const optionId = request?.options[0]?.id;
      await respond(optionId === undefined ? right[kind] : { optionId });
    }
    await bench.transcript(session.id, (all) => all.some((one) => one.kind === 'assistant' && one.text === 'thanks'));
  });
});

describe('the activity stream', () => {
  test('[W5] hard case 21: begins with a snapshot and resumes without a gap', async () => {
    const { vigil } = bench;
    const task = await vigil.createTask({ title: 'before' });
    const first = collect(vigil);
    const session = await vigil.createSession({ taskId: task.id, agentId: 'mock' });
    await vigil.updateTask({ taskId: task.id, title: 'during' });
    const seen = await first.stop();
    expect(seen[0]).toMatchObject({ type: 'snapshot', epoch: vigil.epoch });
    const last = first.events.at(-1)?.id;
    await vigil.updateTask({ taskId: task.id, title: 'after' });
    const second = collect(vigil, last === undefined ? {} : { lastEventId: last });
    await vigil.createSession({ taskId: task.id, agentId: 'mock' });
    const resumed = await second.stop();
    expect(resumed[0]).toMatchObject({ type: 'resumed', epoch: vigil.epoch });
    const titles = resumed.flatMap((event) => (event.type === 'task.updated' ? [event.task.title] : []));
    expect(titles[0]).toBe('after');
    expect(resumed.some((event) => event.type === 'session.created')).toBe(true);
    const other = collect(vigil, { lastEventId: 'another.7' });
    await vigil.deleteSession(session.id);
    expect((await other.stop())[0]).toMatchObject({ type: 'snapshot' });
  });

  test('[S103] gives a slow reader the newest value per key, in order', async () => {
    const { vigil } = bench;
    const task = await vigil.createTask({ title: 'slow' });
    const leave = new AbortController();
    const reader = vigil.watchActivity({ taskId: task.id, signal: leave.signal })[Symbol.asyncIterator]();
    await reader.next();
    for (let index = 0; index < 20; index += 1) await vigil.updateTask({ taskId: task.id, title: `title ${index}` });
    const { value } = await reader.next();
    expect(value.event).toMatchObject({ type: 'task.updated', task: { title: 'title 19' } });
    const pending = reader.next();
    leave.abort();
    expect(await pending).toMatchObject({ done: true });
  });

  test('ends with an error when the server stops', async () => {
    const other = await startBench();
    const reader = other.vigil.watchActivity({ signal: new AbortController().signal })[Symbol.asyncIterator]();
    await reader.next();
    const pending = reader.next();
    await other.vigil.close();
    await expect(pending).rejects.toMatchObject({ code: 'unavailable' });
    await other.close();
  });
});

describe('the session stream', () => {
  test('resumes with what changed since, and appends text by offset', async () => {
    const { vigil } = bench;
    const session = await bench.session('mock');
    await vigil.submit({
      sessionId: session.id,
      text: '/say one\n/wait until released more\n/say two',
      clientKey: 'a',
    });
    const leave = new AbortController();
    let last = '';
    for await (const { id, event } of vigil.watchSession({ sessionId: session.id, signal: leave.signal })) {
      last = id;
      if (event.type === 'message' && event.message.kind === 'assistant') break;
      if (event.type === 'snapshot' && event.messages.some((one) => one.kind === 'assistant')) break;
    }
    await bench.release('more');
    await bench.until(session.id, 'waiting_for_input');
    const again = vigil
      .watchSession({ sessionId: session.id, lastEventId: last, signal: leave.signal })
      [Symbol.asyncIterator]();
    expect((await again.next()).value.event).toMatchObject({ type: 'resumed', epoch: vigil.epoch });
    const rest = [(await again.next()).value.event, (await again.next()).value.event];
    expect(rest.every((event) => event.type === 'message' || event.type === 'session')).toBe(true);
    leave.abort();
  });

  test('pages the transcript', async () => {
    const { vigil } = bench;
    const session = await bench.session('mock');
    await vigil.submit({ sessionId: session.id, text: '/say one\n/tool Read\n/say two', clientKey: 'a' });
    await bench.transcript(session.id, (all) => all.some((one) => one.kind === 'notice'));
    const whole = await vigil.listMessages({ sessionId: session.id });
    expect(whole.nextBefore).toBeNull();
    const last = await vigil.listMessages({ sessionId: session.id, limit: 2 });
    expect(last.messages).toEqual(whole.messages.slice(-2));
    const before = await vigil.listMessages({ sessionId: session.id, limit: 2, before: last.nextBefore ?? 0 });
    expect(before.messages).toEqual(whole.messages.slice(-4, -2));
  });
});

describe('a session that nothing serves', () => {
  test('[S111] keeps no transcript in memory and shows all of it when it is read again', async () => {
    const { vigil } = bench;
    const session = await bench.session('mock');
    await vigil.prompt({ sessionId: session.id, text: '/say kept' });
    const { executionId } = await bench.until(session.id, 'waiting_for_input');
    const before = await vigil.getSession(session.id);
    const ended = await vigil.teardown({ sessionId: session.id, executionId: executionId ?? '' });
    expect(ended).toMatchObject({ outcome: 'retired', released: true });
    while ((await bench.database.messages.lastSeq(session.id)) < before.messages.length) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    const after = await vigil.getSession(session.id);
    expect(after.messages).toEqual(before.messages);
    await vigil.submit({ sessionId: session.id, text: '/say more', clientKey: 'more' });
    const messages = await bench.transcript(session.id, (all) =>
      all.some((one) => one.kind === 'assistant' && one.text === 'more'),
    );
    const places = messages.map((one) => one.seq);
    expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
  });
});
