import { describe, expect, it } from 'vitest';
import { ACP_V2, answered, begun, CLAUDE_V1, completed, launched, out, running, yielded } from './facts.ts';
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
});
