import type { Fact, WorkloadKind } from '@vigil/liveness';
import { attest } from '@vigil/liveness/attestation';

// The provider of the simulated world attests as an adapter would. Nothing else in the tests of the runtime may.

/** Detached work was launched, by this call where one is given. */
export function started(
  name: string,
  kind: WorkloadKind,
  { call, stoppable = true }: { call?: string; stoppable?: boolean } = {},
): Fact {
  const evidence = {
    what: 'started',
    names: [`run:${name}`, ...(call === undefined ? [] : [`tool:${call}`])],
    kind,
    label: name,
    detached: true,
    stoppable,
  } as const;
  return { kind: 'attested', attestation: attest(evidence) };
}

/** It ended. */
export function ended(name: string): Fact {
  return { kind: 'attested', attestation: attest({ what: 'ended', names: [`run:${name}`] }) };
}

/** A complete list of it. */
export function roster(items: readonly { name: string; kind: WorkloadKind }[]): Fact {
  const listed = items.map(
    ({ name, kind }) => ({ names: [`run:${name}`], kind, label: name, status: 'running' }) as const,
  );
  return { kind: 'attested', attestation: attest({ what: 'roster', rank: 1, items: listed }) };
}

/** The registration id of work of this name. */
export const workId = (name: string): string => `run:${name}`;

/** The call itself goes on in the background. */
export function startedCall(toolCallId: string): Fact {
  return {
    kind: 'attested',
    attestation: attest({ what: 'started', names: [`tool:${toolCallId}`], kind: 'shell', detached: true }),
  };
}
