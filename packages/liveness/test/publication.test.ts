import { describe, expect, it } from 'vitest';
import { Outbox } from '../src/outbox.ts';
import type { Change } from '../src/view.ts';
import { ACP_V2, answered, done, GENERIC, idle, item, launched, out, roster, running } from './facts.ts';
import { session, World } from './session-script.ts';

const revisions = (changes: readonly Change[]) => changes.map((change) => change.revision);
const isRising = (list: readonly number[]) => list.every((one, index) => index === 0 || one > (list[index - 1] ?? 0));

describe('changes', () => {
  it('[S100] of tier or count are activity, of the state are state, of the rest are updates, from one snapshot', () => {
    const s = session({ traits: GENERIC });
    const g1 = s.claim();
    s.world.told();
    s.dispatch(g1);
    const [activity, state, update] = s.world.changes;
    expect(s.world.told()).toEqual([
      'session.activity_changed',
      'session.state_changed',
      'session.updated',
      'task.updated',
    ]);
    for (const change of [activity, state, update]) {
      expect(change).toMatchObject({
        view: { foregroundActivity: 'generating', activeSubagentCount: 0, state: 'running', policy: 'coarse' },
      });
    }
    s.frame(launched('s', { kind: 'shell' }));
    expect(s.world.told()).toEqual(['session.updated']);
    s.frame(launched('a'));
    expect(s.world.told()).toEqual(['session.activity_changed', 'session.updated', 'task.updated']);
  });

  it('[S100] tell nothing when nothing public moved', () => {
    const s = session({ traits: ACP_V2 });
    s.prompt();
    s.frame(running(), out);
    s.world.told();
    s.frame(out).frame(running()).frame(out, out);
    s.apply({ type: 'time.passed' });
    s.apply({ type: 'session.accounted' });
    expect(s.world.told()).toEqual([]);
  });

  it('[S100] are a creation for a session made now, and a deletion for one removed', () => {
    const s = session();
    expect(s.world.told()).toEqual(['session.created']);
    s.apply({ type: 'session.removed' });
    expect(s.world.told()).toEqual(['session.deleted']);
    session({ created: false, state: 'idle' }, s.world);
    expect(s.world.told()).toEqual([]);
  });

  it('[S100] [P4] carry revisions that rise over all sessions, and the revision of the pair that they moved', () => {
    const world = new World();
    const a = session({}, world, 'a');
    const b = session({}, world, 'b');
    const ga = a.prompt();
    b.prompt();
    a.frame(launched('x'), answered(ga));
    b.end('crashed');
    expect(isRising(revisions(world.changes))).toBe(true);
    for (const change of world.changes) {
      if (change.type === 'session.activity_changed') expect(change.view.activityRevision).toBe(change.revision);
    }
  });

  it('[S101] of a record that was replaced never follow those of its successor', () => {
    const s = session();
    s.prompt();
    s.apply({ type: 'session.removed' });
    const again = session({ created: false, state: 'idle' }, s.world);
    const { activityRevision } = again.view;
    again.prompt();
    again.frameOf('e0', launched('ghost'));
    expect(again.count).toBe(0);
    expect(isRising(revisions(s.world.changes))).toBe(true);
    expect(again.view.activityRevision).toBeGreaterThan(activityRevision);
  });

  it('[S102] requested from within a delivery are appended, not nested', () => {
    const s = session({ traits: GENERIC });
    const g1 = s.prompt();
    s.world.told();
    let depth = 0;
    let deepest = 0;
    s.world.onChange = (change) => {
      depth += 1;
      deepest = Math.max(deepest, depth);
      if (change.type === 'session.activity_changed' && s.count === 1) s.frame(done('a')).frame(launched('b'));
      depth -= 1;
    };
    s.frame(launched('a'));
    expect(deepest).toBe(1);
    const tasks = s.world.changes.filter((change) => change.type === 'task.updated');
    expect(tasks.slice(0, 3).map((change) => change.activity.activeSubagentCount)).toEqual([1, 0, 1]);
    expect(isRising(revisions(s.world.changes))).toBe(true);
    s.world.onChange = () => {};
    s.frame(answered(g1));
  });

  it('[S105] of a task are over when it is removed, and its sessions leave nothing of it behind', () => {
    const s = session({ traits: GENERIC });
    s.prompt();
    s.world.tracker.removeTask('t');
    s.world.told();
    s.frame(launched('a'));
    expect([s.world.told(), s.world.activity]).toEqual([['session.activity_changed', 'session.updated'], null]);
  });
});

