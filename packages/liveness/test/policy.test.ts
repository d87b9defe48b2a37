import { describe, expect, it } from 'vitest';
import type { SessionState } from '../src/event.ts';
import { expose } from '../src/expose.ts';
import type { Policy, Tier } from '../src/view.ts';
import {
  ACP_V2,
  answered,
  CLAUDE_V1,
  cycleClosed,
  done,
  doneUnnamed,
  GENERIC,
  HERMES,
  idle,
  launched,
  out,
  roster,
  running,
  yielded,
} from './facts.ts';
import { session } from './session-script.ts';

const STATES: readonly SessionState[] = [
  'created',
  'starting',
  'running',
  'waiting_for_input',
  'idle',
  'completed',
  'failed',
  'cancelled',
];
const TIERS: readonly (Tier | null)[] = ['generating', 'background', null];

describe('exposed tier', () => {
  it.each(['coarse', 'reported', 'fine'] as const)('[S73] [S75] is the table under policy %s', (policy: Policy) => {
    for (const state of STATES) {
      for (const tier of TIERS) {
        const running = policy === 'fine' ? (tier ?? 'generating') : 'generating';
        const waiting = policy !== 'coarse' && tier === 'background' ? 'background' : null;
        const expected = state === 'running' ? running : state === 'waiting_for_input' ? waiting : null;
        expect(expose(state, tier, policy), `${state} ${tier}`).toBe(expected);
      }
    }
  });

  it('[S70] [P8] under the default is a function of the coarse state, whatever frames come', () => {
    const s = session({ traits: CLAUDE_V1 });
    const g1 = s.prompt();
    const frames = [[launched('tool:A')], [yielded(g1)], [doneUnnamed()], [cycleClosed], [launched('tool:B')], [out]];
    for (const facts of [...frames, ...frames]) {
      s.frame(...facts);
      expect([s.view.policy, s.view.foregroundActivity, s.view.inputMode]).toEqual(['coarse', 'generating', 'queue']);
      expect(s.tryClaim().granted).toBe(false);
    }
    s.frame(launched('tool:C'), answered(g1));
    expect([s.view.foregroundActivity, s.count, s.tier, s.view.inputMode]).toEqual([null, 1, 'background', 'direct']);
  });

  it('[S71] [S72] under fine follows the private tier, and only where the rules say so', () => {
    const s = session({ traits: CLAUDE_V1, fine: true });
    const g1 = s.prompt();
    s.frame(launched('tool:A'), yielded(g1));
    expect([s.view.policy, s.view.foregroundActivity]).toEqual(['fine', 'background']);
    s.frame(answered(g1));
    expect(s.view.foregroundActivity).toBe('background');
    s.frame(done('tool:A'));
    s.world.pass(2_000);
    expect(s.view.foregroundActivity).toBe(null);
  });

  it('[S72] under fine without the capability stays generating until the turn completes', () => {
    const s = session({ traits: { ...CLAUDE_V1, handoff: false }, fine: true });
    const g1 = s.prompt();
    s.frame(launched('tool:A'), yielded(g1));
    expect(s.view.foregroundActivity).toBe('generating');
    s.frame(answered(g1));
    expect(s.view.foregroundActivity).toBe('background');
  });
});

describe('reported policy', () => {
  it('[S74] applies once a complete list came from an execution that agreed to report', () => {
    const s = session({ traits: ACP_V2 });
    s.prompt();
    expect([s.view.policy, s.view.reportsBackground]).toEqual(['coarse', null]);
    s.frame(running(), roster(['b']));
    expect([s.view.policy, s.view.reportsBackground, s.view.foregroundActivity]).toEqual([
      'reported',
      true,
      'generating',
    ]);
    expect(s.tryClaim()).toEqual({ granted: false, reason: 'generating' });
    s.frame(idle());
    expect([s.view.foregroundActivity, s.view.inputMode]).toEqual(['background', 'direct']);
  });

  it('[S74] is raised by no frame of an execution that did not agree', () => {
    const s = session({ traits: GENERIC });
    const g1 = s.prompt();
    s.frame(roster(['b']))
      .frame(launched('c'))
      .frame(answered(g1));
    expect([s.view.policy, s.view.foregroundActivity, s.view.reportsBackground]).toEqual(['coarse', null, false]);
  });

  it('[S74] is raised by no start, end or idle without a list', () => {
    const s = session({ traits: HERMES });
    const g1 = s.prompt();
    s.frame(running(), launched('b')).frame(idle(), answered(g1));
    expect([s.view.policy, s.view.foregroundActivity]).toEqual(['coarse', null]);
  });

  it('[S74] says of an agent that could report, and has ended a turn without, that it does not', () => {
    const s = session({ traits: HERMES });
    const g1 = s.prompt();
    expect(s.view.reportsBackground).toBeNull();
    s.frame(answered(g1));
    expect(s.view.reportsBackground).toBe(false);
    s.frame(roster([]));
    expect(s.view.reportsBackground).toBe(true);
  });

  it('[S74] is off with its toggle, and yields to fine', () => {
    for (const [rules, policy] of [
      [{ reported: false }, 'coarse'],
      [{ fine: true }, 'fine'],
    ] as const) {
      const s = session({ traits: ACP_V2, ...rules });
      s.prompt();
      s.frame(running(), roster(['b'])).frame(idle());
      expect(s.view.policy).toBe(policy);
    }
  });

  it('[S74] is that of its execution: the next one has to report again', () => {
    const s = session({ traits: ACP_V2 });
    s.prompt();
    s.frame(running(), roster([])).end();
    expect(s.view.policy).toBe('coarse');
    s.prompt();
    expect([s.view.policy, s.view.reportsBackground]).toEqual(['coarse', null]);
  });

  it('[S76] is latched: what an open execution may do is given once, when it is opened', () => {
    const s = session({ traits: GENERIC });
    s.prompt();
    s.frame(roster(['b'])).open('e0', ACP_V2);
    expect(s.view.policy).toBe('coarse');
  });

  it('[S77] never advertises direct input for a running session that rejects it', () => {
    for (const traits of [ACP_V2, HERMES, GENERIC, CLAUDE_V1]) {
      const s = session({ traits });
      s.prompt();
      for (const facts of [[running()], [roster(['b'])], [launched('c')], [yielded(s.view.generation ?? 0)]]) {
        s.frame(...facts);
        expect(s.view.inputMode === 'direct').toBe(s.tryClaim().granted);
        expect(s.view.inputMode).toBe('queue');
      }
    }
  });
});
