import { isObject, objectAt, valueAt } from '../wire/json.ts';
import { AcpV1 } from './acp-v1.ts';
import { AcpV2 } from './acp-v2.ts';
import type { Adapter, Agreement } from './adapter.ts';
import { ClaudeV1 } from './claude-v1.ts';
import { ClaudeV2 } from './claude-v2.ts';
import { Hermes } from './hermes.ts';

/** How the mock was started, and where its malformed frames are told. */
export interface MockContext {
  /** Dialect of the launch; it is needed for Hermes only, whose answer to `initialize` says nothing of its extension. */
  readonly dialect: string | undefined;
  readonly malformed: (kind: string) => void;
}

/** The mock is read by the adapter of the provider whose frames it replays: by what it negotiates (S34). */
export function mockAdapter(agreement: Agreement, { dialect, malformed }: MockContext): Adapter {
  const { answer, protocolVersion } = agreement;
  const capabilities = objectAt(answer, protocolVersion === 2 ? 'capabilities' : 'agentCapabilities');
  if (dialect === 'hermes' || isObject(valueAt(capabilities, '_meta', 'hermes-agent'))) {
    return new Hermes(agreement, malformed);
  }
  const claude = isObject(valueAt(capabilities, '_meta', 'claudeCode'));
  if (protocolVersion === 2) return claude ? new ClaudeV2(agreement, malformed) : new AcpV2({ malformed });
  return claude ? new ClaudeV1(agreement, malformed) : new AcpV1();
}