describe('outbox', () => {
  const waiting = (subscription: { pending(): Iterable<readonly [string, number]> }) => [...subscription.pending()];

  it('[S102] delivers in the order of change, a later value of a key in its own place', () => {
    const outbox = new Outbox<number>();
    const reader = outbox.subscribe(() => {});
    outbox.push('a', 1);
    outbox.push('b', 2);
    outbox.push('a', 3);
    expect(waiting(reader)).toEqual([
      ['b', 2],
      ['a', 3],
    ]);
  });

  it('[S102] [S101] gives every subscriber the same order when one pushes from within a delivery', () => {
    const outbox = new Outbox<number>();
    let pushed = false;
    outbox.subscribe(() => {
      if (!pushed) outbox.push('a', 2);
      pushed = true;
    });
    const second = outbox.subscribe(() => {});
    outbox.push('a', 1);
    expect(waiting(second)).toEqual([['a', 2]]);
  });

  it('[S103] keeps one value a key for a slow subscriber and blocks nobody for a failing one', () => {
    const outbox = new Outbox<number>();
    const slow = outbox.subscribe(() => {
      throw new Error('subscriber');
    });
    const quick = outbox.subscribe(() => {});
    for (let value = 1; value <= 1_000; value += 1) outbox.push('a', value);
    expect([waiting(slow), waiting(quick)]).toEqual([[['a', 1_000]], [['a', 1_000]]]);
  });

  it('[S103] closes a subscriber with a reason when too many keys wait for it, and only that one', () => {
    const outbox = new Outbox<number>();
    let told = 0;
    const slow = outbox.subscribe(() => {
      told += 1;
    }, 2);
    const other = outbox.subscribe(() => {});
    for (const key of ['a', 'b', 'c', 'd']) outbox.push(key, 1);
    expect(slow.closed).toContain('2');
    expect([told, waiting(slow), other.closed, waiting(other).length, outbox.size]).toEqual([2, [], null, 4, 1]);
  });

  it('[S104] keeps a value until it was delivered, and a newer one that came meanwhile', () => {
    const outbox = new Outbox<number>();
    const reader = outbox.subscribe(() => {});
    outbox.push('a', 1);
    expect(waiting(reader)).toEqual([['a', 1]]);
    outbox.push('a', 2);
    reader.delivered('a', 1);
    expect(waiting(reader)).toEqual([['a', 2]]);
    reader.delivered('a', 2);
    expect(waiting(reader)).toEqual([]);
  });

  it('[S104] says again that something waits once all was delivered', () => {
    const outbox = new Outbox<number>();
    let told = 0;
    const reader = outbox.subscribe(() => {
      told += 1;
    });
    outbox.push('a', 1);
    outbox.push('b', 1);
    expect(told).toBe(1);
    reader.delivered('a', 1);
    reader.delivered('b', 1);
    outbox.push('a', 2);
    expect(told).toBe(2);
  });

  it('[S105] drops what a deletion makes void', () => {
    const outbox = new Outbox<number>();
    const reader = outbox.subscribe(() => {});
    outbox.push('task/t', 1);
    outbox.push('session/s', 2);
    outbox.push('gone/t', 3, ['task/t', 'session/s']);
    expect(waiting(reader)).toEqual([['gone/t', 3]]);
  });

  it('[S111] [P7] keeps nothing of a subscriber that closed', () => {
    const outbox = new Outbox<number>();
    const reader = outbox.subscribe(() => {});
    outbox.push('a', 1);
    reader.close();
    outbox.push('a', 2);
    expect([outbox.size, waiting(reader), reader.closed]).toEqual([0, [], 'closed']);
    const last = outbox.subscribe(() => {});
    outbox.close('shutdown');
    expect([last.closed, outbox.size]).toEqual(['shutdown', 0]);
  });
});

describe('journal', () => {
  it('[S101] reproduces a record exactly', () => {
    const s = session({ traits: ACP_V2 });
    s.prompt();
    s.frame(running(), roster([item('x', { kind: 'subagent' })])).frame(idle());
    s.frame(roster([]));
    s.world.pass(5_000);
    s.prompt();
    expect(s.record.view).toEqual(s.view);
  });
});
