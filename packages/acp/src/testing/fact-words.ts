import type { Fact } from '@vigil/liveness';

// Derived, since naming the module of evidence is the right to attest.
type Evidence = Extract<Fact, { kind: 'attested' }>['attestation']['evidence'];
type RosterItem = Extract<Evidence, { what: 'roster' }>['items'][number];

/** Facts in short words, for expectations that a person can read. Repetitions in a row are told once. */
export function factWords(facts: readonly Fact[]): readonly string[] {
  const words = facts.map(wordOf).filter((word) => word !== '');
  return words.filter((word, at) => word !== words[at - 1]);
}

function wordOf(fact: Fact): string {
  switch (fact.kind) {
    case 'output':
      return fact.ended === true ? 'late output' : 'output';
    case 'tool':
      return toolWord(fact);
    case 'foreground':
      return `${fact.level} ${fact.state}${fact.stopReason === undefined ? '' : ` ${fact.stopReason}`}`;
    case 'attested':
      return evidenceWord(fact.attestation.evidence);
    case 'armed':
      return fact.mayWake ? 'may wake' : 'wakes no more';
    case 'cycle.closed':
      return 'cycle closed';
    default:
      return `${fact.kind.replace('prompt.', '')} ${fact.generation}`;
  }
}

/** Only what begins or ends a call, and whose it is. */
function toolWord(fact: Extract<Fact, { kind: 'tool' }>): string {
  if (!fact.opens && !fact.closed) return '';
  const owner = fact.child ? 'child ' : fact.background === true ? 'background ' : '';
  return `${owner}call ${fact.opens ? 'opens' : 'closes'}`;
}

function evidenceWord(evidence: Evidence): string {
  switch (evidence.what) {
    case 'started':
      return `+${evidence.detached ? 'detached ' : ''}${evidence.kind}`;
    case 'ended':
      return `-${evidence.names.map(shortName).join('=')}`;
    case 'ended.unnamed':
      return evidence.marked ? '-someone, marked' : '-someone';
    case 'roster':
      return `list${evidence.rank} [${evidence.items.map(itemWord).join(', ')}]`;
    case 'named':
      return `=${evidence.names.map(shortName).join('=')}`;
    case 'detached':
      return 'detached';
  }
}

function itemWord(item: RosterItem): string {
  return `${item.status === 'ended' ? 'ended ' : ''}${item.kind}`;
}

/** A name without the ids that differ from recording to recording. */
function shortName(name: string): string {
  return name.replace(/^run:.*/, 'run').replace(/^session:[^#]+/, 'session');
}
