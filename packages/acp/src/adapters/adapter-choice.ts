import { AcpV1 } from './acp-v1.ts';
import { AcpV2 } from './acp-v2.ts';
import type { Adapter, Agreement } from './adapter.ts';
import { ClaudeV1 } from './claude-v1.ts';
import { ClaudeV2 } from './claude-v2.ts';
import { CodexV1, CodexV2 } from './codex.ts';
import { Hermes } from './hermes.ts';
import { mockAdapter } from './mock.ts';
import { StateUpdates } from './state-updates.ts';

export interface AdapterQuestion {
  /** The launch identity decides, never what an agent claims of itself (S72). */
  readonly provider: string;
  readonly mockProvider: boolean;
  /** The mock's dialect, as its launch names it. */
  readonly dialect?: string | undefined;
  readonly agreement: Agreement;
  /** A frame, or a list in it, was malformed and dropped (S123). */
  readonly malformed?: (kind: string) => void;
}

/** The reader of an agent's frames. */
export function chooseAdapter(question: AdapterQuestion): Adapter {
  const { provider, agreement, malformed = () => {} } = question;
  const v2 = agreement.protocolVersion === 2;
  switch (provider) {
    case 'claude-acp':
      return v2 ? new ClaudeV2(agreement, malformed) : new ClaudeV1(agreement, malformed);
    case 'codex-acp':
      return v2 ? new CodexV2() : new CodexV1();
    case 'hermes':
      return new Hermes(agreement, malformed);
    case 'mock':
      if (question.mockProvider) return mockAdapter(agreement, { dialect: question.dialect, malformed });
      return v2 ? new StateUpdates() : new AcpV1();
    default:
      return v2 ? new AcpV2({ malformed }) : new AcpV1();
  }
}
