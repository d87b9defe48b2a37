import { describe, expect, it } from 'vitest';
import { decide } from '../src/decide.ts';
import { Outbox } from '../src/outbox.ts';
import {
  ACP_V2,
  accepted,
  answered,
  begun,
  blocking,
  CLAUDE_V1,
  CLAUDE_V2,
  completed,
  done,
  idle,
  launched,
  named,
  out,
  running,
  yielded,
} from './facts.ts';
import { session } from './session-script.ts';

/** A yielded predecessor and a claim that stands before it. */
function handoff() {
  const s = session({ traits: CLAUDE_V1, fine: true });
  const g1 = s.prompt();
  s.frame(launched('tool:A'), yielded(g1));
  return { s, g1, g2: s.claim() };
}

describe('found by planted bugs', () => {
  it('[S58] [S59] a frame that names an earlier prompt does not begin the claimed one', () => {
    const s = session({ traits: ACP_V2 });
    const g1 = s.claim();
    s.release(g1);
    const g2 = s.claim();
    s.dispatch(g2).frame(begun(g1));
    expect(s.record.foreground).toMatchObject({ kind: 'claimed', claim: { generation: g2 }, under: { kind: 'free' } });
  });

  it('[S57] a claim that was not sent does not begin when its predecessor is answered', () => {
    const { s, g1, g2 } = handoff();
    s.frame(answered(g1));
    expect(s.record.foreground).toMatchObject({ kind: 'claimed', claim: { generation: g2, dispatched: false } });
    s.release(g2);
    expect(s.view).toMatchObject({ state: 'waiting_for_input', stopReason: null });
  });

  it('[S63] the late answer of the predecessor leaves a successor that has begun and is not yet accepted', () => {
    const { s, g1, g2 } = handoff();
    s.dispatch(g2).frame(out);
    s.frame(answered(g1));
    expect(s.record.foreground).toMatchObject({ kind: 'held', cycle: { generation: g2, predecessor: null } });
    s.frame(answered(g2));
    expect(s.view.state).toBe('waiting_for_input');
  });

  it('[S131] words of a turn that was cancelled and never answered do not keep the next one busy', () => {
    const s = session({ traits: ACP_V2 });
    const g1 = s.prompt();
    s.cancel().cancelExpires(g1).frame(out);
    const g2 = s.claim();
    s.dispatch(g2).frame(completed(g2));
    expect(s.view.state).toBe('waiting_for_input');
  });

  it('[S121] a run that names another origin is of the agent, also while a sent prompt waits for its own', () => {
    const s = session({ traits: ACP_V2 });
    const g1 = s.claim();
    s.dispatch(g1).frame(running({ runId: 'r1', agentInitiated: true }));
    expect(s.record.foreground).toMatchObject({
      kind: 'claimed',
      claim: { generation: g1 },
      under: { kind: 'held', cycle: { origin: 'agent', run: 'r1' } },
    });
  });

  it('[S25] a name alone makes nothing live', () => {
    const s = session({ traits: CLAUDE_V1 });
    s.prompt();
    s.frame(named('run:A', 'tool:A'));
    expect([s.work, s.count]).toEqual([[], 0]);
  });

  it('[S12] time that is not over ends no settling', () => {
    const s = session({ traits: CLAUDE_V1 });
    const g1 = s.prompt();
    s.frame(launched('tool:A'), answered(g1)).frame(done('tool:A'));
    s.world.now += 1_999;
    s.apply({ type: 'time.passed' });
    expect(s.view.awaitingFollowUp).toBe(true);
    s.world.now += 1;
    s.apply({ type: 'time.passed' });
    expect(s.view.awaitingFollowUp).toBe(false);
  });

  it('[S100] the revision of the pair stays while something else changes', () => {
    const s = session();
    s.prompt();
    const { activityRevision } = s.view;
    s.cancel();
    expect(s.view).toMatchObject({ cancellationPending: true, activityRevision });
  });

  it('[S111] is not released while an agent is live, though nothing is at work', () => {
    const s = session();
    s.frame(answered(s.prompt()));
    expect(s.world.tracker.isReleased(s.id)).toBe(false);
    s.end();
    expect(s.world.tracker.isReleased(s.id)).toBe(true);
  });

  it('[S121] an idle that follows idle is a list update: it does not change why the turn ended', () => {
    const s = session({ traits: CLAUDE_V2 });
    s.prompt();
    s.frame(running(), running('raw'))
      .frame(idle())
      .frame(idle({ stopReason: 'refusal' }));
    s.world.pass(2_000);
    expect(s.view).toMatchObject({ state: 'waiting_for_input', stopReason: 'end_turn' });
  });

  it('[S56] an accepted successor keeps no predecessor to give back', () => {
    const { s, g2 } = handoff();
    s.dispatch(g2).frame(out);
    s.frame(accepted(g2));
    expect(s.record.foreground).toMatchObject({ cycle: { generation: g2, predecessor: null } });
  });

  it('[S65] work that went to the background belongs to no turn any more', () => {
    const s = session({ traits: CLAUDE_V1 });
    s.prompt();
    s.frame(blocking('tool:A')).frame(launched('tool:A'));
    expect(s.record.executions.get(s.execution)?.registrations).toMatchObject([{ detached: true, generation: null }]);
  });

  it('[S45] [S112] the end of an execution that is gone leaves the very same record', () => {
    const s = session();
    s.prompt();
    const { record } = s;
    const ended = { type: 'execution.ended', executionId: 'e0', cause: 'crashed', error: null } as const;
    expect(decide(record, { ...ended, sessionId: s.id, at: 1 }, 99).record).toBe(record);
  });

  it('[S90] a task counts subagents, not sessions that have some', () => {
    const s = session({ traits: CLAUDE_V1 });
    s.prompt();
    s.frame(launched('tool:A'), launched('tool:B'));
    expect(s.world.activity?.activeSubagentCount).toBe(2);
  });

  it('[S104] a subscriber that threw is told again with the next value, though one waits already', () => {
    const outbox = new Outbox<number>();
    let told = 0;
    outbox.subscribe(() => {
      told += 1;
      if (told === 1) throw new Error('not now');
    });
    outbox.push('a', 1);
    outbox.push('a', 2);
    outbox.push('a', 3);
    expect(told).toBe(2);
  });
});
