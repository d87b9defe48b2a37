import { describe, expect, it } from 'vitest';
import type { SessionState } from '../src/event.ts';
import {
  ACP_V2,
  accepted,
  answered,
  begun,
  blocking,
  CLAUDE_V1,
  CLAUDE_V2,
  completed,
  cycleClosed,
  GENERIC,
  idle,
  launched,
  out,
  rejected,
  roster,
  running,
  yielded,
} from './facts.ts';
import { session } from './session-script.ts';

function waiting(traits = GENERIC) {
  const s = session({ traits });
  const g1 = s.prompt();
  const told = traits.levels > 0;
  s.frame(...(told ? [running(), out] : [out])).frame(...(told ? [idle(), answered(g1)] : [answered(g1)]));
  if (traits.levels === 2) s.world.pass(2_000);
  expect(s.view.state).toBe('waiting_for_input');
  return { s, g1 };
}

function handoff() {
  const s = session({ traits: CLAUDE_V1, fine: true });
  const g1 = s.prompt();
  s.frame(launched('tool:A'), yielded(g1));
  return { s, g1 };
}

describe('admission', () => {
  it('[S50] refuses a second prompt while the first is claimed', () => {
    const { s } = waiting();
    const results = [s.tryClaim(), s.tryClaim(), s.tryClaim('wakeup')];
    expect(results.map((one) => one.granted)).toEqual([true, false, false]);
    expect(results[1]).toEqual({ granted: false, reason: 'generating' });
  });

  it('[S50] is not re-opened between claim and acceptance by anything the agent says', () => {
    const { s } = handoff();
    const g2 = s.claim();
    for (const facts of [[out], [yielded(g2)], [launched('tool:B')], [cycleClosed], [yielded(g2 - 1)]]) {
      s.frame(...facts);
      expect(s.tryClaim().granted).toBe(false);
    }
    s.dispatch(g2);
    for (const facts of [[out], [yielded(g2)], [launched('tool:C')]]) {
      s.frame(...facts);
      expect(s.tryClaim().granted).toBe(false);
    }
    s.frame(accepted(g2)).frame(yielded(g2));
    expect(s.tryClaim().granted).toBe(true);
  });

  it('[S50] is an atomic step of the tracker: it may not be asked for within a delivery', () => {
    const { s } = waiting();
    let refusal: unknown;
    s.world.onChange = () => {
      try {
        s.tryClaim();
      } catch (error) {
        refusal = error;
      }
    };
    s.claim();
    expect(refusal).toBeInstanceOf(Error);
  });

  it.each([
    ['created', 'direct', null],
    ['idle', 'direct', null],
    ['completed', 'direct', null],
    ['failed', 'direct', null],
    ['cancelled', 'unavailable', 'session_ended'],
  ] as const)('[S51] of a session that is %s: %s', (state: SessionState, inputMode, inputReason) => {
    const s = session({ state, created: false });
    expect([s.view.inputMode, s.view.inputReason]).toEqual([inputMode, inputReason]);
    const result = s.tryClaim();
    expect(result).toMatchObject(inputMode === 'direct' ? { granted: true, starts: true } : { reason: inputReason });
  });

  it('[S51] of a starting session queues, of a waiting one accepts, of a running one follows the policy', () => {
    const s = session();
    const claim = s.tryClaim();
    expect([s.view.inputMode, s.view.inputReason]).toEqual(['queue', 'starting']);
    s.open().dispatch(claim.granted ? claim.generation : 0);
    expect([s.view.inputMode, s.view.inputReason]).toEqual(['queue', 'generating']);
    const { s: free } = waiting();
    expect(free.view.inputMode).toBe('direct');
    expect(free.tryClaim()).toMatchObject({ granted: true, starts: false });
  });

  it('[S52] under fine policy accepts in a running session iff it is yielded', () => {
    const { s } = handoff();
    expect([s.view.state, s.view.inputMode]).toEqual(['running', 'direct']);
    s.frame(out);
    expect([s.view.inputMode, s.view.inputReason]).toEqual(['queue', 'handoff_not_attested']);
    const coarse = session({ traits: CLAUDE_V1 });
    const g1 = coarse.prompt();
    coarse.frame(launched('tool:A'), yielded(g1));
    expect([coarse.tier, coarse.view.inputMode, coarse.view.inputReason]).toEqual([
      'background',
      'queue',
      'generating',
    ]);
  });
});

