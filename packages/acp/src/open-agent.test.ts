import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { droppedFrames, FRAME_DROPS, openAgent, startTimeOf } from './index.ts';
import { ProcessTree } from './process/process-tree.ts';
import { OPEN_REQUESTS } from './requests/request-desk.ts';
import { type Harness, type HarnessOptions, recordingPath, startAgent } from './testing/agent-harness.ts';
import { factWords } from './testing/fact-words.ts';
import type { AgentRequest, Reading } from './types.ts';

const open: Harness[] = [];

async function start(script: string, args: readonly string[], options?: HarnessOptions): Promise<Harness> {
  const harness = await startAgent(script, args, options);
  open.push(harness);
  return harness;
}

const small = (flags: readonly string[], options?: HarnessOptions) => start('small-agent.mjs', flags, options);

const replay = (recording: string, options: HarnessOptions = {}) =>
  start('replay-agent.mjs', [recordingPath(recording), '--speed', '0'], { provider: 'claude-acp', ...options });

afterEach(async () => {
  await Promise.all(open.splice(0).map((harness) => harness.connection.close()));
});

const settled = (reading: Reading) => reading.facts.some((fact) => fact.kind === 'rpc.settled');
const isIdle = (reading: Reading) =>
  reading.facts.some((fact) => fact.kind === 'foreground' && fact.level === 'raw' && fact.state === 'idle');
const opens = (reading: Reading) => reading.requests.some((event) => event.type === 'opened');

function requestOf(reading: Reading): AgentRequest {
  const event = reading.requests.find((one) => one.type === 'opened');
  if (event?.type !== 'opened') throw new Error('no request was opened');
  return event.request;
}

describe('opening', () => {
  it('[S120] speaks ACP v2 where the agent does, v1 where not', async () => {
    const [v2, v1, stubborn] = await Promise.all([small(['--v2']), small([]), small(['--refuse-v2'])]);

    expect([v2, v1, stubborn].map((one) => one.connection.protocolVersion)).toEqual([2, 1, 1]);
    expect(v1.connection.agentSessionId).toBe('made');
    expect(v1.connection.history).toBe('new');
  });

  it('[S123] passes over lines that are no frames', async () => {
    const harness = await small(['--noise']);

    expect(harness.logs.filter((line) => line.startsWith('dropped'))).toHaveLength(3);
  });

  it('[S130] gives up an agent that says nothing, and names the command', async () => {
    await expect(small(['--silent'], { startTimeoutMs: 300 })).rejects.toMatchObject({
      code: 'start_timeout',
      message: expect.stringMatching(/small-agent\.mjs --silent" could not be opened: it said nothing for 300 ms/),
    });
  });

  it('[S130] tells the last words of an agent that dies, without its secrets', async () => {
    const failure = small(['--die'], { env: { SOME_API_KEY: 'very-secret-value' } });

    await expect(failure).rejects.toMatchObject({
      code: 'start_failed',
      message: expect.stringMatching(/exit code 3\)\ncannot go on with \*\*\*$/),
    });
  });

  it('[S130] says that a command does not exist', async () => {
    const launch = {
      agentId: 'x',
      provider: 'generic',
      command: 'no-such-agent-here',
      args: ['acp'],
      env: {},
      cwd: '/',
    };
    const sink = { frame: () => undefined, gone: () => undefined, log: () => undefined };
    const options = { launch, cwd: '/', agentSessionId: null, startTimeoutMs: 5_000, mockProvider: false, sink };

    await expect(openAgent(options)).rejects.toMatchObject({
      code: 'start_failed',
      message: expect.stringContaining('cannot start "no-such-agent-here acp"'),
    });
  });

  it('[S115] can be given up', async () => {
    await expect(small(['--silent'], { signal: AbortSignal.timeout(100) })).rejects.toMatchObject({
      code: 'start_timeout',
    });
  });
});

