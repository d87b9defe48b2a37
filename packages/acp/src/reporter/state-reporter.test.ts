import { setImmediate as afterAllThatIsDue } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type JsonObject, objectAt } from '../wire/json.ts';
import { type ProcessEntry, type ReporterOptions, StateReporter } from './index.ts';

const OPTED_IN = { clientCapabilities: { _meta: { 'hermes-agent': { stateUpdate: 1 } } } };

/** A reporter with a source that a test can change, and what it sent. */
function reporter(options: Partial<ReporterOptions> = {}) {
  const source = { entries: [] as readonly ProcessEntry[], fails: false, reads: 0 };
  const sent: { readonly method: string; readonly params: JsonObject }[] = [];
  const logs: string[] = [];
  const made = new StateReporter({
    sessionId: 's',
    initialize: OPTED_IN,
    protocolVersion: 1,
    readRoster: () => {
      source.reads += 1;
      if (source.fails) throw new Error('no roster');
      return source.entries;
    },
    send: (method, params) => {
      sent.push({ method, params });
    },
    log: ({ message }) => logs.push(message),
    ...options,
  });
  const background = () => sent.map(({ params }) => words(params));
  return { made, source, sent, logs, background };
}

function words(params: JsonObject): string {
  const list = params.background as readonly JsonObject[] | undefined;
  const items = list?.map((item) => `${item.id} ${item.status}${'exitCode' in item ? ` ${item.exitCode}` : ''}`);
  return `${params.stopReason ?? params.state}${items ? ` [${items.join(', ')}]` : ''}`;
}

const running = (id = 'p'): ProcessEntry => ({ id, title: 'build' });
const ended = (exitCode: number | null, more: Partial<ProcessEntry> = {}): ProcessEntry => ({
  ...running(),
  ended: { exitCode },
  ...more,
});
const DONE = { stopReason: 'end_turn' };

describe('opting in', () => {
  const withMeta = (meta: unknown) => ({ clientCapabilities: { _meta: meta } });

  it.each([
    ['one', withMeta({ 'hermes-agent': { stateUpdate: 1 } }), 2],
    ['a later version', withMeta({ 'hermes-agent': { stateUpdate: 3 } }), 2],
    ['the alias', withMeta({ 'bb.dev': { stateUpdate: 1 } }), 2],
    [
      'the alias beside a malformed one',
      withMeta({ 'hermes-agent': { stateUpdate: '1' }, 'bb.dev': { stateUpdate: 1 } }),
      2,
    ],
    ['text', withMeta({ 'hermes-agent': { stateUpdate: '1' } }), 0],
    ['a boolean', withMeta({ 'hermes-agent': { stateUpdate: true } }), 0],
    ['a fraction', withMeta({ 'hermes-agent': { stateUpdate: 1.5 } }), 0],
    ['zero', withMeta({ 'hermes-agent': { stateUpdate: 0 } }), 0],
    ['minus one', withMeta({ 'hermes-agent': { stateUpdate: -1 } }), 0],
    ['a number beyond all integers', withMeta({ 'hermes-agent': { stateUpdate: Number.POSITIVE_INFINITY } }), 0],
    ['a list', withMeta({ 'hermes-agent': { stateUpdate: [1] } }), 0],
    ['another place', { _meta: { 'hermes-agent': { stateUpdate: 1 } } }, 0],
    ['a prototype’s', withMeta(Object.create({ 'hermes-agent': { stateUpdate: 1 } })), 0],
    ['nothing', {}, 0],
    ['no params', undefined, 0],
  ])('[S124] speaks to an editor that declared %s exactly as often as it may', async (_, initialize, count) => {
    const { made, sent, source } = reporter({ initialize });

    await made.admitted({ id: 'a' });
    await made.settled('a', DONE);

    expect(sent).toHaveLength(count);
    if (count === 0) expect(source.reads).toBe(0);
  });
});

