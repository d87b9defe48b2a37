import { describe, expect, it } from 'vitest';
import {
  ACP_V2,
  answered,
  begun,
  blocking,
  CLAUDE_V1,
  CLAUDE_V1_RAW,
  CLAUDE_V2,
  call,
  completed,
  cycleClosed,
  done,
  GENERIC,
  HERMES,
  idle,
  item,
  launched,
  needsAction,
  out,
  roster,
  running,
  unknownState,
  update,
  yielded,
} from './facts.ts';
import { session } from './session-script.ts';

/** Plain Claude under fine policy, with a background subagent, at the handoff boundary. */
function yieldedSession() {
  const s = session({ traits: CLAUDE_V1, fine: true });
  const g1 = s.prompt();
  s.frame(launched('tool:A'), call('A', { background: true }));
  s.frame(yielded(g1));
  return { s, g1 };
}

describe('foreground', () => {
  it('[S1] goes free, claimed, held and free again', () => {
    const s = session();
    expect([s.foreground, s.tier]).toEqual(['free', null]);
    const g1 = s.claim();
    expect([s.foreground, s.tier]).toEqual(['claimed', 'generating']);
    s.dispatch(g1);
    expect([s.foreground, s.tier]).toEqual(['held', 'generating']);
    s.frame(answered(g1));
    expect([s.foreground, s.tier]).toEqual(['free', null]);
  });

  it('[S1] is background while it is free and detached work is live, and while it is yielded', () => {
    const { s, g1 } = yieldedSession();
    expect([s.foreground, s.tier]).toEqual(['yielded', 'background']);
    s.frame(answered(g1));
    expect([s.foreground, s.tier]).toEqual(['free', 'background']);
  });

  it('[S2] goes from yielded to held in the step that removes the last detached work', () => {
    const { s } = yieldedSession();
    s.world.told();
    s.frame(done('tool:A'));
    expect([s.foreground, s.view.foregroundActivity, s.count]).toEqual(['held', 'generating', 0]);
    expect(s.world.told().filter((type) => type === 'session.activity_changed')).toHaveLength(1);
  });

  it('[S2] stays free when the last detached work ends while it is free', () => {
    const { s, g1 } = yieldedSession();
    s.frame(answered(g1)).frame(done('tool:A'));
    expect(s.foreground).toBe('free');
  });

  it('[S3] stays held when work appears while it is busy', () => {
    const s = session({ traits: CLAUDE_V1, fine: true });
    s.prompt();
    s.frame(launched('tool:A'));
    expect([s.tier, s.count]).toEqual(['generating', 1]);
  });

  it('[S3] stays held when new work appears after the last of a yielded turn has ended', () => {
    const { s } = yieldedSession();
    s.frame(done('tool:A')).frame(launched('tool:B'));
    expect([s.foreground, s.tier]).toEqual(['held', 'generating']);
  });

  it('[S3] stays free when work appears while it is free', () => {
    const s = session({ traits: CLAUDE_V1 });
    s.frame(answered(s.prompt())).frame(launched('tool:A'));
    expect([s.foreground, s.tier]).toEqual(['free', 'background']);
  });
});