describe('an earlier conversation', () => {
  it.each([
    ['--resume', 'resumed'],
    ['--load', 'loaded'],
    ['--v2', 'resumed'],
  ])('[S46] is had again by %s, and its history is no evidence', async (flag, history) => {
    const harness = await small([flag], { agentSessionId: 'known' });
    await harness.until((reading) => reading.transcript.some((event) => event.type === 'tool'));

    expect(harness.connection.history).toBe(history);
    expect(harness.facts().filter((fact) => fact.kind === 'output' || fact.kind === 'tool')).toEqual([]);
    const messages = harness.readings
      .flatMap((reading) => reading.transcript)
      .filter((event) => event.type === 'message');
    expect(messages.at(-1)).toMatchObject({ id: 'assistant:m', text: 'once upon', mode: 'replace' });
    expect(messages.every((event) => event.role === 'assistant')).toBe(true);
  });

  it('[S46] takes state and list from the last update before the answer in v2', async () => {
    const harness = await small(['--v2'], { agentSessionId: 'known' });
    await harness.until((reading) => reading.facts.length > 0);

    expect(factWords(harness.facts())).toEqual(['list1 []', 'state idle']);
  });

  it.each(['--resume', '--load', '--v2'])('[S11] is begun anew where the agent does not know it (%s)', async (flag) => {
    const harness = await small([flag], { agentSessionId: 'forgotten' });

    expect(harness.connection.history).toBe('new');
    expect(harness.connection.agentSessionId).toBe('made');
  });

  it('[S11] is begun anew where the agent cannot have it again', async () => {
    const harness = await small([], { agentSessionId: 'known' });

    expect(harness.connection.history).toBe('new');
  });
});

describe('prompting', () => {
  it('[S23] refuses files, and every method that was not agreed', async () => {
    const harness = await small([]);

    expect(await harness.connection.prompt(3, 'hi')).toEqual({ accepted: true });
    await harness.until(settled);

    expect(harness.said()).toBe('hello -32601');
    expect(factWords(harness.facts())).toEqual(['accepted 3', 'output', 'rpc.settled 3']);
  });

  it('[S83] hard case 18: says that the provider is busy', async () => {
    const harness = await small(['--busy']);

    expect(await harness.connection.prompt(3, 'hi')).toEqual({
      accepted: false,
      busy: true,
      message: 'Another prompt is running',
    });
    expect(factWords(harness.facts())).toEqual(['rejected 3']);
  });

  it('[S132] opens a permission and answers it by an option that was offered', async () => {
    const harness = await small(['--ask']);
    await harness.connection.prompt(3, 'hi');
    const request = requestOf(await harness.until(opens));

    expect(request).toMatchObject({ kind: 'permission', title: 'touch', askedBy: null, background: false });
    expect(request.options.map((option) => option.kind)).toEqual(['allow_once', 'reject_once']);
    expect(harness.connection.respond(request.id, { optionId: 'other' })).toBe(false);
    expect(harness.connection.respond(request.id, { optionId: 'y' })).toBe(true);
    expect(harness.connection.respond(request.id, { optionId: 'y' })).toBe(false);
    await harness.until(settled);
    expect(harness.said()).toBe('{"outcome":"selected","optionId":"y"}');
  });

  it('[S132] opens no more requests than anybody answers, and refuses the rest', async () => {
    const harness = await small(['--ask-much']);
    await harness.connection.prompt(3, 'hi');
    await harness.until(settled);

    const events = harness.readings.flatMap((reading) => reading.requests);
    expect(events.filter((event) => event.type === 'opened')).toHaveLength(OPEN_REQUESTS);
    expect(harness.said()).toBe('-32600');
  });

  it('[S56] tells why a prompt failed that had been taken', async () => {
    const harness = await small(['--fail']);
    expect(await harness.connection.prompt(3, 'hi')).toEqual({ accepted: true });
    const end = await harness.until(settled);

    expect(end.facts).toContainEqual({ kind: 'rpc.settled', generation: 3, stopReason: 'error' });
    expect(end.transcript).toEqual([{ type: 'failure', message: 'error "out of credit"' }]);
  });

  it('[S123] fails a prompt that is answered with neither a result nor an error', async () => {
    const harness = await small(['--empty-answer']);
    expect(await harness.connection.prompt(3, 'hi')).toEqual({ accepted: true });
    const end = await harness.until(settled);

    expect(end.facts).toContainEqual({ kind: 'rpc.settled', generation: 3, stopReason: 'error' });
    expect(harness.logs).toContain('dropped an answer with neither a result nor an error: what it answers has failed');
  });

  it('[S131] answers what the foreground asks as cancelled when the turn is', async () => {
    const harness = await small(['--ask']);
    await harness.connection.prompt(3, 'hi');
    const { id } = requestOf(await harness.until(opens));

    harness.connection.cancel();
    await harness.until(settled);

    expect(harness.readings.flatMap((reading) => reading.requests)).toContainEqual({ type: 'closed', id });
    expect(harness.said()).toBe('{"outcome":"cancelled"}');
  });

  it('[S123] passes over a line beyond all limits', async () => {
    const harness = await small(['--huge']);

    expect(await harness.connection.prompt(3, 'hi')).toEqual({ accepted: true });
    await harness.until(settled);

    expect(harness.said()).toBe('after');
    expect(harness.logs).toContain('dropped a line of more than 16 MiB');
    const told = harness.readings.flatMap(({ transcript }) => transcript).filter(({ type }) => type === 'lost');
    expect(told).toEqual([
      { type: 'lost', message: 'Dropped a line of more than 16 MiB: what the agent said in it is not known' },
    ]);
  });

  it('[S123] reads a flood whole and in its order, and lets others have their turn', async () => {
    const harness = await small(['--flood', '20000']);
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    await harness.connection.prompt(3, 'hi');
    await harness.until(settled);
    clearInterval(timer);

    expect(harness.said()).toBe(Array.from({ length: 20_000 }, (_, nth) => `${nth} `).join(''));
    expect(turns).toBeGreaterThan(5);
  });

  it('[S123] survives all that is hostile, counts it, and shows none of it', async () => {
    const before = new Map(droppedFrames());
    const harness = await small(['--hostile']);
    await harness.connection.prompt(3, 'hi');
    await harness.until(settled);

    expect(harness.said()).toBe('alive');
    expect(factWords(harness.facts())).toEqual(['accepted 3', 'output', 'rpc.settled 3']);
    expect(harness.readings.flatMap((reading) => reading.requests.map((event) => event.type))).toEqual([
      'opened',
      'closed',
    ]);
    const grown = Object.keys(FRAME_DROPS).map((kind) => {
      const count = (counts: ReadonlyMap<string, number>) => counts.get(kind) ?? 0;
      return [kind, count(droppedFrames()) - count(before)];
    });
    expect(Object.fromEntries(grown)).toEqual({
      no_frame: 4,
      prototype_key: 1,
      invalid_utf8: 1,
      line_too_long: 0,
      bad_request_id: 1,
      duplicate_request_id: 1,
      unknown_answer: 3,
      malformed_answer: 0,
      unknown_method: 1,
      bad_params: 1,
      too_many_requests: 0,
      malformed_update: 2,
    });
  });
});

