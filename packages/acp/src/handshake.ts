import type * as v1 from '@agentclientprotocol/sdk';
import type * as v2 from '@agentclientprotocol/sdk/experimental/v2';
import type { Agreement } from './adapters/adapter.ts';
import type { AgentLaunch } from './types.ts';
import { isObject, type JsonObject, listAt, numberAt, objectAt, textAt, valueAt } from './wire/json.ts';
import type { RpcAnswer } from './wire/json-rpc-peer.ts';

const CLIENT = { name: 'vigil', title: 'Vigil', version: '0.1.0' };
const AUTH_REQUIRED = -32000;
const RESOURCE_NOT_FOUND = -32002;

/** What we ask of a provider. */
export interface Asks {
  readonly rawMessages: boolean;
  readonly stateUpdates: boolean;
  /** Child sessions over ACP v1. With Claude they change what a cancel kills, which its adapter sees on the wire (S65). */
  readonly childSessions: boolean;
  /** The output and the real end of terminals in the metadata of calls, over ACP v1. */
  readonly terminalOutput: boolean;
}

/** Raw messages are asked of Claude only, the Hermes extension of Hermes only; the mock may be either. */
export function asksOf(launch: AgentLaunch, mockProvider: boolean): Asks {
  const mock = launch.provider === 'mock' && mockProvider;
  return {
    rawMessages: mock || launch.provider === 'claude-acp',
    stateUpdates: mock || launch.provider === 'hermes',
    childSessions: launch.provider === 'codex-acp' || launch.provider === 'claude-acp',
    terminalOutput: launch.provider === 'claude-acp',
  };
}

/**
 * One request in both shapes: agents of ACP v2 read `info` and `capabilities`, those of v1 answer 1 and read
 * `clientInfo` and `clientCapabilities`. `version` 1 is for agents that refuse the other.
 */
export function initializeParams(version: 1 | 2, asks: Asks): JsonObject {
  const hermes = { 'hermes-agent': { stateUpdate: 1 }, 'bb.dev': { stateUpdate: 1 } };
  const meta = { ...(asks.stateUpdates && hermes), ...(asks.terminalOutput && { terminal_output: true }) };
  const elicitation = { form: {}, url: {} };
  const clientCapabilities = {
    fs: { readTextFile: false, writeTextFile: false },
    terminal: false,
    elicitation,
    ...(asks.childSessions && { subagents: {} }),
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  };
  const first = { clientInfo: CLIENT, clientCapabilities };
  if (version === 1) return { protocolVersion: 1, ...first } satisfies v1.InitializeRequest;
  const capabilities = { auth: { terminal: {} }, elicitation, ...(asks.stateUpdates && { _meta: hermes }) };
  const second = { protocolVersion: 2, info: CLIENT, capabilities } satisfies v2.InitializeRequest;
  return { ...second, ...first };
}

/** What the agent agreed to; null for a version that we do not speak. */
export function agreementOf(answer: JsonObject): Agreement | null {
  const protocolVersion = numberAt(answer, 'protocolVersion');
  return protocolVersion === 1 || protocolVersion === 2 ? { protocolVersion, answer } : null;
}

/** How an earlier conversation can be had again. */
export function resumption(agreement: Agreement): 'session/resume' | 'session/load' | null {
  const { answer, protocolVersion } = agreement;
  if (protocolVersion === 2 || isObject(valueAt(answer, 'agentCapabilities', 'sessionCapabilities', 'resume')))
    return 'session/resume';
  return valueAt(answer, 'agentCapabilities', 'loadSession') === true ? 'session/load' : null;
}

export function sessionParams(cwd: string, asks: Asks): JsonObject {
  const meta = asks.rawMessages && { _meta: { claudeCode: { emitRawSDKMessages: true } } };
  return { cwd, mcpServers: [], ...meta } satisfies v1.NewSessionRequest & v2.NewSessionRequest;
}

/** The agent does not know the session, or cannot resume at all: a new one is begun. */
export function isUnknownSession(answer: RpcAnswer): boolean {
  if (answer.ok) return false;
  const details = textAt(answer.data, 'details') ?? '';
  return (
    answer.code === RESOURCE_NOT_FOUND ||
    /not found|no such|unknown session|does not exist/i.test(`${answer.message} ${details}`)
  );
}

/** A way to authenticate without a person, where the agent asks for one: by a key in its environment. */
export function authentication(answer: RpcAnswer, agreement: Agreement): JsonObject | null {
  if (answer.ok || answer.code !== AUTH_REQUIRED) return null;
  const method = listAt(agreement.answer, 'authMethods').find(
    (one) => isObject(one) && (isObject(valueAt(one, '_meta', 'api-key')) || /api-key/.test(idOf(one))),
  );
  return isObject(method) ? { methodId: idOf(method) } : null;
}

function idOf(method: JsonObject): string {
  return textAt(method, 'methodId') ?? textAt(method, 'id') ?? '';
}

/** Words of an error answer, with the agent's own detail. */
export function errorText(answer: RpcAnswer): string {
  if (answer.ok) return '';
  const detail = textAt(answer.data, 'details') ?? textAt(objectAt(answer, 'data'), 'message');
  return detail === undefined ? answer.message : `${answer.message} (${detail})`;
}
