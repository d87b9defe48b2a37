import { describe, expect, it } from 'vitest';
import { Attestation, attest } from '../src/attestation.ts';
import type { Fact } from '../src/fact.ts';
import {
  ACP_V2,
  answered,
  blocking,
  CLAUDE_V1,
  CLAUDE_V2,
  call,
  cycleClosed,
  detached,
  done,
  doneUnnamed,
  fact,
  GENERIC,
  idle,
  item,
  launched,
  named,
  out,
  roster,
  running,
  update,
} from './facts.ts';
import { permutations, session } from './session-script.ts';

function busy(traits = CLAUDE_V1) {
  const s = session({ traits });
  const g1 = s.prompt();
  return { s, g1 };
}

describe('registrations', () => {
  it('[S20] join two names of one run: the older seq, the union of the fields, the more specific kind', () => {
    const { s } = busy(ACP_V2);
    s.frame(launched('tool:b', { kind: 'shell', label: 'build' }));
    s.world.now += 10;
    s.frame(launched('run:b/1', { kind: 'monitor', stoppable: true }));
    expect(s.view.workloads).toHaveLength(2);
    s.frame(named('run:b/1', 'tool:b'));
    expect(s.view.workloads).toEqual([
      expect.objectContaining({ id: 'tool:b', kind: 'monitor', label: 'build', stoppable: true, startedAt: 1_000 }),
    ]);
    expect(s.record.executions.get('e1')?.registrations[0]?.seq).toBe(1);
  });

  it('[S20] join under a name that was told before the work was live', () => {
    const { s } = busy(ACP_V2);
    s.frame(named('run:b/1', 'tool:b')).frame(launched('tool:b')).frame(launched('run:b/1'));
    expect(s.count).toBe(1);
    s.frame(done('run:b/1'));
    expect(s.count).toBe(0);
  });

  it('[S20] keep the rest of their order when two of them join', () => {
    const { s } = busy(ACP_V2);
    s.frame(launched('a')).frame(launched('b')).frame(launched('c')).frame(named('c', 'a'));
    expect(s.work).toEqual(['a', 'b']);
  });

  it('[S21] are idempotent: a repeat moves nothing but the time of the last evidence, and no revision', () => {
    const { s } = busy();
    s.frame(launched('a'));
    const { activityRevision, workloads } = s.view;
    s.world.told();
    s.world.now += 500;
    s.frame(launched('a'));
    expect([s.world.told(), s.view.activityRevision]).toEqual([[], activityRevision]);
    expect(s.view.workloads).toEqual([{ ...workloads[0], lastEvidenceAt: 1_500 }]);
  });

  it('[S21] fill empty fields, and never overwrite', () => {
    const { s } = busy();
    s.frame(launched('a'))
      .frame(launched('a', { label: 'first' }))
      .frame(launched('a', { label: 'second' }));
    expect(s.view.workloads[0]?.label).toBe('first');
  });

  it('[S21] tell nothing when only another name of theirs became known', () => {
    const { s } = busy();
    s.frame(launched('a'));
    s.world.told();
    s.frame(named('a', 'b'));
    expect(s.world.told()).toEqual([]);
  });

  it('[S22] count live subagents, blocking ones included, and nothing else', () => {
    const { s } = busy();
    s.frame(blocking('f'), launched('a'), launched('sh', { kind: 'shell' }), launched('m', { kind: 'monitor' }));
    expect([s.count, s.view.workloads.length]).toEqual([2, 4]);
    s.frame(done('a'), done('a'), done('nobody'));
    expect(s.count).toBe(1);
  });

  it('[S22] may count while the tier is none', () => {
    const { s, g1 } = busy();
    s.frame(launched('a'), answered(g1));
    expect([s.view.foregroundActivity, s.count]).toEqual([null, 1]);
  });

  it.each([
    ['plain data', { evidence: { what: 'started', names: ['x'], kind: 'subagent', detached: true } }],
    [
      'data of its prototype',
      Object.create(Attestation.prototype, { evidence: { value: { what: 'ended', names: ['a'] } } }),
    ],
    ['a copy', { ...attest({ what: 'ended', names: ['a'] }) }],
    ['a text', '{"evidence":{"what":"roster","rank":9,"items":[]}}'],
    ['nothing', null],
  ])('[S23] are never made by %s in place of an attestation', (_name, attestation) => {
    const { s } = busy();
    s.frame(launched('a'));
    s.world.told();
    s.frame({ kind: 'attested', attestation } as unknown as Fact);
    expect([s.work, s.world.told()]).toEqual([['a'], []]);
  });

  it('[S23, S24] are never made by a tool call, whatever it looks like', () => {
    const { s } = busy(GENERIC);
    s.frame(call('Task', { background: true })).frame(
      update('Task', { closed: true, content: true, background: true }),
    );
    expect(s.work).toEqual([]);
  });

  it('[S25] are not made by a launch that failed', () => {
    const { s } = busy();
    s.frame(call('A')).frame(update('A', { closed: true, content: true }));
    expect(s.work).toEqual([]);
  });

  it('[S26] outlive the call that launched them', () => {
    const { s, g1 } = busy();
    s.frame(call('A')).frame(launched('tool:A'), update('A', { closed: true, content: true }));
    s.frame(answered(g1));
    expect([s.work, s.tier]).toEqual([['tool:A'], 'background']);
  });

  it('[S27] end by their name once; an unknown or repeated end changes and tells nothing', () => {
    const { s } = busy();
    s.frame(launched('a'), launched('b')).frame(done('a'));
    s.world.told();
    s.frame(done('a')).frame(done('x'));
    expect([s.work, s.world.told()]).toEqual([['b'], []]);
  });

  it.each([
    ['a start', blocking('a')],
    ['a launch', launched('a')],
    ['a move to the background', detached('a')],
    ['a name', named('a', 'b')],
    ['a list', roster(['a'])],
    ['a start under both names', launched('b', { also: ['a'] })],
  ])('[S27] never live again by %s after their terminal', (_name, late) => {
    const { s } = busy(CLAUDE_V2);
    s.frame(launched('a')).frame(done('a')).frame(late);
    expect(s.work).toEqual([]);
  });

  it('[S27] end under the name that is live when a frame joins it to one that has ended', () => {
    const { s } = busy();
    s.frame(done('run:a')).frame(launched('tool:a'));
    expect(s.count).toBe(1);
    s.frame(launched('tool:a', { also: ['run:a'] }));
    expect(s.count).toBe(0);
    s.frame(launched('tool:a'));
    expect(s.count).toBe(0);
  });

  it('[S28] end the oldest detached one without a name, never a monitor, never a blocking one', () => {
    const { s } = busy();
    s.frame(blocking('f'), launched('m', { kind: 'monitor' }), launched('a'), launched('b'));
    s.frame(doneUnnamed(true));
    expect(s.work).toEqual(['f', 'm', 'b']);
    s.frame(doneUnnamed(true), doneUnnamed(true), doneUnnamed(true));
    expect(s.work).toEqual(['f', 'm']);
  });

  it('[S28] keep all on an end without a name once the execution reports a list', () => {
    const { s } = busy(CLAUDE_V2);
    s.frame(roster(['a'])).frame(doneUnnamed(true));
    expect(s.work).toEqual(['a']);
  });

  it('[S29] keep all on a wake that may be an event of a monitor', () => {
    const { s } = busy();
    s.frame(launched('m', { kind: 'monitor' }), launched('a'));
    s.frame(doneUnnamed(false), cycleClosed);
    expect(s.work).toEqual(['m', 'a']);
    s.frame(doneUnnamed(true));
    expect(s.work).toEqual(['m']);
  });

  it('[S30] blocking ones end with their own call', () => {
    const { s } = busy();
    s.frame(call('F'), blocking('tool:F', { also: ['session:f'] }));
    expect(s.count).toBe(1);
    s.frame(update('F', { closed: true, content: true }));
    expect(s.count).toBe(0);
  });

  it('[S30] become detached by an acknowledgement that says so, before or after its start is told', () => {
    for (const frames of permutations([blocking('tool:F'), detached('tool:F')])) {
      const { s, g1 } = busy();
      for (const one of frames) s.frame(one);
      s.frame(answered(g1));
      expect([s.work, s.view.workloads[0]?.detached]).toEqual([['tool:F'], true]);
    }
  });

  it('[S31] are not made by the calls of a child', () => {
    const { s } = busy();
    s.frame(call('inner', { child: true, background: true })).frame(update('inner', { child: true, closed: true }));
    expect(s.work).toEqual([]);
  });

  it('[S117] of an earlier execution are unknown to the next', () => {
    const { s } = busy();
    s.frame(launched('a')).frame(done('b')).end();
    s.prompt();
    expect([s.work, s.execution]).toEqual([[], 'e2']);
    s.frame(launched('b'));
    expect(s.work).toEqual(['b']);
  });
});

