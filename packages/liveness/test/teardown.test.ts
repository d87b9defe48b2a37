import { describe, expect, it } from 'vitest';
import { deadlineOf, isReleased } from '../src/decide.ts';
import {
  accepted,
  answered,
  begun,
  blocking,
  CLAUDE_V1,
  CLAUDE_V2,
  call,
  completed,
  done,
  HERMES,
  idle,
  item,
  launched,
  out,
  rejected,
  roster,
  running,
  update,
  yielded,
} from './facts.ts';
import { session } from './session-script.ts';

/** An execution that owns a bit of everything. */
function loaded() {
  const s = session({ traits: CLAUDE_V2 });
  s.prompt();
  s.frame(running(), running('raw'), call('X'), blocking('f'), roster(['b', item('c', { status: 'ended' })]));
  return s;
}

describe('teardown', () => {
  it.each(['stopped', 'completed', 'cancelled', 'failed', 'crashed'] as const)(
    '[S110] with cause %s retires all that the execution owned, in one step',
    (cause) => {
      const s = loaded();
      s.end(cause, 'e1', 'why');
      const { view } = s;
      expect([view.workloads, view.activeSubagentCount, view.awaitingFollowUp, view.generation]).toEqual([
        [],
        0,
        false,
        null,
      ]);
      expect([view.foregroundActivity, view.liveness, view.mayWake, view.error]).toEqual([null, 'live', false, 'why']);
      expect([s.foreground, s.tier, isReleased(s.record), deadlineOf(s.record)]).toEqual(['free', null, true, null]);
    },
  );

  it('[S110] retires a claim that waits, and one whose agent is not open yet', () => {
    const s = session();
    const first = s.tryClaim();
    s.end('failed', 'e1');
    expect([s.view.state, s.world.tracker.isReleased('s')]).toEqual(['failed', true]);
    expect(first.granted && s.world.tracker.isCurrent('s', first.generation)).toBe(false);
    expect(s.tryClaim()).toMatchObject({ granted: true, starts: true });
  });

  it('[S110] a second time changes nothing, whatever its cause', () => {
    const s = loaded();
    s.end('completed');
    const { record } = s;
    s.world.told();
    s.end('cancelled', 'e1').end('crashed', 'e1').apply({ type: 'execution.lost', executionId: 'e1' });
    expect([s.record, s.world.told(), s.view.state]).toEqual([record, [], 'completed']);
  });

  it('[S111] [P7] releases the record when nothing uses it any more: nothing is retained', () => {
    const s = loaded();
    expect(s.world.tracker.isReleased('s')).toBe(false);
    s.end();
    const { record } = s;
    expect([record.executions.size, record.inFlight, record.cancelling, record.foreground.kind]).toEqual([
      0,
      null,
      null,
      'free',
    ]);
    expect([s.world.tracker.isReleased('s'), s.world.deadlines.size]).toEqual([true, 0]);
  });

  it('[S111] leaves the holder of a token with nothing to break', () => {
    const s = session();
    const g1 = s.claim();
    s.end();
    s.world.told();
    s.dispatch(g1).frameOf('e1', accepted(g1), rejected(g1)).release(g1);
    expect([s.world.told(), s.view.state]).toEqual([[], 'idle']);
  });

  it('[S112] [P6] of A, however late and with whatever still comes of it, is invisible to B', () => {
    const late = [
      [out],
      [launched('tool:A'), call('A')],
      [done('tool:B'), update('B', { closed: true, content: true })],
      [roster([])],
      [idle(), idle('raw')],
      [running({ runId: 'a' })],
    ];
    const s = session({ traits: CLAUDE_V1, fine: true });
    const g1 = s.prompt();
    s.frame(launched('tool:A'), yielded(g1)).end();
    const g2 = s.prompt();
    s.frame(launched('tool:B'), call('B'));
    const { record } = s;
    s.world.told();
    for (const facts of late) s.frameOf('e1', ...facts);
    s.frameOf('e1', answered(g1), completed(g1), accepted(g1), begun(g1), yielded(g1));
    s.end('cancelled', 'e1').open('e1').cancel(g1).cancelExpires(g1).release(g1).dispatch(g1);
    expect([s.record, s.world.told(), s.view.generation]).toEqual([record, [], g2]);
  });

  it('[S112] of A leaves the claim of B alone while B starts', () => {
    const s = session();
    s.prompt();
    s.end();
    const claim = s.tryClaim();
    s.end('failed', 'e1').frameOf('e1', out, launched('x'));
    expect([s.view.state, s.view.executionId, s.foreground]).toEqual(['starting', 'e2', 'claimed']);
    expect(claim.granted && s.world.tracker.isCurrent('s', claim.generation)).toBe(true);
  });

  it('[S115] is not what a transient failure is: nothing is retired until the execution ended', () => {
    const s = loaded();
    const { work } = s;
    s.apply({ type: 'execution.lost', executionId: 'e1' });
    expect([s.work, s.view.state, s.view.liveness, work.length]).toEqual([work, 'running', 'unknown', 2]);
  });

  it('[S117] leaves the next execution nothing: no registry, no owner, no run, no list, no mute', () => {
    const s = session({ traits: HERMES });
    const g1 = s.prompt();
    s.frame(running({ runId: 'r' }), roster(['p']), call('X'), { kind: 'armed', mayWake: true });
    s.cancel().cancelExpires(g1).end();
    s.claim();
    const next = s.record.executions.get('e2');
    expect(next).toMatchObject({
      registrations: [],
      hints: [],
      ended: { recent: [], older: [] },
      tools: [],
      rosterRank: null,
      run: null,
      muted: null,
      mayWake: false,
    });
    expect(s.view.policy).toBe('coarse');
  });
});