describe('output', () => {
  it('[S4] takes a yielded foreground back', () => {
    const { s } = yieldedSession();
    s.frame(out);
    expect(s.foreground).toBe('held');
  });

  it.each([
    ['plain Claude', CLAUDE_V1, cycleClosed],
    ['ACP v2', ACP_V2, idle()],
    ['Hermes', HERMES, idle()],
  ])('[S4] of %s with no prompt open is a cycle that can be stopped and that ends', (_name, traits, end) => {
    const s = session({ traits });
    const g1 = s.prompt();
    s.frame(out).frame(...(traits.levels === 0 ? [] : [idle()]), answered(g1));
    expect(s.view.state).toBe('waiting_for_input');
    s.frame(out);
    expect([s.view.state, s.tier]).toEqual(['running', 'generating']);
    s.cancel();
    expect(s.view.cancellationPending).toBe(true);
    s.frame(end);
    expect([s.view.state, s.view.stopReason]).toEqual(['waiting_for_input', 'cancelled']);
  });

  it('[S4] with no prompt open changes nothing where the adapter declares no end for it', () => {
    const s = session({ traits: GENERIC });
    s.frame(answered(s.prompt()));
    s.world.told();
    s.frame(out).frame(call('X'));
    expect([s.view.state, s.tier]).toEqual(['waiting_for_input', null]);
    expect(s.world.told()).toEqual([]);
  });

  it('[S4] of an ended turn never begins a cycle', () => {
    const s = session({ traits: CLAUDE_V1 });
    s.frame(answered(s.prompt())).frame({ kind: 'output', ended: true });
    expect(s.view.state).toBe('waiting_for_input');
  });

  it('[S4] is a tool call of the top level, but not one that is attested as background', () => {
    const { s } = yieldedSession();
    s.frame(call('B', { background: true }));
    expect(s.foreground).toBe('yielded');
    s.frame(launched('tool:C'), call('C'));
    expect(s.foreground).toBe('yielded');
    s.frame(call('D'));
    expect(s.foreground).toBe('held');
  });

  it('[S4] is a terminal update with content of a foreground call, and no other update of it', () => {
    const s = session({ traits: CLAUDE_V1, fine: true });
    const g1 = s.prompt();
    s.frame(launched('tool:A')).frame(call('X')).frame(call('Y')).frame(yielded(g1));
    s.frame(update('X', { content: true })).frame(update('Y', { closed: true }));
    expect(s.foreground).toBe('yielded');
    s.frame(update('X', { closed: true, content: true }));
    expect(s.foreground).toBe('held');
  });
});

describe('provider idle', () => {
  it('[S5] yields for the current generation with detached work', () => {
    expect(yieldedSession().s.foreground).toBe('yielded');
  });

  it('[S5] is remembered when there is no work yet, so that a late acknowledgement yields at once', () => {
    const s = session({ traits: CLAUDE_V1, fine: true });
    const g1 = s.prompt();
    s.frame(yielded(g1));
    expect(s.foreground).toBe('held');
    s.frame(launched('tool:A'));
    expect(s.foreground).toBe('yielded');
  });

  it('[S5] is forgotten when the cycle speaks', () => {
    const s = session({ traits: CLAUDE_V1, fine: true });
    const g1 = s.prompt();
    s.frame(yielded(g1)).frame(out).frame(launched('tool:A'));
    expect(s.foreground).toBe('held');
  });

  it('[S5] is forgotten when a level says that the agent runs again', () => {
    const s = session({ traits: CLAUDE_V1_RAW, fine: true });
    const g1 = s.prompt();
    s.frame(roster(['run:b']))
      .frame(running('raw'))
      .frame(yielded(g1), idle('raw'));
    expect(s.foreground).toBe('yielded');
    s.frame(running('raw'));
    expect(s.foreground).toBe('held');
  });

  it.each([
    ['without handoff', { ...CLAUDE_V1, handoff: false }, 0],
    ['for generation 0', CLAUDE_V1, null],
    ['for another generation', CLAUDE_V1, 1],
  ])('[S5] changes nothing %s', (_name, traits, off) => {
    const s = session({ traits, fine: true });
    const g1 = s.prompt();
    s.frame(launched('tool:A')).frame(yielded(off === null ? 0 : g1 + off));
    expect([s.foreground, s.view.foregroundActivity]).toEqual(['held', 'generating']);
  });
});