describe('stopping one item', () => {
  it('[S131] stops a terminal, a call and a child session, each by its own method', async () => {
    const harness = await small(['--v2', '--work']);
    await harness.connection.prompt(3, 'hi');
    await harness.until((reading) => reading.facts.some((fact) => fact.kind === 'foreground' && fact.state === 'idle'));
    const { connection } = harness;

    expect(await connection.stop('terminal:t')).toEqual({ stopped: true, reason: null });
    expect(await connection.stop('tool:x')).toEqual({ stopped: true, reason: null });
    expect(await connection.stop('session:kid#1')).toEqual({ stopped: true, reason: null });
    await harness.until((reading) => factWords(reading.facts).includes('-session#1'));
    expect(await connection.stop('terminal:other')).toEqual({
      stopped: false,
      reason: 'this agent offers no way to stop it',
    });
  });
});

describe('an agent that ends', () => {
  it.each([
    ['exits while something holds its output', '--holds-stdout', 7],
    ['closes its output and lives on', '--closes-stdout', null],
  ])('[S110] is gone when it %s', async (_, flag, code) => {
    const harness = await small([flag]);
    void harness.connection.prompt(3, 'hi');

    expect(await harness.gone).toMatchObject({ code });
    const { pid } = harness.connection;
    await harness.connection.close();
    expect(await startTimeOf(pid)).toBeNull();
  });

  it('[S123] is not believed half a line', async () => {
    const harness = await small(['--half-line']);
    const receipt = harness.connection.prompt(3, 'hi');

    expect(await harness.gone).toMatchObject({ code: 0 });
    expect(await receipt).toMatchObject({ accepted: false });
    expect(harness.facts()).toEqual([]);
    expect(harness.logs).toContain('dropped a line that is no JSON object, or nests too deep');
  });
});

