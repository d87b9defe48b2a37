import { describe, expect, it } from 'vitest';
import {
  accepted,
  answered,
  blocking,
  CLAUDE_V1,
  CLAUDE_V1_RAW,
  call,
  detached,
  doneUnnamed,
  idle,
  launched,
  out,
  roster,
  running,
  update,
  yielded,
} from './facts.ts';
import { session } from './session-script.ts';

/** Plain Claude under fine policy: a background subagent, a monitor and a nested blocking subagent, at the boundary. */
function boundary(traits = CLAUDE_V1) {
  const s = session({ traits, fine: true });
  const g1 = s.prompt();
  s.frame(launched('tool:A'), launched('tool:M', { kind: 'monitor' }), blocking('tool:F')).frame(yielded(g1));
  return { s, g1 };
}

function successor() {
  const { s, g1 } = boundary();
  const g2 = s.claim();
  s.dispatch(g2).frame(accepted(g2), out);
  return { s, g1, g2 };
}

describe('handoff', () => {
  it('[S60] passes the foreground to exactly one human prompt while the request of the predecessor is open', () => {
    const { s } = boundary();
    const results = [s.tryClaim(), s.tryClaim()];
    expect(results.map((one) => one.granted)).toEqual([true, false]);
    expect(results[0]).toMatchObject({ starts: false, executionId: 'e1' });
  });

  it('[S61] is never triggered nor consumed by a wake-up, which waits for the request that owns the foreground', () => {
    const { s, g1 } = boundary();
    expect(s.tryClaim('wakeup')).toEqual({ granted: false, reason: 'generating' });
    expect(s.view.inputMode).toBe('direct');
    s.frame(answered(g1));
    expect(s.tryClaim('wakeup').granted).toBe(true);
  });

  it('[S61] keeps a wake-up waiting for the human turn that took it, even when the predecessor has answered', () => {
    const { s, g1, g2 } = successor();
    s.frame(answered(g1));
    expect(s.tryClaim('wakeup').granted).toBe(false);
    s.frame(answered(g2));
    expect(s.tryClaim('wakeup').granted).toBe(true);
  });

  it.each([
    ['no attestation', CLAUDE_V1, (g: number) => [launched('tool:A'), detached('tool:A', `no:${g}`)]],
    ['generation 0', CLAUDE_V1, () => [launched('tool:A'), yielded(0)]],
    ['no capability', { ...CLAUDE_V1, handoff: false }, (g: number) => [launched('tool:A'), yielded(g)]],
  ])('[S62] needs more than %s: the session stays generating and says why', (_name, traits, facts) => {
    const s = session({ traits, fine: true });
    const g1 = s.prompt();
    s.frame(...facts(g1));
    expect([s.view.foregroundActivity, s.view.inputMode, s.view.inputReason]).toEqual([
      'generating',
      'queue',
      'handoff_not_attested',
    ]);
    expect(s.tryClaim()).toEqual({ granted: false, reason: 'handoff_not_attested' });
  });

  it('[S63] suppresses the late answer of the predecessor: it finalises nothing and sweeps nothing', () => {
    const { s, g1, g2 } = successor();
    s.frame(call('X'), blocking('tool:G'));
    s.world.told();
    s.frame(answered(g1));
    expect([s.view.generation, s.foreground, s.world.told()]).toEqual([g2, 'held', []]);
    expect(s.work).toEqual(['tool:A', 'tool:M', 'tool:F', 'tool:G']);
    s.frame(answered(g1));
    expect(s.view.generation).toBe(g2);
  });

  it('[S64] waits for nothing of the predecessor: the successor lives through its own turn', () => {
    const { s, g2 } = successor();
    s.frame(answered(g2));
    expect([s.view.state, s.tier]).toEqual(['waiting_for_input', 'background']);
  });

  it('[S65] keeps what was live at it, with nested calls and monitors, over the end of the successor', () => {
    const { s, g2 } = successor();
    s.frame(blocking('tool:G')).frame(answered(g2));
    expect(s.work).toEqual(['tool:A', 'tool:M', 'tool:F']);
    s.frame(update('F', { closed: true }));
    expect(s.work).toEqual(['tool:A', 'tool:M']);
  });

  it('[S65] ends its protection with an explicit cancel, which retires exactly what dies with it', () => {
    const { s, g2 } = successor();
    s.frame(call('X'), call('B', { background: true }), launched('tool:S', { kind: 'shell' }));
    s.cancel(g2).frame(answered(g2, 'cancelled'));
    expect(s.work).toEqual(['tool:M', 'tool:S']);
    expect(s.record.executions.get('e1')?.tools).toEqual([]);
    expect([s.view.state, s.view.stopReason]).toEqual(['waiting_for_input', 'cancelled']);
  });

  it('[S65] ends its protection also when the cancel of a successor that has not begun is never answered', () => {
    const { s, g1 } = boundary();
    const g2 = s.claim();
    s.dispatch(g2).frame(accepted(g2)).cancel(g2).cancelExpires(g2);
    expect([s.work, s.foreground, s.view.generation]).toEqual([['tool:M'], 'yielded', g1]);
  });

  it('[S65] lets everything detached survive a cancel where nothing dies with it', () => {
    const s = session({ traits: CLAUDE_V1_RAW });
    const g1 = s.prompt();
    s.frame(roster(['a']), launched('b'), blocking('f'))
      .cancel()
      .frame(answered(g1, 'cancelled'));
    expect(s.work).toEqual(['a', 'b']);
  });

  it('[S60] [S78] ends with the answer of a yielded turn although a level never said idle', () => {
    const { s, g1 } = boundary(CLAUDE_V1_RAW);
    s.frame(running('raw')).frame(yielded(g1));
    expect(s.foreground).toBe('yielded');
    s.frame(answered(g1));
    expect([s.view.state, s.tier]).toEqual(['waiting_for_input', 'background']);
  });

  it('[S5] [S57] is there again for the successor when it names it, though it said nothing', () => {
    const { s } = boundary();
    const g2 = s.claim();
    s.dispatch(g2).frame(accepted(g2)).frame(yielded(g2));
    expect([s.foreground, s.view.generation]).toEqual(['yielded', g2]);
  });

  it('[S2] [S55] under a claim follows its own work', () => {
    const { s } = boundary();
    const g2 = s.claim();
    s.frame(doneUnnamed(true)).frame(idle({ stopReason: 'x' }));
    s.release(g2);
    expect(s.foreground).toBe('yielded');
  });
});
