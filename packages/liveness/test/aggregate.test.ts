import { describe, expect, expectTypeOf, it } from 'vitest';
import { sameActivity, type Tally } from '../src/aggregate.ts';
import type * as front from '../src/index.ts';
import type { SessionView, TaskActivity } from '../src/view.ts';
import { ACP_V2, answered, GENERIC, idle, item, launched, roster, running } from './facts.ts';
import { session, World } from './session-script.ts';

/** Session `a` generating, `b` in the background with one subagent, `c` done. */
function threeSessions() {
  const world = new World('t', ['a', 'b', 'c']);
  const a = session({ traits: GENERIC }, world, 'a');
  const b = session({ traits: ACP_V2 }, world, 'b');
  const c = session({ traits: GENERIC }, world, 'c');
  const ga = a.prompt();
  b.prompt();
  b.frame(running(), roster([item('x', { kind: 'subagent' })])).frame(idle());
  c.prompt();
  c.end('completed');
  return { world, a, b, c, ga };
}

describe('task aggregate', () => {
  it('[S90] is generating over background over none, and the sum of counts', () => {
    const { world, a, b, ga } = threeSessions();
    expect(world.activity).toMatchObject({
      foregroundActivity: 'generating',
      activeSubagentCount: 1,
      liveness: 'live',
    });
    a.frame(launched('y'), answered(ga));
    expect(world.activity).toMatchObject({ foregroundActivity: 'background', activeSubagentCount: 2 });
    b.frame(roster([]));
    expect(world.activity).toMatchObject({ foregroundActivity: null, activeSubagentCount: 1 });
  });

  it('[S91] is unknown while a session is not loaded, and explicit when there is none', () => {
    const world = new World('t', ['a', 'b']);
    expect(world.activity).toBe(null);
    session({}, world, 'a').prompt();
    expect([world.activity, world.told().includes('task.updated')]).toEqual([null, false]);
    session({ created: false, state: 'idle' }, world, 'b');
    expect(world.activity).toMatchObject({ foregroundActivity: 'generating' });
    expect(new World('t').activity).toMatchObject({ foregroundActivity: null, activeSubagentCount: 0 });
  });

  it('[S91] knows the sessions that were loaded before their task', () => {
    const world = new World('other');
    session({}, world, 'a').prompt();
    world.tracker.loadTask('t', ['a']);
    expect(world.activity).toMatchObject({ foregroundActivity: 'generating' });
  });

  it('[S92] is not masked by a finished session, and follows in the same step when one leaves running', () => {
    const { world, a, ga } = threeSessions();
    world.told();
    a.frame(answered(ga));
    expect(world.changes.map((change) => change.type)).toEqual([
      'session.activity_changed',
      'session.state_changed',
      'session.updated',
      'task.updated',
    ]);
  });

  it('[S93] is told when its count alone changes, and not when nothing of it does', () => {
    const { world, a } = threeSessions();
    world.told();
    a.frame(launched('y'));
    expect(world.told()).toEqual(['session.activity_changed', 'session.updated', 'task.updated']);
    a.frame(launched('s', { kind: 'shell' }));
    expect(world.told()).toEqual(['session.updated']);
  });

  it('[S94] is fed by views of sessions only: no function of it takes an aggregate', () => {
    expectTypeOf<Parameters<Tally['replace']>>().toEqualTypeOf<[SessionView | null, SessionView | null]>();
    type Fed = Parameters<Tally['replace']>[number] | ConstructorParameters<typeof Tally>[0];
    expectTypeOf<TaskActivity>().not.toExtend<Fed>();
    // The one function that compares two readings answers no reading.
    expectTypeOf<ReturnType<typeof sameActivity>>().toEqualTypeOf<boolean>();
    type Event = Parameters<front.Tracker['apply']>[0];
    expectTypeOf<Extract<Event[keyof Event], TaskActivity>>().toEqualTypeOf<never>();
    expect(sameActivity(null, null)).toBe(true);
  });

  it('[S9] is unknown iff a session is and none is generating live', () => {
    const { world, a, b, ga } = threeSessions();
    b.apply({ type: 'execution.lost', executionId: 'e1' });
    expect(world.activity?.liveness).toBe('live');
    a.frame(answered(ga));
    expect(world.activity?.liveness).toBe('unknown');
    b.end('crashed');
    expect(world.activity?.liveness).toBe('live');
  });

  it('[S90] forgets a session that is removed', () => {
    const { world, a, b } = threeSessions();
    a.apply({ type: 'session.removed' });
    b.apply({ type: 'session.removed' });
    expect(world.activity).toMatchObject({ foregroundActivity: null, activeSubagentCount: 0 });
  });
});
