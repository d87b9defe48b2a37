import { describe, expect, it } from 'vitest';
import {
  ACP_V2,
  accepted,
  answered,
  begun,
  blocking,
  CLAUDE_V1,
  CLAUDE_V2,
  call,
  completed,
  cycleClosed,
  done,
  doneUnnamed,
  GENERIC,
  HERMES,
  idle,
  launched,
  named,
  out,
  rejected,
  roster,
  running,
  update,
  yielded,
} from './facts.ts';
import { permutations, session, World } from './session-script.ts';

/** A human turn of plain Claude, under fine policy unless said otherwise. */
function turn(fine = true) {
  const s = session({ traits: CLAUDE_V1, fine });
  const g1 = s.prompt();
  return { s, g1 };
}

function yieldedTurn() {
  const { s, g1 } = turn();
  s.frame(launched('tool:A')).frame(yielded(g1));
  return { s, g1 };
}

/** A deterministic sequence in [0, 1), for interleavings that can be repeated. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

describe('hard cases of the core', () => {
  it.each([
    ['by name', () => done('tool:F')],
    ['by its call', () => update('F', { closed: true, content: true })],
  ])('[S28] [S30] hard case 1: the end of a blocking child, %s, retires that child only', (_name, end) => {
    const { s, g1 } = turn();
    s.frame(launched('tool:A'), call('A', { background: true })).frame(call('F'), blocking('tool:F'));
    expect(s.count).toBe(2);
    s.frame(end());
    expect(s.work).toEqual(['tool:A']);
    s.frame(answered(g1));
    expect([s.count, s.tier]).toEqual([1, 'background']);
  });

  it('[S27] [S28] hard case 2: ends of unknown, no and known name leave the ambiguous remainder live', () => {
    const { s } = turn();
    s.frame(launched('tool:A'), launched('tool:B'));
    const counts = [];
    for (const end of [done('tool:X'), doneUnnamed(), done('tool:A'), done('tool:A')]) {
      s.world.told();
      s.frame(end);
      counts.push([s.count, s.world.told().length > 0]);
    }
    expect(counts).toEqual([
      [2, false],
      [1, true],
      [1, false],
      [1, false],
    ]);
  });

  it.each([
    ['by name', () => done('tool:A')],
    ['without a name', () => doneUnnamed()],
  ])('[S8] hard case 3: work that ends %s before its turn leaves it generating', (_name, end) => {
    const { s, g1 } = turn(false);
    s.frame(launched('tool:A'));
    s.world.told();
    s.frame(end());
    expect(s.world.told()).toEqual(['session.activity_changed', 'session.updated', 'task.updated']);
    s.frame(out);
    expect(s.view.foregroundActivity).toBe('generating');
    s.frame(answered(g1));
    expect(s.world.told().filter((type) => type === 'session.state_changed')).toHaveLength(1);
  });

  it('[S58] hard case 4: a finaliser armed for the first turn does not finish the second', () => {
    const s = session({ traits: CLAUDE_V2 });
    s.prompt();
    s.frame(running(), running('raw')).frame(idle());
    const due = s.world.deadlines.get('s') ?? 0;
    s.frame(idle('raw'));
    const g2 = s.claim();
    s.dispatch(g2).apply({ type: 'time.passed' });
    s.world.now = due + 1;
    s.apply({ type: 'time.passed' });
    s.frame(begun(g2), running(), out).apply({ type: 'time.passed' });
    expect([s.view.generation, s.view.state]).toEqual([g2, 'running']);
  });

  it('[S50] hard case 5: of two prompts at the boundary one is dispatched, in every interleaving with the work', () => {
    for (let seed = 1; seed <= 500; seed += 1) {
      const random = sequence(seed);
      const { s } = yieldedTurn();
      const noise = [
        call('A1', { child: true }),
        update('A1', { child: true }),
        launched('tool:B'),
        named('tool:B', 'b'),
        out,
      ];
      const grants: number[] = [];
      for (let step = 0; step < 12; step += 1) {
        const claim = random() < 0.4 ? s.tryClaim() : null;
        if (claim?.granted) grants.push(claim.generation);
        const fact = noise[Math.floor(random() * noise.length)];
        if (fact !== undefined && (grants.length > 0 || fact !== out)) s.frame(fact);
        const [granted] = grants;
        if (granted !== undefined && random() < 0.3) s.dispatch(granted);
      }
      expect(grants.length, `seed ${seed}`).toBeLessThanOrEqual(1);
    }
  });

  it('[S58] hard case 6: a late stop of the first turn moves nothing of the second', () => {
    const { s, g1 } = turn();
    s.cancel().frame(answered(g1, 'cancelled'));
    const g2 = s.prompt();
    s.cancel(g1).cancelExpires(g1).frame(answered(g1, 'cancelled'), completed(g1), rejected(g1));
    expect([s.view.generation, s.view.state, s.view.cancellationPending]).toEqual([g2, 'running', false]);
  });

  it('[S58] hard case 6: the delayed readiness of the first execution moves nothing of the second', () => {
    const s = session();
    s.tryClaim();
    s.end('failed', 'e1');
    const g2 = s.prompt();
    const { record } = s;
    s.open('e1', ACP_V2);
    expect([s.record, s.view.generation]).toEqual([record, g2]);
  });

  it('[S58] hard case 6: a recovery read for the first turn moves nothing of the second', () => {
    const s = session({ traits: HERMES });
    const g1 = s.prompt();
    s.frame(running({ runId: 'r1' })).frame(idle({ runId: 'r1' }), answered(g1));
    const g2 = s.prompt();
    s.frame(running({ runId: 'r2' }))
      .frame(idle({ runId: 'r1' }))
      .frame(running({ runId: 'r2' }));
    expect([s.view.generation, s.view.state]).toEqual([g2, 'running']);
    s.frame(answered(g2)).frame(idle({ runId: 'r2' }));
    expect(s.view.state).toBe('waiting_for_input');
  });

  it('[S27] hard case 7: nothing revives from progress or from a late launch', () => {
    const { s } = turn();
    s.frame(launched('tool:A'))
      .frame(done('tool:A'))
      .frame(update('A', { background: true }));
    s.frame(done('tool:B')).frame(launched('tool:B'), call('B', { background: true }));
    expect(s.work).toEqual([]);
  });

  it('[S117] hard case 7: what a stopped execution left is nothing to the next, which settles to done', () => {
    const s = session({ traits: CLAUDE_V2 });
    s.prompt();
    s.frame(running(), roster(['run:b'])).end();
    s.prompt();
    s.frame(running(), running('raw')).frame(idle(), idle('raw'));
    expect([s.view.state, s.tier, s.view.awaitingFollowUp]).toEqual(['waiting_for_input', null, false]);
  });

  it('[S112] hard case 8: a delayed teardown of the first execution is invisible to the claim of the second', () => {
    const { s } = turn();
    s.frame(launched('tool:A')).end('stopped', 'e1');
    const claim = s.tryClaim();
    const { record } = s;
    s.world.told();
    s.end('stopped', 'e1').frameOf('e1', done('tool:A')).end('failed', 'e1');
    expect([s.record, s.world.told(), claim.granted]).toEqual([record, [], true]);
  });

  it('[S29] hard case 9: a watch with many events goes only between generating and background', () => {
    const { s, g1 } = turn();
    s.frame(launched('tool:M', { kind: 'monitor' }), answered(g1));
    s.world.told();
    const seen = new Set<string | null>();
    for (let event = 0; event < 90; event += 1) {
      s.frame(out);
      expect(s.tryClaim().granted).toBe(false);
      seen.add(s.view.foregroundActivity);
      s.frame(doneUnnamed(false), cycleClosed);
      seen.add(s.view.foregroundActivity);
      s.world.pass(2_000);
    }
    expect([...seen]).toEqual(['generating', 'background']);
    expect(s.work).toEqual(['tool:M']);
    expect(s.tryClaim().granted).toBe(true);
  });

  it('[S20] [S32] hard case 10: list, start, result and end come to the same in every order and duplication', () => {
    const facts = [
      roster(['run:b'], 2),
      named('run:b', 'tool:b'),
      launched('tool:b', { kind: 'shell' }),
      done('run:b'),
      roster([], 2),
    ];
    for (const order of permutations(facts)) {
      const s = session({ traits: CLAUDE_V2 });
      s.prompt();
      for (const fact of order) {
        s.frame(fact);
        expect(s.work.length).toBeLessThanOrEqual(2);
      }
      expect(s.work).toEqual([]);
      for (const fact of order) s.frame(fact);
      expect(s.work).toEqual([]);
    }
  });

  it('[S59] hard case 11: a prompt that was folded into a wake settles through the result that names it', () => {
    const { s, g1 } = turn(false);
    s.frame(answered(g1));
    const g2 = s.claim();
    s.frame(out);
    s.dispatch(g2).frame(accepted(g2), out).frame(cycleClosed).frame(answered(g2));
    expect([s.view.state, s.view.inputMode]).toEqual(['waiting_for_input', 'direct']);
  });

  it('[S59] hard case 11: the result of a wake never ends a human generation, also right after a resume', () => {
    const { s, g1 } = turn(false);
    s.frame(cycleClosed).frame(doneUnnamed(), cycleClosed);
    expect([s.view.generation, s.view.state]).toEqual([g1, 'running']);
    s.cancel().cancelExpires(g1);
    expect(s.view.state).toBe('waiting_for_input');
  });

  it('[S61] hard case 12: a human takes the handoff, a wake-up that was there first stays behind', () => {
    const { s, g1 } = yieldedTurn();
    expect(s.tryClaim('wakeup').granted).toBe(false);
    const g2 = s.prompt();
    s.frame(out);
    expect(s.tryClaim('wakeup').granted).toBe(false);
    s.frame(answered(g1));
    expect(s.tryClaim('wakeup').granted).toBe(false);
    s.frame(answered(g2));
    expect(s.tryClaim('wakeup').granted).toBe(true);
  });

  it('[S4] hard case 14: output after the answer re-opens generating, can be stopped, and settles again', () => {
    const { s, g1 } = turn(false);
    s.frame(out).frame(answered(g1));
    s.world.told();
    s.frame(call('X')).cancel();
    expect([s.view.state, s.view.foregroundActivity, s.view.cancellationPending]).toEqual([
      'running',
      'generating',
      true,
    ]);
    s.frame(cycleClosed).frame(answered(g1));
    expect([s.view.state, s.view.foregroundActivity]).toEqual(['waiting_for_input', null]);
    const told = s.world.changes.map((change) => change.revision);
    expect(told).toEqual([...told].sort((a, b) => a - b));
  });

  it.each([
    ['the RPC', CLAUDE_V1, []],
    ['idle', ACP_V2, [running(), out]],
  ])(
    '[S131] hard case 15: a lost end of %s is settled by a cancel, and the next prompt runs',
    (_name, traits, facts) => {
      const s = session({ traits });
      const g1 = s.prompt();
      s.frame(...facts)
        .cancel()
        .cancelExpires(g1);
      expect([s.view.state, s.view.stopReason, s.view.inputMode]).toEqual(['waiting_for_input', 'cancelled', 'direct']);
      const g2 = s.prompt();
      s.frame(running(), out);
      expect(s.view.generation).toBe(g2);
    },
  );

  it.each([
    ['end', (s: ReturnType<typeof session>, g: number) => s.frame(answered(g))],
    ['cancel', (s: ReturnType<typeof session>, g: number) => s.cancel().frame(answered(g))],
    ['timeout', (s: ReturnType<typeof session>, g: number) => s.cancel().cancelExpires(g)],
    ['crash', (s: ReturnType<typeof session>) => s.end('crashed')],
    ['teardown', (s: ReturnType<typeof session>) => s.end('stopped')],
  ])('[S51] hard case 16: every exit leads to a state that accepts the next prompt: %s', (_name, exit) => {
    const { s, g1 } = turn(false);
    exit(s, g1);
    expect(s.view.inputMode).toBe('direct');
    expect(s.tryClaim().granted).toBe(true);
  });

  it('[S92] [S93] hard case 20: the task follows every settle, also when a successor claims in the same breath', () => {
    const world = new World('t', ['a', 'b']);
    const a = session({ traits: GENERIC }, world, 'a');
    session({ traits: GENERIC }, world, 'b');
    const g1 = a.prompt();
    world.told();
    a.frame(answered(g1));
    expect(world.told().at(-1)).toBe('task.updated');
    expect(world.activity?.foregroundActivity).toBe(null);
    a.prompt();
    expect(world.activity?.foregroundActivity).toBe('generating');
  });

  it('[S131] hard case 28: each press acts, and the foreground stop leaves attested work live', () => {
    const { s, g1 } = turn(false);
    s.frame(launched('tool:S', { kind: 'shell' }))
      .cancel()
      .cancel();
    s.frame(answered(g1, 'end_turn'));
    expect([s.view.state, s.view.stopReason, s.work]).toEqual(['waiting_for_input', 'cancelled', ['tool:S']]);
    s.frame(out).cancel();
    expect(s.view.cancellationPending).toBe(true);
    s.frame(cycleClosed);
    expect(s.view.stopReason).toBe('cancelled');
    s.end('stopped').frameOf('e1', out, launched('tool:Z'));
    expect([s.view.state, s.work]).toEqual(['idle', []]);
  });
});
