import { describe, expect, it } from 'vitest';
import { decide } from '../src/decide.ts';
import { answered, blocking, CLAUDE_V1, call, launched, out, update, yielded } from './facts.ts';
import { session } from './session-script.ts';

/** Yielded: whatever a frame says, the foreground shows whether it was taken for known output. */
function yieldedSession() {
  const s = session({ traits: CLAUDE_V1, fine: true });
  const g1 = s.prompt();
  return { s, yields: () => s.frame(launched('tool:A'), yielded(g1)), g1 };
}

const spoken = { closed: true, content: true };

describe('owners of tool calls', () => {
  it('[S40] are recorded by the first frame of a call', () => {
    const { s, yields } = yieldedSession();
    s.frame(call('fg'))
      .frame(call('bg', { background: true }))
      .frame(call('kid', { child: true }));
    yields();
    s.frame(update('bg', spoken)).frame(update('kid', spoken));
    expect(s.foreground).toBe('yielded');
    s.frame(update('fg', spoken));
    expect(s.foreground).toBe('held');
  });

  it('[S40] are known by execution: an id that is used again by the next one is a new call', () => {
    const { s } = yieldedSession();
    s.frame(call('X')).end();
    const g2 = s.prompt();
    s.frame(launched('tool:A'), yielded(g2)).frame(update('X', spoken));
    expect(s.foreground).toBe('yielded');
  });

  it('[S41] are unknown without a first frame, and unknown keeps the tier', () => {
    const { s, yields } = yieldedSession();
    yields();
    s.frame(update('late', spoken));
    expect([s.foreground, s.work]).toEqual(['yielded', ['tool:A']]);
  });

  it('[S42] change by positive evidence, never by a parent that is missing', () => {
    const { s, yields } = yieldedSession();
    s.frame(call('kid', { child: true })).frame(update('kid'));
    s.frame(call('moved')).frame(update('moved', { background: true }));
    yields();
    s.frame(update('kid', spoken)).frame(update('moved', spoken));
    expect(s.foreground).toBe('yielded');
  });

  it('[S42] change when the call turns out to have launched detached work', () => {
    const { s, g1 } = yieldedSession();
    s.frame(call('B')).frame(launched('tool:B')).frame(yielded(g1)).frame(update('B', spoken));
    expect([s.foreground, s.work]).toEqual(['yielded', ['tool:B']]);
  });

  it('[S43] of a child never change the tier', () => {
    const { s, yields } = yieldedSession();
    yields();
    s.frame(call('kid', { child: true })).frame(update('kid', { child: true, ...spoken }));
    expect([s.foreground, s.work]).toEqual(['yielded', ['tool:A']]);
  });

  it('[S44] are cleared by a terminal status, after the frame was processed', () => {
    const { s, yields } = yieldedSession();
    s.frame(call('X'));
    yields();
    s.frame(update('X', spoken));
    expect(s.foreground).toBe('held');
    expect(s.record.executions.get('e1')?.tools).toEqual([]);
  });

  it('[S44] that are background end their blocking work by any of its names, even without the flag', () => {
    const { s } = yieldedSession();
    s.frame(call('B', { background: true }), blocking('run:B', { also: ['tool:B'] }));
    s.frame(update('B', { closed: true }));
    expect(s.work).toEqual([]);
  });

  it('[S44] never end detached work with their call', () => {
    const { s } = yieldedSession();
    s.frame(call('B', { background: true }), launched('run:B', { also: ['tool:B'] }));
    s.frame(update('B', { closed: true, background: true }));
    expect(s.work).toEqual(['run:B']);
  });

  it('[S45] of a retired execution are dropped: the same record, and no session again', () => {
    const { s } = yieldedSession();
    s.frame(call('X')).end();
    const before = s.record;
    s.world.told();
    s.frameOf('e1', out, call('Y'), launched('tool:Y'), update('X', spoken));
    expect([s.record, s.world.told()]).toEqual([before, []]);
    s.apply({ type: 'session.removed' });
    s.world.told();
    s.frameOf('e1', out);
    expect([s.world.tracker.view('s'), s.world.told()]).toEqual([undefined, []]);
  });

  it('[S45] of a retired execution leave the very same record', () => {
    const { s } = yieldedSession();
    s.end();
    const record = s.record;
    const facts = [out, call('Y'), launched('tool:Y')];
    const frame = { type: 'frame.received', sessionId: 's', at: 9_000, executionId: 'e1', facts } as const;
    expect(decide(record, frame, 99)).toEqual({ record, transitions: [] });
    expect(decide(record, frame, 99).record).toBe(record);
  });

  it('[S46] are not made by history: a frame that means nothing changes nothing', () => {
    const { s } = yieldedSession();
    const before = s.view;
    s.frame();
    expect(s.view).toBe(before);
  });

  it('[S65] last as long as their generation: a call of the predecessor keeps its owner over the end of the successor', () => {
    const { s, yields, g1 } = yieldedSession();
    s.frame(call('old'));
    yields();
    const g2 = s.prompt();
    s.frame(out).frame(call('new')).frame(answered(g2)).frame(answered(g1));
    expect(s.record.executions.get('e1')?.tools.map(({ id }) => id)).toEqual(['old']);
  });
});
