import type { Fact, Generation } from '@vigil/liveness';
import type { TranscriptEvent } from '../types.ts';

/** Notes in the transcript when a cycle that nobody prompted begins and ends, read off the facts. */
export class WakeNotes {
  readonly #open = new Set<Generation>();
  #awake = false;

  written(generation: Generation): void {
    this.#open.add(generation);
  }

  /** Events before and after the frame's own; null when there are none. */
  read(facts: readonly Fact[]): {
    readonly before: readonly TranscriptEvent[];
    readonly after: readonly TranscriptEvent[];
  } | null {
    let notes: { before: TranscriptEvent[]; after: TranscriptEvent[] } | null = null;
    for (const fact of facts) {
      const over = this.#account(fact);
      if (this.#awake && (over || fact.kind === 'prompt.begun')) {
        this.#awake = false;
        notes ??= { before: [], after: [] };
        notes[over ? 'after' : 'before'].push({ type: 'wake', phase: 'ended' });
      } else if (!this.#awake && !over && this.#open.size === 0 && isWork(fact)) {
        this.#awake = true;
        notes ??= { before: [], after: [] };
        notes.before.push({ type: 'wake', phase: 'began' });
      }
    }
    return notes;
  }

  /** Keeps the prompts at work; true when the fact ends whatever cycle is at work. */
  #account(fact: Fact): boolean {
    switch (fact.kind) {
      case 'prompt.rejected':
      case 'prompt.completed':
      case 'rpc.settled':
      case 'yielded':
        this.#open.delete(fact.generation);
        return false;
      case 'cycle.closed':
        return true;
      case 'foreground':
        if (fact.state !== 'idle') return false;
        if (fact.level === 'state' && fact.stopReason !== undefined) this.#open.clear();
        return true;
      default:
        return false;
    }
  }
}

function isWork(fact: Fact): boolean {
  if (fact.kind === 'output') return fact.ended !== true;
  if (fact.kind === 'foreground') return fact.state === 'running';
  return fact.kind === 'tool' && fact.opens && !fact.child && fact.background !== true;
}