describe('claims', () => {
  it('[S53] of an earlier generation or record change nothing', () => {
    const { s } = waiting();
    const old = s.claim();
    s.release(old);
    const g = s.claim();
    s.world.told();
    s.release(old).dispatch(old).frame(accepted(old), rejected(old));
    expect([s.view.generation, s.foreground, s.world.told()]).toEqual([g, 'claimed', []]);
    expect([s.world.tracker.isCurrent('s', old), s.world.tracker.isCurrent('s', g)]).toEqual([false, true]);
    s.end();
    expect(s.world.tracker.isCurrent('s', g)).toBe(false);
  });

  it('[S54] exist before the provider is called: a frame that names the prompt may beat everything', () => {
    const s = session({ traits: ACP_V2 });
    const g1 = s.claim();
    s.frame(begun(g1), running());
    expect([s.view.generation, s.foreground, s.view.state]).toEqual([g1, 'held', 'running']);
    s.dispatch(g1).frame(accepted(g1)).frame(idle());
    expect([s.view.state, s.view.inputMode]).toEqual(['waiting_for_input', 'direct']);
  });

  it('[S55] are accepted once, even if the cycle has moved on', () => {
    const s = session({ traits: CLAUDE_V2 });
    const g1 = s.claim();
    s.dispatch(g1).frame(begun(g1), running(), running('raw')).frame(completed(g1), idle(), idle('raw'));
    s.frame(running('raw')).frame(accepted(g1)).frame(accepted(g1));
    expect([s.record.inFlight, s.tier]).toEqual([null, 'generating']);
  });

  it('[S55] give the predecessor back as it is now', () => {
    const quiet = handoff();
    quiet.s.release(quiet.s.claim());
    expect([quiet.s.foreground, quiet.s.view.generation]).toEqual(['yielded', quiet.g1]);
    const spoke = handoff();
    const g2 = spoke.s.claim();
    spoke.s.frame(out).release(g2);
    expect([spoke.s.foreground, spoke.s.view.state]).toEqual(['held', 'running']);
    const over = handoff();
    const g3 = over.s.claim();
    over.s.frame(answered(over.g1)).release(g3);
    expect([over.s.foreground, over.s.view.state]).toEqual(['free', 'waiting_for_input']);
  });

  it('[S55] give the predecessor back when its successor is refused after something was said', () => {
    const { s, g1 } = handoff();
    const g2 = s.claim();
    s.dispatch(g2).frame(out).frame(blocking('tool:G')).frame(rejected(g2));
    expect([s.view.state, s.view.generation, s.foreground]).toEqual(['running', g1, 'held']);
    expect(s.work).toEqual(['tool:A']);
    expect(s.tryClaim().granted).toBe(false);
    s.frame(answered(g1));
    expect(s.view.state).toBe('waiting_for_input');
  });

  it('[S55] do not give back a predecessor whose answer came meanwhile', () => {
    const { s, g1 } = handoff();
    const g2 = s.claim();
    s.dispatch(g2).frame(out).frame(answered(g1)).frame(rejected(g2));
    expect([s.view.state, s.foreground]).toEqual(['waiting_for_input', 'free']);
  });

  it('[S55] are rolled back where the prompt began with its writing', () => {
    const { s } = waiting();
    const g2 = s.claim();
    s.dispatch(g2).frame(rejected(g2));
    expect([s.view.state, s.foreground, s.view.inputMode]).toEqual(['waiting_for_input', 'free', 'direct']);
  });

  it('[S55] that the provider holds back are neither failed nor over', () => {
    const { s } = waiting(ACP_V2);
    const g2 = s.claim();
    s.dispatch(g2).frame(running(), out).frame(idle());
    expect([s.view.generation, s.foreground, s.view.state]).toEqual([g2, 'claimed', 'running']);
    s.frame(begun(g2), accepted(g2), running()).frame(idle());
    expect(s.view.state).toBe('waiting_for_input');
  });

  it('[S56] are past once accepted: a later refusal gives nothing back', () => {
    const { s } = handoff();
    const g2 = s.claim();
    s.dispatch(g2).frame(accepted(g2));
    s.frame(rejected(g2)).release(g2);
    expect([s.view.generation, s.foreground]).toEqual([g2, 'claimed']);
    s.frame(out).frame(rejected(g2));
    expect([s.view.generation, s.foreground]).toEqual([g2, 'held']);
  });
});

