import { describe, expect, it } from 'vitest';
import {
  ACP_V2,
  accepted,
  answered,
  begun,
  blocking,
  CLAUDE_V1,
  CLAUDE_V2,
  cycleClosed,
  GENERIC,
  HERMES,
  idle,
  launched,
  needsAction,
  out,
  roster,
  running,
  yielded,
} from './facts.ts';
import { session } from './session-script.ts';

describe('cancel', () => {
  it('[S131] is pending to everyone, and refuses prompts, until the turn ends as cancelled', () => {
    const s = session();
    const g1 = s.prompt();
    s.cancel();
    expect([s.view.cancellationPending, s.view.inputReason, s.view.state]).toEqual([true, 'stopping', 'running']);
    s.frame(answered(g1, 'end_turn'));
    expect([s.view.cancellationPending, s.view.stopReason, s.view.state]).toEqual([
      false,
      'cancelled',
      'waiting_for_input',
    ]);
  });

  it('[S131] changes nothing with no turn open, a second time, or for another generation', () => {
    const s = session();
    s.world.told();
    s.cancel();
    const g1 = s.prompt();
    s.world.told();
    s.cancel(g1 + 1);
    expect([s.world.told(), s.view.cancellationPending]).toEqual([[], false]);
    s.cancel(g1);
    s.world.told();
    s.cancel(g1).cancel();
    expect(s.world.told()).toEqual([]);
    s.frame(answered(g1)).cancel();
    expect(s.view.cancellationPending).toBe(false);
  });

  it('[S131] settles locally when the provider never answers, and the next prompt goes beside the open request', () => {
    const s = session({ traits: CLAUDE_V1 });
    const g1 = s.prompt();
    s.cancel().cancelExpires(g1);
    expect([s.view.state, s.view.stopReason, s.view.cancellationPending]).toEqual([
      'waiting_for_input',
      'cancelled',
      false,
    ]);
    s.frame(out);
    expect(s.view.state).toBe('waiting_for_input');
    const g2 = s.prompt();
    s.frame(answered(g1)).frame(out);
    expect([s.view.generation, s.view.state]).toEqual([g2, 'running']);
    s.frame(answered(g2));
    expect(s.view.stopReason).toBe('end_turn');
  });

  it.each([
    ['its late answer', HERMES, (g: number) => [answered(g)]],
    ['idle', ACP_V2, () => [idle()]],
    ['idle of two levels', CLAUDE_V2, () => [idle('raw')]],
  ])('[S131] of an unanswered turn mutes it only until %s', (_name, traits, end) => {
    const s = session({ traits });
    const g1 = s.prompt();
    s.frame(running(), running('raw')).cancel().cancelExpires(g1);
    s.frame(out).frame(running());
    expect(s.view.state).toBe('waiting_for_input');
    s.frame(...end(g1)).frame(running(), out);
    expect([s.view.state, s.view.generation === g1]).toEqual(['running', false]);
  });

  it('[S131] of a wake that is never answered mutes that wake, not the next', () => {
    const s = session({ traits: CLAUDE_V1 });
    s.frame(answered(s.prompt())).frame(out);
    s.cancel().cancelExpires(s.view.generation ?? 0);
    s.frame(out);
    expect(s.view.state).toBe('waiting_for_input');
    s.frame(cycleClosed).frame(out);
    expect(s.view.state).toBe('running');
  });

  it('[S131] of a claim that was not sent gives it back as cancelled and mutes nothing', () => {
    const s = session({ traits: ACP_V2 });
    s.frame(begun(s.prompt()), running()).frame(idle());
    const g2 = s.claim();
    s.cancel().release(g2);
    expect([s.view.state, s.view.stopReason, s.view.cancellationPending]).toEqual([
      'waiting_for_input',
      'cancelled',
      false,
    ]);
  });

  it('[S131] mutes neither a turn that was never sent, nor an agent that says that it is idle', () => {
    const unsent = session({ traits: CLAUDE_V1 });
    unsent.frame(answered(unsent.prompt()));
    const g2 = unsent.claim();
    unsent.cancel().cancelExpires(g2).frame(out);
    expect(unsent.view.state).toBe('running');
    const quiet = session({ traits: HERMES });
    const g1 = quiet.prompt();
    quiet.frame(running()).frame(idle()).cancel().cancelExpires(g1).frame(running());
    expect(quiet.view.state).toBe('running');
  });

  it('[S131] of a successor that was not yet begun leaves its predecessor as it is', () => {
    const s = session({ traits: CLAUDE_V1, fine: true });
    const g1 = s.prompt();
    s.frame(launched('tool:A', { kind: 'shell' }), yielded(g1));
    const g2 = s.claim();
    s.dispatch(g2).frame(accepted(g2)).cancel();
    expect(s.view.cancellationPending).toBe(true);
    s.cancelExpires(g2);
    expect([s.foreground, s.view.generation, s.view.cancellationPending]).toEqual(['yielded', g1, false]);
  });

  it('[S131] of the foreground leaves the background, and ends with the execution', () => {
    const s = session({ traits: CLAUDE_V2 });
    const g1 = s.prompt();
    s.frame(running(), roster(['b']))
      .cancel(g1)
      .frame(idle({ stopReason: 'cancelled' }));
    expect([s.work, s.view.stopReason]).toEqual([['b'], 'cancelled']);
    s.prompt();
    s.cancel().end();
    expect(s.view.cancellationPending).toBe(false);
  });
});