describe('the foreground', () => {
  it('[S124] names the run of an admission, and its stop reason at the end', async () => {
    const { made, sent } = reporter();

    await made.admitted({ id: 'a' });
    await made.settled('a', { stopReason: 'max_tokens' });

    const method = '_hermes-agent/state_update';
    expect(sent).toEqual([
      { method, params: { sessionId: 's', state: 'running', background: [], _meta: { runId: 'a' } } },
      {
        method,
        params: { sessionId: 's', state: 'idle', stopReason: 'max_tokens', background: [], _meta: { runId: 'a' } },
      },
    ]);
  });

  it.each([
    [{ stopReason: 'end_turn' }, 'end_turn', undefined],
    [{ stopReason: 'max_tokens' }, 'max_tokens', undefined],
    [{ stopReason: 'max_turn_requests' }, 'max_turn_requests', undefined],
    [{ stopReason: 'refusal' }, 'refusal', undefined],
    [{ stopReason: 'cancelled' }, 'cancelled', undefined],
    [{ stopReason: 'exploded' }, 'end_turn', 'exploded'],
    [{ stopReason: 'toString' }, 'end_turn', 'toString'],
    [{ error: new Error('model gone') }, 'end_turn', 'model gone'],
    [{ error: 'x'.repeat(9_000) }, 'end_turn', 'x'.repeat(500)],
  ])('[S124] maps the outcome %j to a reason of ACP', async (outcome, stopReason, cause) => {
    const { made, sent } = reporter();
    await made.admitted({ id: 'a' });

    await made.settled('a', outcome);

    expect(sent.at(-1)?.params).toMatchObject({ stopReason });
    expect(objectAt(sent.at(-1), 'params', '_meta').cause).toBe(cause);
  });

  it('[S124] reads the roster anew for every send', async () => {
    const { made, source, background } = reporter();

    await made.admitted({ id: 'a' });
    source.entries = [running()];
    await made.settled('a', DONE);

    expect(background()).toEqual(['running []', 'end_turn [p running]']);
    expect(source.reads).toBe(2);
  });

  it('[S124] says of a wake that no prompt began it', async () => {
    const { made, sent } = reporter();

    await made.admitted({ id: 'w', wakeFor: ['p'] });

    expect(sent[0]?.params._meta).toEqual({ runId: 'w', origin: 'wake' });
  });

  it('[S124] keeps the order of what happened, however long a read takes', async () => {
    const open: ((entries: readonly ProcessEntry[]) => void)[] = [];
    const slow = () => new Promise<readonly ProcessEntry[]>((resolve) => open.push(resolve));
    const { made, background } = reporter({ readRoster: slow });

    const both = Promise.all([made.admitted({ id: 'a' }), made.settled('a', DONE)]);
    // Of the reads that are open, the last to begin is always the first to be answered.
    for (let reads = 0; reads < 2; reads += 1) {
      await afterAllThatIsDue();
      open.pop()?.([]);
    }
    await both;

    expect(background()).toEqual(['running []', 'end_turn []']);
  });

  it('[S124] ends nothing twice', async () => {
    const { made, sent } = reporter();
    await made.admitted({ id: 'a' });
    await made.settled('a', DONE);

    await made.settled('a', DONE);

    expect(sent.at(-1)?.params).toEqual({ sessionId: 's', state: 'idle', background: [] });
  });
});

describe('snapshots of an adopted session', () => {
  it('[S124] tells the turn in flight with its run', async () => {
    const { made, sent } = reporter();

    await made.adopted({ id: 'a' });
    await made.settled('a', DONE);

    expect(sent.map(({ params }) => [params.state, params._meta])).toEqual([
      ['running', { runId: 'a' }],
      ['idle', { runId: 'a' }],
    ]);
  });

  it('[S124] tells idle, without a stop reason, when no turn is', async () => {
    const { made, source, sent } = reporter();
    source.entries = [running()];

    await made.adopted(null);

    expect(sent.map(({ params }) => params)).toEqual([
      { sessionId: 's', state: 'idle', background: [{ type: 'process', id: 'p', title: 'build', status: 'running' }] },
    ]);
  });

  it('[S124] knows no turn any more that ended in a gap of the replay', async () => {
    const { made, source, background } = reporter();
    source.entries = [ended(0, { followUp: true })];
    await made.admitted({ id: 'w', wakeFor: ['p'] });

    await made.adopted({ id: 'b' });

    expect(background()).toEqual(['running [p completed 0]', 'running []']);
  });

  it('[S124] begins no turn anew that was in flight before and after the gap', async () => {
    const { made, source, background } = reporter();
    source.entries = [ended(0, { followUp: true })];
    await made.admitted({ id: 'w', wakeFor: ['p'] });

    await made.adopted({ id: 'w' });

    expect(background()).toEqual(['running [p completed 0]', 'running [p completed 0]']);
  });
});

