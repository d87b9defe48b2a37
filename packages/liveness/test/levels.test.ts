import { describe, expect, it } from 'vitest';
import {
  ACP_V2,
  answered,
  CLAUDE_V1,
  CLAUDE_V2,
  completed,
  cycleClosed,
  doneUnnamed,
  HERMES,
  idle,
  item,
  launched,
  out,
  roster,
  running,
} from './facts.ts';
import { session } from './session-script.ts';

describe('expected follow-up', () => {
  function settled() {
    const s = session({ traits: CLAUDE_V2 });
    s.prompt();
    s.frame(running(), roster(['run:b'])).frame(idle(), idle('raw'));
    return s;
  }

  it('[S12] is there for two seconds after the last work ended while the foreground was free', () => {
    const s = settled();
    s.frame(roster([]));
    expect([s.view.awaitingFollowUp, s.tier, s.count, s.work]).toEqual([true, 'background', 0, []]);
    s.world.pass(1_999);
    expect(s.view.awaitingFollowUp).toBe(true);
    s.world.pass(1);
    expect([s.view.awaitingFollowUp, s.tier]).toEqual([false, null]);
  });

  it('[S12] never delays admission, and ends when the foreground is taken', () => {
    const s = settled();
    s.frame(roster([]));
    const g2 = s.prompt();
    expect(s.view.awaitingFollowUp).toBe(false);
    expect(s.view.generation).toBe(g2);
    s.frame(running(), running('raw')).frame(idle(), idle('raw'));
    expect([s.view.generation, s.view.awaitingFollowUp]).toEqual([null, false]);
  });

  it('[S12] is back when a prompt that was claimed meanwhile is given up', () => {
    const s = settled();
    s.frame(roster([]));
    const g2 = s.claim();
    expect(s.view.awaitingFollowUp).toBe(false);
    s.release(g2);
    expect(s.view.awaitingFollowUp).toBe(true);
  });

  it('[S12] is not there after a stop that we asked for', () => {
    const s = settled();
    s.world.told();
    s.apply({ type: 'stop.requested', executionId: s.execution, workloadId: 'run:b' });
    expect(s.world.told()).toEqual([]);
    s.frame(roster([]));
    expect(s.view.awaitingFollowUp).toBe(false);
  });

  it('[S12] is there when one of two ended by itself after the other was stopped', () => {
    const s = settled();
    s.frame(roster(['run:b', 'run:c']));
    s.apply({ type: 'stop.requested', executionId: s.execution, workloadId: 'run:b' });
    s.frame(roster(['run:c'])).frame(roster([]));
    expect(s.view.awaitingFollowUp).toBe(true);
  });

  it('[S12] is not there where the end came on the closing frame of the wake that reported it', () => {
    const s = session({ traits: CLAUDE_V1 });
    s.frame(launched('tool:A')).frame(answered(s.prompt()));
    s.frame(launched('tool:A')).frame(out).frame(doneUnnamed(), cycleClosed);
    expect([s.work, s.view.awaitingFollowUp, s.tier]).toEqual([[], false, null]);
  });

  it('[S12] is not there where the provider does not wake by itself, and ends with its execution', () => {
    const quiet = session({ traits: ACP_V2 });
    quiet.prompt();
    quiet
      .frame(running(), roster(['b']))
      .frame(idle())
      .frame(roster([]));
    expect(quiet.view.awaitingFollowUp).toBe(false);
    const s = settled();
    s.frame(roster([])).end();
    expect([s.view.awaitingFollowUp, s.world.deadlines.size]).toEqual([false, 0]);
  });

  it('[S122] is there while an item is listed with a terminal status, and ends when it leaves the list', () => {
    const s = session({ traits: HERMES });
    const g1 = s.prompt();
    s.frame(running({ runId: 'r1' }))
      .frame(roster(['p']), idle({ runId: 'r1' }))
      .frame(answered(g1));
    expect([s.view.state, s.work]).toEqual(['waiting_for_input', ['p']]);
    s.frame(roster([item('p', { status: 'ended' })]));
    expect([s.view.awaitingFollowUp, s.tier, s.work, s.view.inputMode]).toEqual([true, 'background', [], 'direct']);
    s.world.pass(60_000);
    expect(s.view.awaitingFollowUp).toBe(true);
    s.frame(roster([]));
    expect([s.view.awaitingFollowUp, s.tier]).toEqual([false, null]);
  });
});