describe('turn completion', () => {
  it('[S6] frees the foreground once, and only for the current generation', () => {
    const s = session({ traits: GENERIC });
    const g1 = s.prompt();
    s.frame(answered(g1));
    s.world.told();
    s.frame(answered(g1, 'refusal'));
    const g2 = s.prompt();
    s.world.told();
    s.frame(answered(g1));
    expect([s.foreground, s.view.generation, s.world.told()]).toEqual(['held', g2, []]);
  });

  it('[S6] retires blocking work of its generation whose call never closed, never detached work', () => {
    const s = session({ traits: CLAUDE_V1 });
    const g1 = s.prompt();
    s.frame(blocking('tool:F')).frame(launched('tool:A'));
    expect(s.count).toBe(2);
    s.frame(answered(g1));
    expect(s.work).toEqual(['tool:A']);
  });

  it('[S7] after idle and final output leaves background when detached work remains', () => {
    const { s, g1 } = yieldedSession();
    s.frame(out).frame(answered(g1));
    expect([s.foreground, s.tier, s.view.state]).toEqual(['free', 'background', 'waiting_for_input']);
  });

  it.each([
    ['plain Claude: answer, then idle', CLAUDE_V1, (g: number) => [answered(g), yielded(g)]],
    ['v1 with a level: answer, then idle', HERMES, (g: number) => [answered(g), idle()]],
    ['v1 with a level: idle, then answer', HERMES, (g: number) => [idle(), answered(g)]],
    ['two levels', CLAUDE_V2, (g: number) => [completed(g), idle(), idle('raw')]],
  ])('[S7] tells at most one transition of one end (%s)', (_name, traits, ends) => {
    const s = session({ traits });
    const g1 = s.prompt();
    s.frame(...(traits.levels === 0 ? [out] : [running(), out]));
    s.world.told();
    for (const end of ends(g1)) s.frame(end);
    expect(s.world.told().filter((type) => type === 'session.state_changed')).toHaveLength(1);
    expect(s.view.state).toBe('waiting_for_input');
  });

  it('[S8] is awaited when the last work ended before it', () => {
    const s = session({ traits: CLAUDE_V2 });
    s.prompt();
    s.frame(running(), roster(['run:b']))
      .frame(out)
      .frame(roster([]));
    expect(s.tier).toBe('generating');
    s.frame(idle(), idle('raw'));
    expect(s.tier).toBe(null);
  });

  it('[S10] never comes from silence, nor does the end of work', () => {
    const s = session({ traits: GENERIC });
    s.prompt();
    s.frame(launched('tool:A'));
    s.world.pass(86_400_000);
    s.apply({ type: 'time.passed' });
    expect([s.tier, s.work]).toEqual(['generating', ['tool:A']]);
  });
});

describe('knowledge', () => {
  it('[S9] an unknown tier of a running session reads generating', () => {
    const s = session({ traits: CLAUDE_V1, fine: true });
    s.claim();
    s.dispatch(s.view.generation ?? 0);
    expect(s.view.foregroundActivity).toBe('generating');
  });

  it('[S9] a state that nobody knows is generating and unknown, and admits nothing', () => {
    const s = session({ traits: ACP_V2 });
    s.prompt();
    s.frame(running()).frame(unknownState());
    expect([s.view.foregroundActivity, s.view.liveness, s.view.inputMode]).toEqual(['generating', 'unknown', 'queue']);
    s.frame(idle());
    expect([s.view.liveness, s.view.inputMode]).toEqual(['live', 'direct']);
  });

  it('[S9] a process that is gone is unknown until it is accounted for, and admits nothing', () => {
    const s = session({ traits: ACP_V2 });
    s.prompt();
    s.frame(idle()).frame(running(), idle());
    s.apply({ type: 'execution.lost', executionId: s.execution });
    expect([s.view.liveness, s.tryClaim()]).toEqual(['unknown', { granted: false, reason: 'stopping' }]);
    s.end('crashed');
    expect([s.view.liveness, s.view.state]).toEqual(['live', 'failed']);
  });

  it('[S9] a survivor of an earlier life is unknown until it is accounted for', () => {
    const s = session({ state: 'running', unknown: true, created: false });
    expect([s.view.liveness, s.tryClaim()]).toEqual(['unknown', { granted: false, reason: 'stopping' }]);
    s.apply({ type: 'session.accounted' });
    expect(s.view.liveness).toBe('live');
  });
});