describe('generations', () => {
  it('[S57] begin with user_message or the answer in ACP v2; until then frames are the predecessor’s', () => {
    const { s } = waiting(ACP_V2);
    const g2 = s.claim();
    s.dispatch(g2).frame(running(), out, blocking('f'));
    expect([s.foreground, s.view.generation]).toEqual(['claimed', g2]);
    s.frame(idle());
    expect([s.foreground, s.work]).toEqual(['claimed', []]);
    s.frame(accepted(g2));
    expect(s.foreground).toBe('held');
  });

  it('[S57] begin with the writing of the request in v1 where the foreground was free', () => {
    const { s } = waiting();
    const g2 = s.claim();
    expect(s.foreground).toBe('claimed');
    s.dispatch(g2);
    expect(s.foreground).toBe('held');
  });

  it('[S57] begin in a handoff with the first output after the writing, or the predecessor’s answer', () => {
    const byOutput = handoff();
    const g2 = byOutput.s.claim();
    byOutput.s.dispatch(g2);
    expect(byOutput.s.foreground).toBe('claimed');
    byOutput.s.frame(out);
    expect([byOutput.s.foreground, byOutput.s.view.generation]).toEqual(['held', g2]);
    const byAnswer = handoff();
    const g3 = byAnswer.s.claim();
    byAnswer.s.dispatch(g3).frame(answered(byAnswer.g1));
    expect([byAnswer.s.foreground, byAnswer.s.view.generation]).toEqual(['held', g3]);
  });

  it('[S57] begin in a handoff also when the last detached work ended between claim and output', () => {
    const { s, g1 } = handoff();
    const g2 = s.claim();
    s.dispatch(g2).frame({ ...out });
    s.frame(answered(g1)).frame(answered(g2));
    expect(s.view.state).toBe('waiting_for_input');
  });

  it('[S57] begin neither before the writing, nor with what a cycle of the agent says that came between', () => {
    const early = handoff();
    early.s.claim();
    early.s.frame(out);
    expect(early.s.foreground).toBe('claimed');
    const { s } = waiting(CLAUDE_V1);
    const g2 = s.claim();
    s.frame(out).dispatch(g2).frame(out);
    expect(s.foreground).toBe('claimed');
    s.frame(cycleClosed);
    expect([s.foreground, s.view.generation]).toEqual(['held', g2]);
  });

  it('[S57] that begin between the two ends of a wake are not ended by its second', () => {
    const { s } = waiting(CLAUDE_V2);
    const g2 = s.claim();
    s.dispatch(g2).frame(running('raw'), running(), out).frame(idle()).frame(begun(g2)).frame(idle('raw'));
    s.world.pass(60_000);
    expect([s.view.generation, s.view.state]).toEqual([g2, 'running']);
  });

  it('[S58] are not taken for completed by the end of an earlier one', () => {
    const { s, g1 } = waiting(CLAUDE_V2);
    const g2 = s.prompt();
    s.frame(running('raw'), running()).frame(completed(g1)).frame(idle()).frame(running('raw'));
    expect(s.view.generation).toBe(g2);
  });

  it('[S58] are not moved by anything of an earlier one', () => {
    const { s, g1 } = waiting();
    const g2 = s.prompt();
    s.world.told();
    s.frame(answered(g1), completed(g1), yielded(g1), begun(g1), accepted(g1), rejected(g1));
    s.cancel(g1).cancelExpires(g1).release(g1).dispatch(g1);
    expect([s.view.generation, s.foreground, s.view.cancellationPending, s.world.told()]).toEqual([
      g2,
      'held',
      false,
      [],
    ]);
  });

  it('[S58] are not ended by the deadline of an earlier one', () => {
    const s = session({ traits: CLAUDE_V2 });
    s.prompt();
    s.frame(running(), running('raw')).frame(idle()).frame(idle('raw'));
    const g2 = s.prompt();
    s.world.now += 10_000;
    s.apply({ type: 'time.passed' });
    expect([s.view.generation, s.view.state]).toEqual([g2, 'running']);
  });

  it('[S59] of a human are never completed by the end of a wake', () => {
    const { s } = waiting(CLAUDE_V1);
    const g2 = s.prompt();
    s.frame(cycleClosed);
    expect([s.view.generation, s.view.state]).toEqual([g2, 'running']);
  });

  it('[S59] of a human are never completed by the idle of another origin’s run', () => {
    const { s } = waiting(ACP_V2);
    const g2 = s.prompt();
    s.frame(out);
    s.frame(running({ runId: 'wake', agentInitiated: true })).frame(idle({ runId: 'wake' }));
    expect([s.view.generation, s.view.state]).toEqual([g2, 'running']);
    s.frame(running({ runId: 'own' })).frame(idle({ runId: 'own' }));
    expect(s.view.state).toBe('waiting_for_input');
  });

  it.each([
    ['answer', (g: number) => [answered(g)]],
    ['end', (g: number) => [completed(g), answered(g)]],
  ])('[S59] are completed by the %s that names them, even when folded into another turn', (_name, ends) => {
    const { s } = waiting(CLAUDE_V1);
    const g2 = s.claim();
    s.frame(out).dispatch(g2);
    expect(s.foreground).toBe('claimed');
    s.frame(accepted(g2)).frame(...ends(g2));
    expect([s.view.state, s.foreground, s.view.inputMode]).toEqual(['waiting_for_input', 'free', 'direct']);
  });

  it('[S59] are completed by their own end on two levels, and freed by the idle that follows', () => {
    const { s } = waiting(CLAUDE_V2);
    const g2 = s.claim();
    s.frame(running('raw'), running(), out).dispatch(g2);
    s.frame(completed(g2));
    expect([s.view.generation, s.view.state]).toEqual([g2, 'running']);
    s.frame(idle(), idle('raw'), accepted(g2));
    expect([s.view.state, s.foreground, s.view.inputMode]).toEqual(['waiting_for_input', 'free', 'direct']);
  });

  it('[S78] in v1 are ended by their answer and the reported idle together, in either order', () => {
    for (const idleFirst of [true, false]) {
      const { s } = waiting({ ...GENERIC, agentCycles: true, levels: 1, reports: true });
      const g2 = s.prompt();
      s.frame(running(), roster([]));
      s.frame(idleFirst ? idle() : answered(g2));
      expect(s.view.state).toBe('running');
      s.frame(idleFirst ? answered(g2) : idle());
      expect(s.view.state).toBe('waiting_for_input');
    }
  });

  it('[S78] in v1 are not settled by idle while the request is open, whatever is listed and however long', () => {
    const { s } = waiting({ ...GENERIC, agentCycles: true, levels: 1, reports: true });
    s.prompt();
    s.frame(running(), roster(['b'])).frame(idle());
    s.world.pass(86_400_000);
    expect([s.view.state, s.tryClaim().granted]).toEqual(['running', false]);
  });
});