describe('known follow-ups', () => {
  it.each([
    [0, 'p completed 0'],
    [3, 'p failed 3'],
    [null, 'p failed'],
  ])('[S125] tells an end with exit code %s', async (exitCode, word) => {
    const { made, source, background } = reporter();
    source.entries = [running()];
    await made.changed();
    source.entries = [ended(exitCode, { followUp: true })];
    await made.changed();

    expect(background()).toEqual(['idle [p running]', `idle [${word}]`]);
  });

  it('[S125] keeps it until the wake has settled, even if the source forgot it', async () => {
    const { made, source, background } = reporter();
    source.entries = [ended(0, { followUp: true })];
    await made.changed();
    source.entries = [];

    await made.changed();
    await made.admitted({ id: 'w', wakeFor: ['p'] });
    await made.changed();
    await made.settled('w', DONE);

    expect(background()).toEqual([
      'idle [p completed 0]',
      'idle [p completed 0]',
      'running [p completed 0]',
      'running [p completed 0]',
      'end_turn []',
    ]);
  });

  it('[S125] keeps it through a turn that does not name it', async () => {
    const { made, source, background } = reporter();
    source.entries = [ended(0, { followUp: true })];

    await made.admitted({ id: 'human' });
    await made.settled('human', DONE);

    expect(background()).toEqual(['running [p completed 0]', 'end_turn [p completed 0]']);
  });

  it('[S125] lets it go for good, even if the source still lists it', async () => {
    const { made, source, background } = reporter();
    source.entries = [ended(0, { followUp: true })];
    await made.admitted({ id: 'w', wakeFor: ['p'] });

    await made.settled('w', DONE);
    await made.changed();

    expect(background().slice(1)).toEqual(['end_turn []', 'idle []']);
  });

  it('[S125] sends an end without a wake once, and tells at once that it left', async () => {
    const { made, source, background } = reporter();
    source.entries = [ended(1)];

    await made.changed();
    await made.changed();

    expect(background()).toEqual(['idle [p failed 1]', 'idle []', 'idle []']);
  });

  it('[S125] takes a running process that the source forgot for ended, and says so once', async () => {
    const { made, source, background } = reporter();
    source.entries = [running()];
    await made.admitted({ id: 'a' });
    source.entries = [];

    await made.changed();
    await made.settled('a', DONE);

    expect(background()).toEqual(['running [p running]', 'running [p failed]', 'end_turn []']);
  });

  it('[S125] removes nothing before it was sent as ended', async () => {
    const { made, source, background } = reporter();
    source.entries = [running()];
    await made.admitted({ id: 'w', wakeFor: ['p'] });
    source.entries = [ended(0)];

    await made.settled('w', DONE);
    await made.changed();

    expect(background()).toEqual(['running [p running]', 'end_turn [p completed 0]', 'idle []', 'idle []']);
  });

  it('[S125] sends an end again whose send failed', async () => {
    let fails = true;
    const sent: string[] = [];
    const { made, source } = reporter({
      send: (_, params) => {
        if (fails) throw new Error('closed');
        sent.push(words(params));
      },
    });
    source.entries = [ended(0)];

    await made.changed();
    fails = false;
    await made.changed();
    await made.changed();

    expect(sent).toEqual(['idle [p completed 0]', 'idle []', 'idle []']);
  });

  it('[S125] keeps the end of a process whose events woke the agent while it ran', async () => {
    const { made, source, background } = reporter();
    source.entries = [running()];
    await made.admitted({ id: 'event', wakeFor: ['p'] });
    source.entries = [ended(0, { followUp: true })];
    await made.settled('event', DONE);

    expect(background().at(-1)).toBe('end_turn [p completed 0]');
    await made.admitted({ id: 'end', wakeFor: ['p'] });
    await made.settled('end', DONE);
    expect(background().at(-1)).toBe('end_turn []');
  });

  it('[S125] lets an end go whose wake was given up', async () => {
    const { made, source, background } = reporter();
    source.entries = [ended(0, { followUp: true })];
    await made.changed();
    source.entries = [];

    await made.followUpDropped('p');

    expect(background()).toEqual(['idle [p completed 0]', 'idle []']);
  });

  it('[S125] lists an id that runs again after its end', async () => {
    const { made, source, background } = reporter();
    source.entries = [ended(0, { followUp: true })];
    await made.admitted({ id: 'w', wakeFor: ['p'] });
    await made.settled('w', DONE);
    source.entries = [running()];

    await made.changed();

    expect(background().at(-1)).toBe('idle [p running]');
  });
});