describe('two levels', () => {
  function working() {
    const s = session({ traits: CLAUDE_V2 });
    const g1 = s.prompt();
    s.frame(running('raw')).frame(running()).frame(out);
    return { s, g1 };
  }

  it.each([
    ['state first', [idle(), idle('raw')]],
    ['raw first', [idle('raw'), idle()]],
  ])('[S13] end with the later of them when nothing is live (%s)', (_name, ends) => {
    const { s } = working();
    for (const [index, end] of ends.entries()) {
      expect(s.view.state).toBe('running');
      s.frame(end);
      expect(s.view.state).toBe(index === 0 ? 'running' : 'waiting_for_input');
    }
  });

  it('[S13] end two seconds after the first when the other never comes', () => {
    const { s } = working();
    s.frame(idle());
    s.world.pass(1_999);
    expect(s.view.state).toBe('running');
    s.world.pass(1);
    expect(s.view.state).toBe('waiting_for_input');
  });

  it('[S13] end with the first of them while detached work is live, also when it is told of after', () => {
    const before = working().s;
    before.frame(roster(['run:b'])).frame(idle());
    expect(before.view.state).toBe('waiting_for_input');
    const after = working().s;
    after.frame(idle()).frame(roster(['run:b']));
    expect([after.view.state, after.tier]).toEqual(['waiting_for_input', 'background']);
  });

  it.each([
    ['raw', [idle(), idle('raw')]],
    ['state', [idle('raw'), idle()]],
  ] as const)(
    '[S13] [S58] of the next prompt are not ended by the late %s idle of the one before',
    (_name, [first, late]) => {
      const { s } = working();
      s.frame(roster(['run:b'])).frame(first);
      expect(s.view.state).toBe('waiting_for_input');
      const g2 = s.prompt();
      s.frame(late);
      s.world.pass(60_000);
      expect([s.view.generation, s.view.state, s.tryClaim().granted]).toEqual([g2, 'running', false]);
      s.frame(running('raw')).frame(running(), out).frame(idle());
      expect(s.view.state).toBe('waiting_for_input');
    },
  );

  it('[S13] are not freed by the end of the prompt alone', () => {
    const { s, g1 } = working();
    s.frame(completed(g1));
    expect([s.view.state, s.tier]).toEqual(['running', 'generating']);
  });

  it('[S13] are taken over without a gap by a wake that begins before the foreground was freed', () => {
    const { s, g1 } = working();
    s.frame(completed(g1)).frame(idle());
    s.world.told();
    s.frame(running('raw'));
    s.world.pass(60_000);
    expect([s.view.state, s.tier]).toEqual(['running', 'generating']);
    expect(s.view.generation).not.toBe(g1);
    expect(s.world.told()).not.toContain('session.state_changed');
    s.frame(running()).frame(idle(), idle('raw'));
    expect(s.view.state).toBe('waiting_for_input');
  });

  it('[S13] are taken over by output too, whose end is then awaited', () => {
    const { s } = working();
    s.frame(idle()).frame(out);
    s.world.pass(60_000);
    expect([s.view.state, s.tier]).toEqual(['running', 'generating']);
    s.frame(idle(), idle('raw'));
    expect(s.view.state).toBe('waiting_for_input');
  });

  it('[S13] keep the deadline when a running level only repeats its list', () => {
    const { s } = working();
    s.frame(idle('raw')).frame(running(), roster([]));
    s.world.pass(2_000);
    expect(s.view.state).toBe('waiting_for_input');
  });
});
