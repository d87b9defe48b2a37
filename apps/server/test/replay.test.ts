// Recordings of real agents, played at recorded speed through the whole product: process, wire, core, stream, client.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ActivityEvent, Session } from '@vigil/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Server, startServer } from './server-process.ts';

const RECORDINGS = fileURLToPath(new URL('../../../packages/acp/recordings/', import.meta.url));
const PLAYER = fileURLToPath(new URL('../../../packages/acp/testing/replay-agent.mjs', import.meta.url));

type Reading = readonly [tier: 'generating' | 'background' | null, count: number];

interface Scenario {
  readonly name: string;
  readonly recording: string;
  /** Pairs in the order in which they must be seen, and nothing else in between. */
  readonly expected: readonly Reading[];
  readonly last?: (session: Session) => void;
  readonly act?: (drive: Drive) => Promise<void>;
}

interface Drive {
  readonly server: Server;
  readonly sessionId: string;
  until<T>(find: (session: Session) => T | undefined): Promise<T>;
  /** The transcript so far. */
  transcript(): Promise<string>;
}

const NONE: Reading = [null, 0];
const GENERATING: Reading = ['generating', 0];
const BACKGROUND: Reading = ['background', 0];

async function allow(drive: Drive): Promise<void> {
  const request = await drive.until((session) => session.pendingRequests[0]);
  expect(request.kind).toBe('permission');
  const option = request.options.find((each) => each.kind === 'allow_once');
  await drive.server.client.api.session.respond.mutate({
    sessionId: drive.sessionId,
    requestId: request.id,
    outcome: { optionId: option?.id ?? 'none' },
  });
  await drive.until((session) => (session.pendingRequests.length === 0 ? true : undefined));
}

/** Title, mode, model, usage and cost as a client sees them. */
async function saysItself(drive: Drive): Promise<void> {
  const said = await drive.until((session) =>
    session.title === 'Scripted title' && session.usage?.cost ? session : undefined,
  );
  expect(said).toMatchObject({
    mode: 'default',
    model: 'default',
    usage: { used: 1020, size: 1_000_000, cost: 0.0088 },
  });
}

async function cancelThenPrompt(drive: Drive): Promise<void> {
  const { server, sessionId } = drive;
  const heard = async (): Promise<void> => ((await drive.transcript()).includes('tick 08') ? undefined : heard());
  await heard();
  expect(await server.client.api.session.cancel.mutate({ sessionId })).toEqual({ outcome: 'cancelling' });
  const settled = await drive.until((session) => (session.state === 'waiting_for_input' ? session : undefined));
  expect(settled.stopReason).toBe('cancelled');
  await server.client.api.session.submit.mutate({ sessionId, text: 'again', clientKey: `again-${sessionId}` });
  await drive.until((session) => (session.state === 'running' ? true : undefined));
}

const DEFAULTS: readonly Scenario[] = [
  {
    name: '[S12] [S13] [S74] a background shell of claude over v2 and raw',
    recording: 'claude-0.101/v2-raw/03-background-bash',
    expected: [NONE, GENERATING, BACKGROUND, GENERATING, NONE],
  },
  {
    name: '[S22] [S12] a background subagent of claude over v2 and raw',
    recording: 'claude-0.101/v2-raw/06-subagent-background',
    expected: [NONE, GENERATING, ['generating', 1], ['background', 1], BACKGROUND, GENERATING, NONE],
  },
  {
    name: '[S13] [S100] plain text over v2 and raw, with what the agent says of itself',
    recording: 'claude-0.101/v2-raw/01-plain-text',
    expected: [NONE, GENERATING, NONE],
    act: saysItself,
  },
  {
    name: '[S26] [S132] a foreground command that times out into the background',
    recording: 'claude-0.101/v2-raw/02c-foreground-bash-timeout',
    expected: [NONE, GENERATING, BACKGROUND, GENERATING, NONE],
    act: allow,
  },
  {
    name: '[S131] a cancelled turn, and the next one',
    recording: 'claude-0.101/v2-raw/09-cancel-generating',
    expected: [NONE, GENERATING, NONE, GENERATING, NONE],
    act: cancelThenPrompt,
  },
  {
    name: '[S3] a foreground command over v2',
    recording: 'claude-0.101/v2/02-foreground-bash',
    expected: [NONE, GENERATING, NONE],
  },
  {
    name: '[S22] [S30] a foreground subagent over v2',
    recording: 'claude-0.101/v2/04-subagent-foreground',
    expected: [NONE, GENERATING, ['generating', 1], GENERATING, NONE],
  },
  {
    name: '[S132] a permission that is allowed',
    recording: 'claude-0.101/v2/08-permission-allow',
    expected: [NONE, GENERATING, NONE],
    act: allow,
  },
  {
    name: '[S110] the death of the bridge',
    recording: 'claude-0.101/v2/11-kill-bridge',
    expected: [NONE, GENERATING, NONE],
    last: (session) => {
      expect(session.state).toBe('failed');
      expect(session.executionId).toBeNull();
      expect(session.workloads).toEqual([]);
    },
  },
  {
    name: '[S70] a background shell of claude 0.49 over plain v1, coarse',
    recording: 'claude-0.49/v1/03-background-bash',
    expected: [NONE, GENERATING, NONE, GENERATING, NONE],
  },
];