describe('complete lists', () => {
  it('[S32] register what is listed and unknown, and retire what is missing', () => {
    const { s } = busy(ACP_V2);
    s.frame(roster(['a', 'b'])).frame(roster(['c', 'b']));
    expect(s.work).toEqual(['b', 'c']);
    expect(s.view.workloads.every((one) => one.detached && one.source === 'reported')).toBe(true);
    s.frame(roster([]));
    expect(s.work).toEqual([]);
  });

  it('[S32] never retire blocking work, and make it detached when they list it', () => {
    const { s, g1 } = busy(ACP_V2);
    s.frame(blocking('f')).frame(roster([]));
    expect(s.work).toEqual(['f']);
    s.frame(roster(['f']))
      .frame(answered(g1))
      .frame(running())
      .frame(idle());
    expect(s.work).toEqual(['f']);
  });

  it('[S32] have one source, the most complete that has reported; the others only name', () => {
    const { s } = busy(CLAUDE_V2);
    s.frame(roster(['tool:x', 'tool:y'], 1));
    s.frame(roster([item('run:x', { also: ['tool:x'] }), 'run:m'], 2));
    expect(s.work).toEqual(['tool:x', 'run:m']);
    s.frame(roster([item('tool:x', { label: 'tests' })], 1));
    expect(s.view.workloads.map((one) => one.label)).toEqual(['tests', '']);
    s.frame(roster([], 1));
    expect(s.work).toEqual(['tool:x', 'run:m']);
    s.frame(roster([], 2));
    expect(s.work).toEqual([]);
  });

  it('[S32] take an unknown kind for live work', () => {
    const { s } = busy(ACP_V2);
    s.frame(roster([item('w', { kind: 'other' })]), idle());
    expect([s.view.workloads[0]?.kind, s.count]).toEqual(['other', 0]);
  });

  it('[S32] leave an armed timer out: it may wake the agent and is no work', () => {
    const { s } = busy(ACP_V2);
    s.frame(running(), roster([]), { kind: 'armed', mayWake: true }).frame(idle());
    expect([s.view.mayWake, s.work, s.tier]).toEqual([true, [], null]);
  });

  it('[S32] are sets: their order tells nothing', () => {
    const { s } = busy(ACP_V2);
    s.frame(roster(['a', 'b']));
    s.world.told();
    s.frame(roster(['b', 'a', 'a']));
    expect([s.work, s.world.told()]).toEqual([['a', 'b'], []]);
  });

  it('[S32] are true of their own moment: a start that follows a list without it is live', () => {
    const { s } = busy(ACP_V2);
    s.frame(roster([])).frame(launched('a'));
    expect(s.work).toEqual(['a']);
  });

  it('[S32] end the same in every order and duplication of list, start, acknowledgement and terminal', () => {
    const frames = [
      roster([item('run:b', { kind: 'subagent' })], 2),
      blocking('run:b', { also: ['tool:b'], kind: 'other' }),
      launched('tool:b'),
      done('run:b'),
    ];
    for (const order of permutations(frames)) {
      const { s } = busy(CLAUDE_V2);
      for (const frame of [...order, ...order]) s.frame(frame);
      expect(s.work).toEqual([]);
      const { s: live } = busy(CLAUDE_V2);
      for (const frame of order.filter((one) => one !== frames[3])) live.frame(frame);
      expect([live.count, live.view.workloads.length, live.view.workloads[0]?.detached]).toEqual([1, 1, true]);
    }
  });

  it('[S33] bring back what a list had omitted, but not what had ended', () => {
    const { s } = busy(ACP_V2);
    s.frame(roster(['a', 'b']))
      .frame(roster(['b']))
      .frame(roster(['a', 'b']));
    expect(s.work).toEqual(['b', 'a']);
    s.frame(done('a')).frame(roster(['a', 'b']));
    expect(s.work).toEqual(['b']);
  });

  it('[S33] bring a new run of the same work in as a new registration with a new seq', () => {
    const { s } = busy(ACP_V2);
    s.frame(roster(['run:a/1', 'b']))
      .frame(done('run:a/1'))
      .frame(roster(['run:a/2', 'b']));
    expect(s.work).toEqual(['b', 'run:a/2']);
  });

  it('[S122] that list a terminal status take the item for over, also when it never was listed as running', () => {
    const { s } = busy(ACP_V2);
    s.frame(running(), roster([item('a', { status: 'ended' })])).frame(idle());
    expect([s.work, s.view.awaitingFollowUp]).toEqual([[], true]);
    s.frame(launched('a'));
    expect(s.work).toEqual([]);
  });

  it('[S144] show each workload with its source under every policy', () => {
    const inferred = busy(CLAUDE_V1);
    inferred.s.frame(launched('a'), answered(inferred.g1));
    expect([inferred.s.view.policy, inferred.s.view.workloads[0]?.source]).toEqual(['coarse', 'inferred']);
    const reported = session({ traits: ACP_V2, reported: false });
    reported.prompt();
    reported.frame(running(), roster([item('a', { kind: 'subagent' })])).frame(idle());
    const { view } = reported;
    expect([view.policy, view.foregroundActivity, view.activeSubagentCount]).toEqual(['coarse', null, 1]);
    expect(view.workloads[0]?.source).toBe('reported');
    reported.frame(roster([item('a', { status: 'ended' })]));
    expect([reported.view.awaitingFollowUp, reported.view.foregroundActivity]).toEqual([true, null]);
  });
});

describe('evidence', () => {
  it('[S20] of two registrations that turn out to be one, one of them ended, leaves nothing live', () => {
    for (const order of permutations([launched('tool:a'), done('run:a'), named('tool:a', 'run:a')])) {
      const { s } = busy();
      for (const frame of order) s.frame(frame);
      expect(s.work).toEqual([]);
    }
  });

  it('[S27] of an end is remembered for its execution only', () => {
    const { s } = busy();
    s.frame(done('a')).end();
    s.prompt();
    s.frame(launched('a'));
    expect(s.work).toEqual(['a']);
  });

  it('[S14] of several kinds in one frame is applied in its order', () => {
    const { s } = busy();
    s.frame(out, fact({ what: 'started', names: ['a'], kind: 'shell', detached: true }), done('a'));
    expect(s.work).toEqual([]);
  });
});
