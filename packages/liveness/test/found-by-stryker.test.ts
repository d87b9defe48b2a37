import { describe, expect, it } from 'vitest';
import { Journal } from '../src/journal.ts';
import {
  ACP_V2,
  accepted,
  answered,
  blocking,
  CLAUDE_V1,
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
});
