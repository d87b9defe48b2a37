import { describe, expect, it } from 'vitest';
import { Journal } from '../src/journal.ts';
import { Outbox } from '../src/outbox.ts';
import {
  ACP_V2,
  accepted,
  answered,
  blocking,
  CLAUDE_V1,
  CLAUDE_V1_RAW,
  CLAUDE_V2,
  cycleClosed,
  done,
  HERMES,
  idle,
  item,
  launched,
  named,
  out,
  roster,
  running,
  yielded,
} from './facts.ts';
import { session, World } from './session-script.ts';

describe('found by a mutation tester', () => {
  it('[S144] a workload names the call that launched it, where one is known', () => {
    const s = session({ traits: CLAUDE_V1 });
    s.prompt();
    s.frame(launched('run:1', { also: ['tool:call-1'] }), launched('run:2'));
    expect(s.view.workloads.map((one) => one.toolCallId)).toEqual(['call-1', null]);
  });

  it('[S20] work can be stopped only where that was said, also by a list', () => {
    const s = session({ traits: HERMES });
    s.prompt();
    s.frame(launched('a'), launched('b', { stoppable: true }));
    expect(s.view.workloads.map((one) => one.stoppable)).toEqual([false, true]);
    s.frame(roster([item('a', { stoppable: true }), item('b'), item('c')]));
    expect(s.view.workloads.map((one) => [one.id, one.stoppable])).toEqual([
      ['a', true],
      ['b', true],
      ['c', false],
    ]);
  });

  it('[S20] what was said of a run before it lived is used up by its start, and only that', () => {
    const s = session({ traits: CLAUDE_V1 });
    s.prompt();
    s.frame(named('a', 'tool:1'), named('b', 'tool:2'));
    const hints = () => s.record.executions.get('e1')?.hints.map((one) => one.names.join());
    expect(hints()).toEqual(['a,tool:1', 'b,tool:2']);
    s.frame(named('a', 'task:1'));
    expect(hints()).toEqual(['b,tool:2', 'a,tool:1,task:1']);
    s.frame(launched('a'));
    expect(hints()).toEqual(['b,tool:2']);
    expect(s.record.executions.get('e1')?.registrations.map((one) => one.names.join())).toEqual(['a,tool:1,task:1']);
  });

  it('[S12] the shell is asked for time exactly when settling is over', () => {
    const s = session({ traits: CLAUDE_V1 });
    const g = s.prompt();
    s.frame(launched('a'), answered(g)).frame(done('a'));
    expect(s.view.awaitingFollowUp).toBe(true);
    expect([...s.world.deadlines]).toEqual([[s.id, s.world.now + 2_000]]);
    s.world.pass(2_000);
    expect([s.view.awaitingFollowUp, s.world.deadlines.size]).toEqual([false, 0]);
  });

  it('[S32] a session whose execution has ended wakes by no timer any more', () => {
    const s = session({ traits: CLAUDE_V1 });
    const g = s.prompt();
    s.frame({ kind: 'armed', mayWake: true }, answered(g));
    expect(s.view.mayWake).toBe(true);
    expect(s.end().view.mayWake).toBe(false);
  });

  it('[S61] a wake-up is refused at the boundary because the turn is still at work', () => {
    const s = session({ traits: CLAUDE_V1, fine: true });
    const g = s.prompt();
    s.frame(launched('a'), yielded(g));
    expect(s.tryClaim('wakeup')).toEqual({ granted: false, reason: 'generating' });
    expect(s.tryClaim().granted).toBe(true);
  });

  it('[S131] [S55] a cancel that is never answered releases a turn that had begun and was not accepted', () => {
    const s = session({ traits: CLAUDE_V1 });
    const g = s.claim();
    s.dispatch(g).frame(out).cancel().cancelExpires(g);
    expect(s.view).toMatchObject({ state: 'waiting_for_input', stopReason: 'cancelled', inputMode: 'direct' });
    expect(s.record.inFlight).toBeNull();
  });

  it('[S131] nothing is muted of an agent that said that it is idle', () => {
    const s = session({ traits: ACP_V2 });
    const g = s.prompt();
    s.frame(running(), idle());
    expect(s.view.state).toBe('waiting_for_input');
    const g2 = s.prompt();
    s.cancel(g2).cancelExpires(g2).frame(running());
    expect([g < g2, s.record.executions.get(s.execution)?.muted, s.view.state]).toEqual([true, null, 'running']);
  });

  it('[S65] blocking work under two names ends with the turn that it blocked', () => {
    const s = session({ traits: CLAUDE_V1 });
    const g = s.prompt();
    s.frame(blocking('a'), blocking('b')).frame(blocking('a', { also: ['b'] }));
    expect(s.record.executions.get('e1')?.registrations).toMatchObject([{ names: ['a', 'b'], generation: g }]);
    s.frame(answered(g));
    expect(s.work).toEqual([]);
  });

  it('[S50] a claim is accepted once: a second acceptance changes nothing', () => {
    const s = session({ traits: CLAUDE_V1 });
    const g = s.prompt();
    const { record } = s;
    expect(s.frame(accepted(g)).record).toEqual(record);
  });

  it('a journal keeps the last events, as many as it was asked to', () => {
    const journal = new Journal(3);
    const world = new World();
    const s = session({}, world);
    for (const { event, tick } of Array.from({ length: 20 }, (_, tick) => ({
      event: { type: 'time.passed', sessionId: s.id, at: tick } as const,
      tick,
    })))
      journal.record(event, tick);
    expect(journal.entries.map(({ tick }) => tick)).toEqual([17, 18, 19]);
  });

  it('[S20] the names of a run are kept once, however often they are told', () => {
    const s = session({ traits: CLAUDE_V1 });
    s.prompt();
    for (let told = 0; told < 3; told += 1) s.frame(launched('a', { also: ['tool:1', 'b'] }));
    expect(s.record.executions.get('e1')?.registrations[0]?.names).toEqual(['a', 'tool:1', 'b']);
  });

  it('[S12] work that we asked to stop is remembered as such through its later frames', () => {
    const s = session({ traits: CLAUDE_V1 });
    const g = s.prompt();
    s.frame(launched('a'), answered(g));
    s.apply({ type: 'stop.requested', executionId: 'e1', workloadId: 'a' });
    s.frame(launched('a', { also: ['tool:1'] })).frame(done('a'));
    expect(s.view.awaitingFollowUp).toBe(false);
  });

  it('[S20] what was said of runs that never lived is bounded, newest kept, and goes with their end', () => {
    const s = session({ traits: CLAUDE_V1 });
    s.prompt();
    for (let run = 0; run < 1_100; run += 1) s.frame(named(`r${run}`, `tool:${run}`));
    const hints = () => s.record.executions.get('e1')?.hints ?? [];
    expect([hints().length, hints()[0]?.names[0], hints().at(-1)?.names[0]]).toEqual([1_024, 'r76', 'r1099']);
    s.frame(done('r1099'));
    expect(hints().at(-1)?.names[0]).toBe('r1098');
  });

  it('[S20] what lists leave out is bounded too, and keeps its names', () => {
    const s = session({ traits: HERMES });
    s.prompt();
    for (let run = 0; run < 1_030; run += 1) s.frame(launched(`r${run}`, { also: [`t${run}`] })).frame(roster([]));
    expect(s.record.executions.get('e1')?.hints).toHaveLength(1_024);
    expect(s.record.executions.get('e1')?.hints.at(-1)?.names).toEqual(['r1029', 't1029']);
  });

  it('[S20] a list names work, and takes no name away', () => {
    const s = session({ traits: HERMES });
    s.prompt();
    s.frame(roster([item('a', { label: 'build' }), item('b')]));
    s.frame(roster(['a', item('b', { label: 'test' })]));
    expect(s.view.workloads.map((one) => one.label)).toEqual(['build', 'test']);
  });

  it('[S40] open calls are bounded, newest kept, and one that turns out to be background is the only one to', () => {
    const s = session({ traits: CLAUDE_V1 });
    s.prompt();
    for (let call = 0; call < 1_030; call += 1)
      s.frame({ kind: 'tool', toolCallId: `c${call}`, opens: true, child: false, closed: false });
    const tools = () => s.record.executions.get('e1')?.tools ?? [];
    expect([tools().length, tools()[0]?.id, tools().at(-1)?.id]).toEqual([1_024, 'c6', 'c1029']);
    s.frame({ kind: 'tool', toolCallId: 'c1000', opens: false, child: false, background: true, closed: false });
    expect(
      tools()
        .filter((one) => one.owner === 'background')
        .map((one) => one.id),
    ).toEqual(['c1000']);
    s.frame({ kind: 'tool', toolCallId: 'c1001', opens: false, child: false, closed: true });
    expect([tools().length, tools().some((one) => one.id === 'c1001')]).toEqual([1_023, false]);
  });

  it('[S80] a session that is not known takes no prompt', () => {
    const world = new World();
    const asked = { type: 'prompt.claimed', sessionId: 'nobody', at: 1, origin: 'human', executionId: 'e' } as const;
    expect(world.tracker.claim(asked)).toEqual({ granted: false, reason: 'session_ended' });
    expect([world.tracker.isCurrent('nobody', 1), world.tracker.isReleased('nobody')]).toEqual([false, true]);
  });

  it('[S103] a subscriber with as many keys as it may have stays; one more closes it, and it is told so once', () => {
    const outbox = new Outbox<number>();
    let told = 0;
    const subscription = outbox.subscribe(() => {
      told += 1;
    }, 2);
    outbox.push('a', 1);
    outbox.push('b', 2);
    expect([subscription.closed, told]).toEqual([null, 1]);
    outbox.push('c', 3);
    expect([subscription.closed, told, outbox.size]).toEqual(['more than 2 keys waited for this subscriber', 2, 0]);
    outbox.push('d', 4);
    subscription.close();
    expect([told, [...subscription.pending()].length]).toEqual([2, 0]);
  });

  it('[S55] a turn that had begun and is refused ends as an error', () => {
    const s = session({ traits: CLAUDE_V1 });
    const g = s.claim();
    s.dispatch(g).frame({ kind: 'prompt.rejected', generation: g });
    expect(s.view).toMatchObject({ state: 'waiting_for_input', stopReason: 'error', generation: null });
  });

  it('[S51] a foreground that is held refuses because it generates, under fine policy as well', () => {
    const s = session({ traits: CLAUDE_V1, fine: true });
    s.prompt();
    expect(s.tryClaim()).toEqual({ granted: false, reason: 'generating' });
  });

  it('[S13] running on one level takes back its idle, so that the other level’s idle is no end', () => {
    const s = session({ traits: CLAUDE_V2 });
    s.prompt();
    s.frame(running(), running('raw')).frame(idle()).frame(running()).frame(idle('raw'));
    expect(s.foreground).toBe('held');
    s.frame(idle());
    expect(s.foreground).toBe('free');
  });

  it('[S13] [S78] an answer whose idle never comes ends its turn after two seconds, and not before', () => {
    const s = session({ traits: CLAUDE_V1_RAW });
    const g = s.prompt();
    s.frame(running('raw')).frame(answered(g));
    s.world.pass(1_999);
    s.apply({ type: 'time.passed' });
    expect(s.foreground).toBe('held');
    s.world.pass(1);
    expect([s.foreground, s.view.stopReason]).toEqual(['free', 'end_turn']);
  });

  it('[S4] output stands for running where the agent did not say it: the idle that follows is an end', () => {
    const s = session({ traits: ACP_V2 });
    s.prompt();
    s.frame(out).frame({ kind: 'foreground', level: 'state', state: 'idle' });
    expect(s.foreground).toBe('free');
  });

  it('[S65] the end of a turn closes its own calls, not those of children', () => {
    const s = session({ traits: CLAUDE_V1 });
    const g = s.prompt();
    s.frame(
      { kind: 'tool', toolCallId: 'own', opens: true, child: false, closed: false },
      { kind: 'tool', toolCallId: 'kid', opens: true, child: true, closed: false },
    ).frame(answered(g));
    expect(s.record.executions.get('e1')?.tools).toMatchObject([{ id: 'kid', owner: 'child' }]);
  });

  it('[S55] [S57] a prompt that has begun is in flight until it is accepted', () => {
    const s = session({ traits: ACP_V2 });
    const g = s.claim();
    s.dispatch(g).frame({ kind: 'prompt.begun', generation: g });
    expect([s.foreground, s.record.inFlight]).toEqual(['held', g]);
    expect(s.frame(accepted(g)).record.inFlight).toBeNull();
  });

  it('[S42] a launch takes its own call along, and no other', () => {
    const s = session({ traits: CLAUDE_V1 });
    s.prompt();
    for (const toolCallId of ['a', 'b'])
      s.frame({ kind: 'tool', toolCallId, opens: true, child: false, closed: false });
    s.frame(launched('run:a', { also: ['tool:a'] }));
    const owners = s.record.executions.get('e1')?.tools.map((one) => [one.id, one.owner, one.generation]);
    expect(owners).toEqual([
      ['a', 'background', null],
      ['b', 'foreground', s.view.generation],
    ]);
  });

  it('[S12] of two that end at once, one that was not asked to lets a wake be expected', () => {
    const s = session({ traits: CLAUDE_V1 });
    const g = s.prompt();
    s.frame(launched('a'), launched('b'), answered(g));
    s.apply({ type: 'stop.requested', executionId: 'e1', workloadId: 'a' });
    s.frame(done('a'), done('b'));
    expect(s.view.awaitingFollowUp).toBe(true);
  });

  it('[S59] a closing usage ends nothing where a level is to say it, though none has spoken yet', () => {
    const s = session({ traits: CLAUDE_V1_RAW });
    const g = s.prompt();
    s.frame(answered(g)).frame(out).frame(cycleClosed);
    expect(s.foreground).toBe('held');
  });

  it('[S4] output speaks for the raw level over v1, so that its idle ends what the output began', () => {
    const s = session({ traits: CLAUDE_V1_RAW });
    const g = s.prompt();
    s.frame(running('raw')).frame(answered(g), idle('raw'));
    expect(s.foreground).toBe('free');
    expect(s.frame(out).foreground).toBe('held');
    expect(s.frame(idle('raw')).foreground).toBe('free');
  });

  it('[S4] [S13] and for the level of the protocol over v2, also where raw is known', () => {
    const s = session({ traits: CLAUDE_V2 });
    s.prompt();
    s.frame(running(), running('raw')).frame(idle()).frame(idle('raw'));
    expect(s.frame(out).foreground).toBe('held');
    s.frame(idle()).world.pass(2_000);
    expect(s.foreground).toBe('free');
  });

  it('[S5] [S78] the answer of a yielded prompt frees the foreground, whatever its level says', () => {
    const s = session({ traits: CLAUDE_V1_RAW, fine: true });
    const g = s.prompt();
    s.frame(running('raw')).frame(launched('a'), yielded(g));
    expect(s.foreground).toBe('yielded');
    expect(s.frame(answered(g)).foreground).toBe('free');
  });

  it('[S121] idle ends a turn that names no run, after one that did', () => {
    const s = session({ traits: HERMES });
    const g = s.prompt();
    s.frame(running({ runId: 'r1' })).frame(idle(), answered(g));
    const g2 = s.prompt();
    s.frame(running()).frame(answered(g2)).frame(idle());
    expect([s.foreground, s.view.state]).toEqual(['free', 'waiting_for_input']);
  });

  it('[S13] running that is repeated is of the prompt that has begun since', () => {
    const s = session({ traits: ACP_V2 });
    const g = s.prompt();
    s.frame(running()).cancel(g).cancelExpires(g);
    s.prompt();
    s.frame(running()).frame(idle());
    expect(s.foreground).toBe('free');
  });

  it.each([true, false])(
    '[S121] another run beside that of a prompt takes nothing over, and its idle ends nothing of it (named: %s)',
    (agentInitiated) => {
      const s = session({ traits: { ...HERMES, rpc: 'receipt' } });
      s.prompt();
      s.frame(running({ runId: 'r1' }));
      s.frame(running({ runId: 'r2', agentInitiated })).frame(idle());
      expect(s.foreground).toBe('held');
    },
  );
});