describe('silence and requests', () => {
  it('[S130] kills nothing: a quiet turn and quiet work stay as they are', () => {
    const s = session({ traits: ACP_V2 });
    s.prompt();
    s.frame(running(), roster(['b']));
    s.world.told();
    s.world.pass(86_400_000);
    s.apply({ type: 'time.passed' });
    expect([s.world.told(), s.view.state, s.work]).toEqual([[], 'running', ['b']]);
  });

  it('[S130] asks for no clock while nothing has a deadline', () => {
    const s = session({ traits: ACP_V2 });
    s.prompt();
    s.frame(running(), out);
    expect(s.world.deadlines.size).toBe(0);
  });

  it('[S132] of the provider leave the session running', () => {
    const s = session({ traits: CLAUDE_V2 });
    s.prompt();
    s.frame(running()).frame(needsAction(), needsAction('raw'));
    expect([s.view.state, s.tier]).toEqual(['running', 'generating']);
    s.frame(running(), running('raw')).frame(idle(), idle('raw'));
    expect(s.view.state).toBe('waiting_for_input');
  });
});

describe('runs', () => {
  function prompted(traits = HERMES) {
    const s = session({ traits });
    const g1 = s.prompt();
    return { s, g1 };
  }

  it('[S121] bind the first new id after a dispatch to the prompt, and any other to a cycle of the agent', () => {
    const { s, g1 } = prompted();
    s.frame(running({ runId: 'r1' }))
      .frame(idle({ runId: 'r1' }))
      .frame(answered(g1));
    expect([s.view.state, s.view.generation]).toEqual(['waiting_for_input', null]);
    s.frame(running({ runId: 'r2' }));
    expect([s.view.state, s.view.generation === g1]).toEqual(['running', false]);
    s.frame(idle({ runId: 'r2' }));
    expect(s.view.state).toBe('waiting_for_input');
  });

  it('[S121] that name another origin do not bind to the prompt', () => {
    const { s, g1 } = prompted();
    s.frame(running({ runId: 'w', agentInitiated: true })).frame(idle({ runId: 'w' }));
    s.frame(running({ runId: 'r1' })).frame(answered(g1));
    expect(s.view.state).toBe('running');
    s.frame(idle({ runId: 'r1' }));
    expect(s.view.state).toBe('waiting_for_input');
  });

  it('[S121] end by the idle of the latest; an unknown id ends nothing', () => {
    const { s, g1 } = prompted();
    s.frame(running({ runId: 'r1' })).frame(answered(g1));
    s.frame(idle({ runId: 'nobody' }));
    expect(s.view.state).toBe('running');
    s.frame(idle());
    expect(s.view.state).toBe('waiting_for_input');
  });

  it('[S121] repeated are list updates: running of the same id, also after its idle, and idle after idle', () => {
    const { s, g1 } = prompted();
    s.frame(running({ runId: 'r1' })).frame(running({ runId: 'r1' }), roster(['p']));
    expect([s.view.generation, s.work]).toEqual([g1, ['p']]);
    s.frame(idle({ runId: 'r1' })).frame(answered(g1));
    s.frame(running({ runId: 'r1' }), roster([]));
    expect([s.view.state, s.work]).toEqual(['waiting_for_input', []]);
    const g2 = s.prompt();
    s.frame(running({ runId: 'r2' }))
      .frame(idle(), roster(['q']))
      .frame(idle(), roster([]));
    expect([s.view.generation, s.view.state]).toEqual([g2, 'running']);
  });

  it('[S121] of the agent give way to its next one when an end was lost', () => {
    const { s, g1 } = prompted();
    s.frame(running({ runId: 'r1' }), idle({ runId: 'r1' }), answered(g1));
    s.frame(running({ runId: 'w1' }))
      .frame(running({ runId: 'w2' }))
      .frame(idle({ runId: 'w2' }));
    expect(s.view.state).toBe('waiting_for_input');
  });

  it('[S121] of a first report state the present: idle ends nothing, running is at work', () => {
    const s = session({ traits: HERMES, state: 'idle', created: false });
    const g1 = s.claim();
    s.frame({ kind: 'foreground', level: 'state', state: 'idle' });
    expect([s.view.state, s.foreground]).toEqual(['starting', 'claimed']);
    s.dispatch(g1)
      .frame(accepted(g1))
      .frame(running({ runId: 'r1' }));
    expect([s.view.generation, s.view.state]).toEqual([g1, 'running']);
  });

  it('[S121] transfer no ownership: a prompt keeps its foreground when an unknown run begins and ends', () => {
    const { s, g1 } = prompted();
    s.frame(running({ runId: 'r1' }), blocking('f'))
      .frame(running({ runId: 'x' }))
      .frame(idle({ runId: 'x' }));
    expect([s.view.generation, s.view.state, s.work]).toEqual([g1, 'running', ['f']]);
    s.frame(answered(g1));
    expect(s.view.state).toBe('waiting_for_input');
  });

  it('[S121] bind to a claimed prompt that the provider has not acknowledged', () => {
    const s = session({ traits: { ...ACP_V2, reports: true } });
    const g1 = s.claim();
    s.dispatch(g1)
      .frame(running({ runId: 'r1' }))
      .frame(accepted(g1))
      .frame(idle({ runId: 'r1' }));
    expect([s.view.state, s.view.inputMode]).toEqual(['waiting_for_input', 'direct']);
  });

  it('[S4] are no cycle of the agent where the adapter declares no end for one', () => {
    const s = session({ traits: GENERIC });
    s.frame(answered(s.prompt())).frame(running());
    expect(s.view.state).toBe('waiting_for_input');
  });
});
