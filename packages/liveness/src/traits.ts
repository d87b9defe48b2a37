import type { WorkloadKind } from './attestation.ts';

/** What was agreed when an execution was opened, and what its adapter knows of the provider's surface. */
export interface Traits {
  /** Able to report a complete list of its background work on an agreed channel (S74 condition 1). */
  readonly reports: boolean;
  /** Negotiated the handoff of the foreground while a prompt's RPC is open (S60). */
  readonly handoff: boolean;
  /** Wakes by itself when detached work ends (S12). */
  readonly wakes: boolean;
  /** Declares an end for cycles that nobody prompted, so that their output may take the foreground (S4). */
  readonly agentCycles: boolean;
  /** How many levels report the foreground (S13): 0 none, 1 `state`, 2 `state` and `raw`. */
  readonly levels: 0 | 1 | 2;
  /** `held`: the prompt's RPC stays open until its turn ends (ACP v1, S78); `receipt`: it only acknowledges (ACP v2). */
  readonly rpc: 'held' | 'receipt';
  /** When a claimed prompt has begun (S57): `written` with its request, `acknowledged` by a frame that names it. */
  readonly begins: 'written' | 'acknowledged';
  /** Kinds of detached work that die with a cancelled turn on this surface (S65). */
  readonly cancelKills: readonly WorkloadKind[];
}

/** What an execution is taken for until it was opened: nothing is known, so nothing is relaxed. */
export const NO_TRAITS: Traits = {
  reports: false,
  handoff: false,
  wakes: false,
  agentCycles: false,
  levels: 0,
  rpc: 'held',
  begins: 'written',
  cancelKills: [],
};
