import { isObject, objectAt, textAt, valueAt } from '../wire/json.ts';
import { AcpV1 } from './acp-v1.ts';
import { AcpV2 } from './acp-v2.ts';
import type { Adapter, Agreement } from './adapter.ts';
import { ClaudeV1 } from './claude-v1.ts';
import { ClaudeV2 } from './claude-v2.ts';
import { Hermes } from './hermes.ts';

/** The mock is read by the adapter of the provider whose frames it replays; what it negotiates tells which (S34). */
export function mockAdapter(agreement: Agreement, malformed: (kind: string) => void): Adapter {
  const { answer, protocolVersion } = agreement;
  const capabilities = protocolVersion === 2 ? objectAt(answer, 'capabilities') : objectAt(answer, 'agentCapabilities');
  if (isObject(valueAt(capabilities, '_meta', 'hermes-agent')) || isObject(valueAt(answer, '_meta', 'hermes-agent')) || /hermes/i.test(nameOf(agreement))) {
    return new Hermes(agreement, malformed);
  }
  const claude = isObject(valueAt(capabilities, '_meta', 'claudeCode'));
  if (protocolVersion === 2) return claude ? new ClaudeV2(agreement) : new AcpV2();
  return claude ? new ClaudeV1(agreement) : new AcpV1();
}

function nameOf(agreement: Agreement): string {
  return textAt(agreement.answer, 'agentInfo', 'name') ?? textAt(agreement.answer, 'info', 'name') ?? '';
}
