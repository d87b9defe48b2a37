/**
 * Typed evidence about workloads (SPEC §3). Importing this module is the right to attest: dependency-cruiser grants it
 * to adapters with recordings or conformance fixtures only (S23, S24).
 */

export type WorkloadKind = 'subagent' | 'shell' | 'monitor' | 'other';

/**
 * How one *run* of one piece of work may be called on the wire. Adapters make names run-specific, for example
 * `run:<task>/<run>`, `tool:<toolCallId>`, `session:<childId>#<n>`, so that two runs never share one (S20, S33).
 */
export type WorkNames = readonly [string, ...string[]];

/** An item of a complete list of detached work. `ended`: listed with a terminal status, its follow-up is to come (S122). */
export interface RosterItem {
  readonly names: WorkNames;
  readonly kind: WorkloadKind;
  readonly label?: string;
  readonly status: 'running' | 'ended';
  readonly stoppable?: boolean;
}

export type Evidence =
  /** A start frame or a successful launch acknowledgement (S25). `detached`: it can outlive its turn. */
  | {
      readonly what: 'started';
      readonly names: WorkNames;
      readonly kind: WorkloadKind;
      readonly label?: string;
      readonly detached: boolean;
      readonly stoppable?: boolean;
    }
  /** Running work moved to the background. */
  | { readonly what: 'detached'; readonly names: WorkNames }
  /** Two names are one run (S20); says nothing of whether it lives. */
  | {
      readonly what: 'named';
      readonly names: WorkNames;
      readonly label?: string;
      readonly kind?: WorkloadKind;
      readonly stoppable?: boolean;
    }
  /** An accountable terminal that names its run (S27). */
  | { readonly what: 'ended'; readonly names: WorkNames }
  /** An accountable terminal without a name (S28). `marked`: the provider marks it as an end, so that it is not a monitor's event. */
  | { readonly what: 'ended.unnamed'; readonly marked: boolean }
  /** A complete list of detached work (S32). The source with the highest rank that has reported decides. */
  | { readonly what: 'roster'; readonly rank: number; readonly items: readonly RosterItem[] };

/** Evidence with proof that an adapter made it: no JSON, however shaped, is one (S23). */
export class Attestation {
  readonly #made = true;
  readonly evidence: Evidence;

  constructor(evidence: Evidence) {
    this.evidence = evidence;
  }

  /** True only for values that `attest` returned. */
  static is(value: unknown): value is Attestation {
    return typeof value === 'object' && value !== null && #made in value && value.#made;
  }
}

/** The only maker of attestations. */
export function attest(evidence: Evidence): Attestation {
  return new Attestation(evidence);
}