describe('failures', () => {
  it('[S126] says nothing of the background when the source cannot be read', async () => {
    const { made, source, background, logs } = reporter();
    source.entries = [running()];
    await made.admitted({ id: 'a' });
    source.fails = true;
    await made.changed();
    source.fails = false;
    await made.settled('a', DONE);

    expect(background()).toEqual(['running [p running]', 'running', 'end_turn [p running]']);
    expect(logs).toEqual(['the roster could not be read, the update goes without it (session s)']);
  });

  it('[S126] takes a source that does not answer for one that cannot be read', async () => {
    const { made, background } = reporter({ timeoutMs: 10, readRoster: () => new Promise(() => undefined) });

    await made.admitted({ id: 'a' });

    expect(background()).toEqual(['running']);
  });

  it('[S126] says nothing of the background when the source tells no list', async () => {
    const { made, background } = reporter({ readRoster: () => null as unknown as readonly ProcessEntry[] });

    await made.admitted({ id: 'a' });

    expect(background()).toEqual(['running']);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('closed'))],
    ['never ends', () => new Promise(() => undefined)],
  ])('[S126] goes on after a send that %s', async (_, failing) => {
    const sent: string[] = [];
    let fails = true;
    const send = (_method: string, params: JsonObject) => (fails ? failing() : sent.push(words(params)));
    const { made, logs } = reporter({ timeoutMs: 10, send });

    await made.admitted({ id: 'a' });
    fails = false;
    await made.settled('a', DONE);

    expect(sent).toEqual(['end_turn []']);
    expect(logs).toEqual(['a state update could not be sent (session s)']);
  });

  it('[S126] goes on when even the log fails', async () => {
    const log = () => {
      throw new Error('disk full');
    };
    const { made, source, background } = reporter({ log });
    source.fails = true;

    await made.admitted({ id: 'a' });

    expect(background()).toEqual(['running']);
  });
});

describe('ACP v2', () => {
  it('[S127] speaks the state updates of the protocol, to whoever negotiated it', async () => {
    const { made, source, sent } = reporter({ protocolVersion: 2, initialize: {} });
    source.entries = [running()];

    await made.admitted({ id: 'a' });
    await made.settled('a', DONE);

    const background = [{ type: '_process', id: 'p', title: 'build', status: 'running' }];
    const framed = (update: JsonObject) => ({
      method: 'session/update',
      params: { sessionId: 's', update: { sessionUpdate: 'state_update', ...update } },
    });
    expect(sent).toEqual([
      framed({ state: 'running', background, _meta: { runId: 'a' } }),
      framed({ state: 'idle', stopReason: 'end_turn', background, _meta: { runId: 'a' } }),
    ]);
  });

  it('[S127] tells no idle while another turn is at work', async () => {
    const { made, sent } = reporter({ protocolVersion: 2 });
    await made.admitted({ id: 'a' });
    await made.admitted({ id: 'b' });

    await made.settled('a', DONE);

    expect(sent.at(-1)?.params.update).toMatchObject({ state: 'running', _meta: { runId: 'b' } });
  });
});
