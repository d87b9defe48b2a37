import { describe, expect, it } from 'vitest';
import { playRecording } from '../recordings/play-recording.ts';
import { readingLines, readingWord } from '../recordings/reading-words.ts';
import { WireScript } from '../testing/wire-script.ts';
import { type ProcessEntry, StateReporter } from './index.ts';

const INITIALIZE = { clientCapabilities: { _meta: { 'hermes-agent': { stateUpdate: 1 } } } };

/** An agent with the reporter in it, and the wire between it and its editor. */
class ReportingAgent {
  readonly wire: WireScript;
  readonly reporter: StateReporter;
  processes: readonly ProcessEntry[] = [];

  constructor(version: 1 | 2) {
    this.wire = new WireScript({ version, client: INITIALIZE });
    this.reporter = new StateReporter({
      sessionId: 's',
      initialize: INITIALIZE,
      protocolVersion: version,
      readRoster: () => this.processes,
      send: (method, params) => this.wire.agent({ method, params }),
      log: () => undefined,
    });
  }

  /** The words of what a session before this agent has shown, in order. */
  shown(provider: string): readonly string[] {
    return readingLines(playRecording(this.wire.lines, { provider })).map(readingWord);
  }
}

const build: ProcessEntry = { id: 'p', title: 'build' };
const DONE = { stopReason: 'end_turn' };

/** A prompt starts a process and ends its turn; the process ends, and a wake reports it. */
async function job(version: 1 | 2): Promise<ReportingAgent> {
  const agent = new ReportingAgent(version);
  const id = agent.wire.prompt();
  await agent.reporter.admitted({ id: 'turn' });
  agent.processes = [build];
  await agent.reporter.settled('turn', DONE);
  agent.wire.answer(id);
  agent.processes = [{ ...build, ended: { exitCode: 0 }, followUp: true }];
  await agent.reporter.changed();
  agent.processes = [];
  await agent.reporter.changed();
  await agent.reporter.admitted({ id: 'wake', wakeFor: ['p'] });
  await agent.reporter.settled('wake', DONE);
  return agent;
}

describe('what the reporter says, as Vigil shows it', () => {
  const ROUND = ['none', 'starting', 'generating'];

  it('[S124] shows of Hermes over v1 what runs, until the follow-up is over', async () => {
    const words = ['generating shell', 'background shell', 'background +', 'generating', 'none'];

    expect((await job(1)).shown('hermes')).toEqual([...ROUND, ...words]);
  });

  it('[S127] shows the same over v2', async () => {
    const words = ['background shell', 'background +', 'generating', 'none'];

    expect((await job(2)).shown('hermes')).toEqual([...ROUND, ...words]);
  });

  it('[S127] shows to anyone who speaks v2 that something is at work, until the follow-up is over', async () => {
    expect((await job(2)).shown('generic')).toEqual([...ROUND, 'background other', 'generating other', 'none']);
  });

  it('[S126] changes nothing that is known while the roster cannot be read', async () => {
    const agent = new ReportingAgent(1);
    agent.processes = [build];
    const id = agent.wire.prompt();
    await agent.reporter.admitted({ id: 'turn' });
    agent.processes = null as unknown as readonly ProcessEntry[];
    await agent.reporter.settled('turn', DONE);
    agent.wire.answer(id);

    expect(agent.shown('hermes').slice(-1)).toEqual(['background shell']);
  });
});