describe('recorded agents', () => {
  it('[S14] reads a recorded session as it was recorded', async () => {
    const harness = await replay('claude-0.101/v2-raw/03-background-bash');
    await harness.connection.prompt(3, 'hi');
    await harness.until((reading) =>
      reading.transcript.some((event) => event.type === 'wake' && event.phase === 'ended'),
    );
    await harness.until(isIdle);

    expect(harness.traits.map((traits) => traits.levels)).toEqual([2]);
    expect(factWords(harness.facts()).slice(0, 6)).toEqual([
      'raw running',
      'begun 3',
      'accepted 3',
      'list1 []',
      'state running',
      'raw running',
    ]);
    expect(harness.said()).toBe('Started in the background; ending my turn.Wake cycle: completed.');
  });

  it('[S132] names the child that asks, and keeps its request when the foreground is cancelled', async () => {
    const harness = await replay('claude-0.101/v2-raw/08f-permission-from-background-subagent-while-idle');
    await harness.connection.prompt(3, 'hi');
    const request = requestOf(await harness.until(opens));

    expect(request).toMatchObject({
      background: true,
      title: 'touch made-by-08f',
      askedBy: 'sub bgsub',
    });
    harness.connection.cancel();
    expect(harness.connection.respond(request.id, { optionId: 'allow-once' })).toBe(true);
  });

  it('[S132] answers a clarification', async () => {
    const harness = await replay('claude-0.101/v2/08e-ask-user-question');
    await harness.connection.prompt(3, 'hi');
    const request = requestOf(await harness.until(opens));

    expect(request).toMatchObject({ kind: 'clarification', title: 'Which one?', schema: { type: 'object' } });
    expect(harness.connection.respond(request.id, { answers: { question_0: 'A' } })).toBe(true);
    await harness.until((reading) => reading.facts.some((fact) => fact.kind === 'foreground' && fact.state === 'idle'));
    expect(harness.said()).toBe('Thanks.');
  });

  it('[S9] is gone when the bridge is killed', async () => {
    const harness = await replay('claude-0.101/v2/11-kill-bridge');
    await harness.connection.prompt(3, 'hi');

    expect(await harness.gone).toMatchObject({ signal: 'SIGKILL', code: null });
    expect(await harness.connection.prompt(4, 'hi')).toMatchObject({ accepted: false });
  });
});

describe('ending', () => {
  it('[S110] ends the agent and what it started, even what leads its own session', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'acp-'));
    const harness = await small(['--deaf', '--orphan', join(folder, 'pid')]);
    const orphan = Number(await readFile(join(folder, 'pid'), 'utf8'));
    const { pid, processStartTime } = harness.connection;
    expect(await startTimeOf(pid)).toBe(processStartTime);
    expect(await startTimeOf(orphan)).not.toBeNull();

    await Promise.all([harness.connection.close(), harness.connection.close()]);

    expect([await startTimeOf(pid), await startTimeOf(orphan)]).toEqual([null, null]);
    await rm(folder, { recursive: true });
  });

  it('[S114] says so when a process does not end, and ends it in another try', async () => {
    const harness = await small([]);
    const { pid, processStartTime: startTime } = harness.connection;
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
    const tree = new ProcessTree({ pid, startTime, mark: '' });

    const failure = tree.end({ close: 0, term: 20, kill: 20 });

    await expect(failure).rejects.toMatchObject({ code: 'stop_failed', message: expect.stringContaining(`${pid}`) });
    kill.mockRestore();
    await tree.end({ close: 0, term: 5_000, kill: 5_000 });
    expect(await startTimeOf(pid)).toBeNull();
  });

  it('[S110] ends what outlived a killed agent', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'acp-'));
    const harness = await small(['--orphan', join(folder, 'pid')]);
    const orphan = Number(await readFile(join(folder, 'pid'), 'utf8'));
    process.kill(harness.connection.pid, 'SIGKILL');
    await harness.gone;
    expect(await startTimeOf(orphan)).not.toBeNull();

    await harness.connection.close();

    expect(await startTimeOf(orphan)).toBeNull();
    await rm(folder, { recursive: true });
  });

  it('[S9, S110] is gone when Claude dies behind its bridge, and its orphans are ended', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'acp-'));
    const file = join(folder, 'pids');
    const harness = await small(['--binary', file], { provider: 'claude-acp' });
    const [claude = 0, shell = 0] = (await untilWritten(file)).split(' ').map(Number);
    await vi.waitUntil(() => harness.logs.includes('found Claude behind its bridge'), { timeout: 15_000 });
    process.kill(claude, 'SIGKILL');

    expect((await harness.gone).reason).toBe('Claude ended behind its bridge, which lives on');
    expect(await startTimeOf(harness.connection.pid)).not.toBeNull();
    expect(await harness.connection.prompt(3, 'hi')).toMatchObject({ accepted: false });
    expect(await startTimeOf(shell)).not.toBeNull();
    await harness.connection.close();

    expect(await startTimeOf(shell)).toBeNull();
    await rm(folder, { recursive: true });
  });
});

function untilWritten(file: string): Promise<string> {
  return vi.waitUntil(() => readFile(file, 'utf8').catch(() => ''), { timeout: 15_000 });
}