const FINE: readonly Scenario[] = [
  {
    name: '[S71] [S72] a background shell of claude 0.49 over plain v1, fine',
    recording: 'claude-0.49/v1/03-background-bash',
    expected: [NONE, GENERATING, BACKGROUND, GENERATING, NONE],
  },
];

/** The recording's own time from its first prompt to its last frame of the agent, in ms. */
function durationOf(recording: string): number {
  const lines = readFileSync(`${RECORDINGS}${recording}.ndjson`, 'utf8').split('\n').filter(Boolean);
  const frames = lines.map((line) => JSON.parse(line) as { t: number; dir: string });
  const agent = frames.filter((one) => one.dir === 'agent->client');
  return agent.at(-1)?.t ?? 0;
}

function agentsOf(scenarios: readonly Scenario[]) {
  return Object.fromEntries(
    scenarios.map(({ recording }, index) => [
      `agent-${index}`,
      { provider: 'claude-acp', command: process.execPath, args: [PLAYER, `${RECORDINGS}${recording}.ndjson`] },
    ]),
  );
}

async function play(server: Server, scenario: Scenario, agentId: string) {
  const { api } = server.client;
  const task = await api.task.create.mutate({ title: scenario.name });
  const session = await api.session.create.mutate({ taskId: task.id, agentId });
  const seen: Reading[] = [];
  const watch = server.watch(task.id, (event: ActivityEvent) => {
    const read =
      event.type === 'snapshot'
        ? event.sessions.find((one) => one.id === session.id)
        : 'sessionId' in event && 'activeSubagentCount' in event
          ? event
          : undefined;
    const last = seen.at(-1);
    if (read === undefined) return;
    if (last?.[0] === read.foregroundActivity && last[1] === read.activeSubagentCount) return;
    seen.push([read.foregroundActivity, read.activeSubagentCount]);
  });
  await watch.until(({ view }) => (view.sessions.has(session.id) ? true : undefined));
  await api.session.submit.mutate({ sessionId: session.id, text: 'go', clientKey: session.id });
  const drive: Drive = {
    server,
    sessionId: session.id,
    until: (find) =>
      watch.until(({ view }) => {
        const now = view.sessions.get(session.id);
        return now === undefined ? undefined : find(now);
      }),
    transcript: async () => JSON.stringify((await api.session.get.query({ sessionId: session.id })).messages),
  };
  await scenario.act?.(drive);
  await watch.until(() => (seen.length >= scenario.expected.length ? true : undefined));
  const last = await drive.until((now) => (['waiting_for_input', 'failed'].includes(now.state) ? now : undefined));
  watch.stop();
  return { seen, last };
}

function suite(title: string, scenarios: readonly Scenario[], env: Record<string, string>) {
  describe(title, () => {
    let server: Server;
    beforeAll(async () => {
      server = await startServer({ agents: agentsOf(scenarios), env });
    }, 60_000);
    afterAll(() => server?.stop());

    for (const [index, scenario] of scenarios.entries()) {
      it.concurrent(
        scenario.name,
        async () => {
          const { seen, last } = await play(server, scenario, `agent-${index}`);
          expect(seen).toEqual(scenario.expected);
          scenario.last?.(last);
        },
        durationOf(scenario.recording) + 60_000,
      );
    }
  });
}

suite('default toggles', DEFAULTS, {});
suite('the toggle of S71 on', FINE, { VIGIL_FEATURES_CLAUDE_BACKGROUND_PROMPT_HANDOFF: 'true' });