describe('coarse state', () => {
  it('[S11] follows a prompt from created to waiting for input', () => {
    const s = session();
    const seen = [s.view.state];
    const g1 = s.claim();
    seen.push(s.view.state);
    s.dispatch(g1);
    seen.push(s.view.state);
    s.frame(answered(g1));
    seen.push(s.view.state);
    s.claim();
    seen.push(s.view.state);
    expect(seen).toEqual(['created', 'starting', 'running', 'waiting_for_input', 'running']);
  });

  it.each([
    ['stopped', 'idle'],
    ['completed', 'completed'],
    ['cancelled', 'cancelled'],
    ['failed', 'failed'],
    ['crashed', 'failed'],
  ] as const)('[S11] is decided by the cause of an end: %s', (cause, state) => {
    const starting = session();
    starting.claim();
    const busy = session();
    busy.prompt();
    const waiting = session();
    waiting.frame(answered(waiting.prompt()));
    for (const s of [starting, busy, waiting]) {
      s.end(cause);
      expect([s.view.state, s.view.executionId]).toEqual([state, null]);
    }
  });

  it('[S11] has an execution exactly in starting, running and waiting for input', () => {
    const s = session();
    const g1 = s.claim();
    expect(s.view.executionId).toBe('e1');
    s.dispatch(g1).frame(answered(g1));
    expect(s.view.executionId).toBe('e1');
    s.end();
    expect(s.view.executionId).toBe(null);
    s.claim();
    expect(s.view.executionId).toBe('e2');
  });

  it('[S11] goes to waiting for input on a rollback', () => {
    const s = session();
    s.frame(answered(s.prompt()));
    s.release(s.claim());
    expect(s.view.state).toBe('waiting_for_input');
  });

  it('[S11] stays starting when the prompt is given up before the agent is open, and then waits for input', () => {
    const s = session();
    const claim = s.tryClaim();
    s.release(claim.granted ? claim.generation : 0);
    expect([s.view.state, s.tryClaim()]).toEqual(['starting', { granted: false, reason: 'starting' }]);
    s.open();
    expect([s.view.state, s.view.inputMode]).toEqual(['waiting_for_input', 'direct']);
  });

  it('[S11] stays running while the provider requires action', () => {
    const s = session({ traits: ACP_V2 });
    s.prompt();
    s.frame(running()).frame(needsAction());
    expect([s.view.state, s.tier]).toEqual(['running', 'generating']);
  });

  it('[S11] names an interrupted turn, and only an open one', () => {
    const s = session();
    s.prompt();
    expect(s.end('stopped').view.stopReason).toBe('interrupted');
    const g2 = s.prompt();
    s.frame(answered(g2, 'end_turn')).end('stopped');
    expect(s.view.stopReason).toBe('end_turn');
  });
});

describe('one frame', () => {
  it('[S14] is one step: at most one transition of each kind, whatever it means', () => {
    const s = session({ traits: ACP_V2 });
    s.prompt();
    s.frame(running()).frame(out);
    s.world.told();
    s.frame(roster([item('b', { kind: 'subagent' }), item('c', { kind: 'subagent' })]), idle(), running(), idle());
    expect(s.world.told().toSorted()).toEqual([
      'session.activity_changed',
      'session.state_changed',
      'session.updated',
      'task.updated',
    ]);
    expect([s.count, s.view.foregroundActivity]).toEqual([2, 'background']);
  });

  it('[S14] that passes through a state on its way to the same one tells nothing', () => {
    const s = session({ traits: ACP_V2 });
    s.prompt();
    s.frame(running()).frame(idle());
    s.world.told();
    s.frame(launched('x'), done('x'));
    expect(s.world.told()).toEqual([]);
  });

  it('[S14] may name the prompt and its state before it was acknowledged', () => {
    const s = session({ traits: ACP_V2 });
    const g1 = s.claim();
    s.dispatch(g1).frame(begun(g1), running());
    expect([s.view.generation, s.foreground]).toEqual([g1, 'held']);
  });
});
