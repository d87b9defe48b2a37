import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { startBench } from './bench.ts';
import { FakeAgents, type FakeConnection } from './fake-agent.ts';
import { memoryDatabase } from './memory-database.ts';

type Step =
  | 'submit'
  | 'prompt'
  | 'wakeup'
  | 'cancel'
  | 'teardown'
  | 'answer'
  | 'busy'
  | 'end'
  | 'idle'
  | 'crash'
  | 'auto';

const steps: Step[] = [
  'submit',
  'submit',
  'prompt',
  'wakeup',
  'cancel',
  'teardown',
  'answer',
  'answer',
  'busy',
  'end',
  'end',
  'idle',
  'crash',
  'auto',
];

/** Lets everything that is due run, without time passing. */
async function settle(scheduler: fc.Scheduler): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    if (scheduler.count() > 0) await scheduler.waitAll();
  }
}

/** An agent that plays to the rules: one request at a time is answered, then its turn ends. */
class Player {
  readonly accepted: string[] = [];
  readonly #told = new Set<object>();
  readonly #over = new Set<object>();
  readonly #agents: FakeAgents;

  /** Requests that were written while another one of the process was open (S59). */
  overlaps = 0;

  constructor(agents: FakeAgents) {
    this.#agents = agents;
    agents.onPrompt = (connection) => {
      const open = connection.prompts.some((one) => !this.#over.has(one));
      if (open) this.overlaps += 1;
    };
  }

  get live(): FakeConnection | undefined {
    return this.#agents.opened.filter((one) => one.closes === 0).at(-1);
  }

  answer(accepted: boolean): void {
    const prompt = this.live?.prompts.find((one) => !this.#told.has(one));
    if (prompt === undefined) return;
    this.#told.add(prompt);
    if (accepted) this.accepted.push(prompt.text);
    else this.#over.add(prompt);
    prompt.answer(accepted ? { accepted: true } : { accepted: false, busy: true, message: 'busy' });
  }

  end(): void {
    const prompt = this.live?.prompts.find((one) => this.#told.has(one) && !this.#over.has(one));
    if (prompt === undefined) return;
    this.#over.add(prompt);
    this.live?.says({ kind: 'rpc.settled', generation: prompt.generation, stopReason: 'end_turn' });
  }
}

/** States that some play came through. */
const reached = new Set<string>();

async function play(scheduler: fc.Scheduler, script: readonly Step[]): Promise<void> {
  const agents = new FakeAgents();
  const database = memoryDatabase((call) => scheduler.schedule(Promise.resolve(), call));
  const opening = startBench({
    database,
    deps: { openAgent: (options) => scheduler.schedule(Promise.resolve(), 'open').then(() => agents.open(options)) },
    config: { cancelAfterMs: 3_600_000 },
  });
  await settle(scheduler);
  const bench = await opening;
  const { vigil } = bench;
  const session = await bench.session();
  const player = new Player(agents);
  const kept: string[] = [];
  const wakes = new Set<string>();
  let count = 0;
  const act = async (step: Step): Promise<void> => {
    count += 1;
    const text = `${step} ${count}`;
    const { executionId } = (await vigil.getSession(session.id)).session;
    switch (step) {
      case 'submit':
      case 'wakeup': {
        const origin = step === 'wakeup' ? 'wakeup' : 'human';
        if (step === 'wakeup') wakes.add(text);
        kept.push(text);
        await vigil.submit({ sessionId: session.id, text, clientKey: text, origin });
        return;
      }
      case 'prompt':
        await vigil.prompt({ sessionId: session.id, text }).catch(() => undefined);
        return;
      case 'cancel':
        await vigil.cancel({ sessionId: session.id });
        return;
      case 'teardown':
        if (executionId !== null) await vigil.teardown({ sessionId: session.id, executionId });
        return;
      case 'answer':
      case 'busy':
        player.answer(step === 'answer');
        return;
      case 'end':
        player.end();
        return;
      case 'idle':
        player.live?.says({ kind: 'foreground', level: 'state', state: 'idle' });
        return;
      case 'crash':
        player.live?.sink.gone({ code: 1, signal: null, stderr: '', reason: null });
        return;
      case 'auto':
        await vigil.setAutoRun({ sessionId: session.id, on: true });
        return;
    }
  };
  for (const [index, step] of script.entries()) {
    void act(step).catch((error: unknown) => {
      if (!(error instanceof Error) || !('code' in error)) throw error;
    });
    if (index % 3 === 2) await settle(scheduler);
    reached.add((await vigil.getSession(session.id)).session.state);
  }
  await settle(scheduler);

  expect(player.overlaps).toBe(0);

  // Let it run to its end: whatever was taken is delivered once, or waits, or was a wake-up that a stop dropped (S81).
  for (let round = 0; round < 200; round += 1) {
    const { queue, session: now } = await vigil.getSession(session.id);
    if (queue.entries.length === 0 && now.generation === null && now.inputMode === 'direct') break;
    if (round % 5 === 0) await vigil.setAutoRun({ sessionId: session.id, on: true });
    await settle(scheduler);
    player.answer(true);
    await settle(scheduler);
    player.end();
    await settle(scheduler);
  }
  const { session: last, queue } = await vigil.getSession(session.id);
  expect({ queue, last }).toMatchObject({ queue: { entries: [] } });
  expect(last).toMatchObject({ generation: null, inputMode: 'direct', foregroundActivity: null });
  for (const text of kept) {
    if (!wakes.has(text)) expect(player.accepted.filter((one) => one === text)).toHaveLength(1);
  }
  expect(new Set(player.accepted).size).toBe(player.accepted.length);
  const closing = vigil.close();
  await settle(scheduler);
  await closing;
}

describe('admission and queue under every interleaving', () => {
  test('[S50] [S53] [S81] hard case 5: whatever comes between, each prompt is delivered once and nothing stays behind', async () => {
    const script = fc.array(fc.constantFrom(...steps), { minLength: 3, maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), script, (scheduler, given) => play(scheduler, given)),
      { numRuns: Number(process.env.VIGIL_RUNS ?? 60), seed: 20_261_201, endOnFailure: true },
    );
    expect([...reached].sort()).toEqual(['created', 'failed', 'idle', 'running', 'starting', 'waiting_for_input']);
  }, 120_000);
});
