import { type Decision, decide } from '../src/decide.ts';
import type { LivenessEvent } from '../src/event.ts';
import type { SessionRecord } from '../src/record.ts';
import type { SessionView } from '../src/view.ts';
import { canonical } from './canonical.ts';
import { type Move, movesOf, type Node } from './moves.ts';
import { OWNER_LAWS } from './owner-laws.ts';
import { publicationLaw, readingLaw } from './reading-laws.ts';
import { atRest, restless } from './rest.ts';
import { shapeLaw } from './shape-laws.ts';
import { Numbers, StateSet } from './state-set.ts';
import type { Law, Step } from './step.ts';
import type { Universe } from './universe.ts';
import { WORK_LAWS } from './work-laws.ts';

/** Held for every transition that changes something; the shape, which is of a state alone, once for each state. */
const LAWS: readonly Law[] = [readingLaw, publicationLaw, ...OWNER_LAWS, ...WORK_LAWS];

/** What a task sees of a session: the only part of a reading that its aggregate is made of. */
export type Reading = Pick<SessionView, 'foregroundActivity' | 'activeSubagentCount' | 'liveness'>;
const READ = ['foregroundActivity', 'activeSubagentCount', 'liveness'] as const;
export const readingOf = ({ foregroundActivity, activeSubagentCount, liveness }: SessionView): Reading => ({
  foregroundActivity,
  activeSubagentCount,
  liveness,
});

export interface Outcome {
  readonly states: number;
  readonly transitions: number;
  /** True when every reachable state was expanded. */
  readonly closed: boolean;
  /** The first law that was broken, with the events that lead there. */
  readonly problem: string | null;
  /** Pairs of readings, before and after, that a step led from one to the other; as JSON. */
  readonly steps: ReadonlySet<string>;
}

interface Queued extends Node {
  readonly id: number;
}

/** One breadth-first walk through all that can happen to a session of a universe. */
export class Search {
  readonly #universe: Universe;
  readonly #limit: number;
  readonly #seen = new StateSet();
  readonly #parents = new Numbers();
  readonly #moves = new Numbers();
  readonly #rest = new Numbers();
  readonly #from = new Numbers();
  readonly #to = new Numbers();
  readonly #steps = new Set<string>();
  #queue: Queued[] = [];
  #next: Queued[] = [];
  #transitions = 0;
  #problem: string | null = null;

  constructor(universe: Universe, limit = Number.POSITIVE_INFINITY) {
    this.#universe = universe;
    this.#limit = limit;
  }

  run(): Outcome {
    for (const root of roots(this.#universe)) this.#visit(root, -1, 0);
    while (this.#next.length > 0 && this.#goesOn) {
      [this.#queue, this.#next] = [this.#next, []];
      for (const node of this.#queue) this.#expand(node);
    }
    const closed = this.#next.length === 0 && this.#goesOn;
    const stuck = closed ? restless({ rest: this.#rest, from: this.#from, to: this.#to }) : null;
    if (stuck !== null) this.#problem = `S10: can never come to rest\n${this.#path(stuck)}`;
    return {
      states: this.#seen.size,
      transitions: this.#transitions,
      closed,
      problem: this.#problem,
      steps: this.#steps,
    };
  }

  get #goesOn(): boolean {
    return this.#problem === null && this.#seen.size < this.#limit;
  }

  #visit(node: Node, parent: number, move: number): number {
    const { id, isNew } = this.#seen.add(canonical(node));
    if (!isNew) return id;
    this.#parents.push(parent);
    this.#moves.push(move);
    this.#rest.push(atRest(node.record) ? 1 : 0);
    this.#next.push({ ...node, id });
    return id;
  }

  #expand(node: Queued): void {
    if (!this.#goesOn) return;
    for (const [index, move] of movesOf(node, this.#universe).entries()) {
      this.#transitions += 1;
      const { event, decision } = take(node, move);
      const { record, transitions } = decision;
      if (record === null || (record === node.record && event.type !== 'prompt.claimed')) continue;
      const step = {
        universe: this.#universe,
        before: node.record,
        event,
        tick: node.tick,
        after: record,
        transitions,
      };
      let problem = firstProblem(step);
      const known = this.#seen.size;
      const to = record === node.record ? node.id : this.#visit(after(node, event, record), node.id, index);
      if (to === known) problem ??= shapeLaw(step);
      if (problem !== null) {
        this.#problem = `${problem}\n${this.#path(node.id)}\n${JSON.stringify(move.step)}`;
        return;
      }
      this.#note(step, node.id, move.ending ? to : node.id);
    }
  }

  /** Keeps what the graph of endings and the task's aggregate are made of. */
  #note({ before, after: { view } }: Step, from: number, to: number): void {
    const moved = READ.some((field) => view[field] !== before.view[field]);
    if (moved) this.#steps.add(JSON.stringify([readingOf(before.view), readingOf(view)]));
    if (from === to) return;
    this.#from.push(from);
    this.#to.push(to);
  }

  /** The events that lead to a state, found again by walking its first way. */
  #path(id: number): string {
    const way: number[] = [];
    let at = id;
    for (; this.#parents.at(at) >= 0; at = this.#parents.at(at)) way.unshift(this.#moves.at(at));
    let node = roots(this.#universe)[at];
    const lines = [`${this.#universe.name}, from ${node?.record.state}`];
    for (const index of way) {
      const move = node === undefined ? undefined : movesOf(node, this.#universe)[index];
      if (node === undefined || move === undefined) break;
      const { event, decision } = take(node, move);
      lines.push(JSON.stringify(move.step));
      if (decision.record !== null) node = after(node, event, decision.record);
    }
    return lines.join('\n');
  }
}

function firstProblem(step: Step): string | null {
  for (const law of LAWS) {
    const problem = law(step);
    if (problem !== null) return problem;
  }
  return null;
}

function take(node: Node, { step, at }: Move): { event: LivenessEvent; decision: Decision } {
  const event = { ...step, sessionId: 's', at } as LivenessEvent;
  return { event, decision: decide(node.record, event, node.tick) };
}

function after({ tick, used, record: before }: Node, event: LivenessEvent, record: SessionRecord): Node {
  const granted = event.type === 'prompt.claimed';
  const started = granted && before.executionId === null;
  return {
    record,
    at: event.at,
    tick: tick + 1,
    used: {
      humans: used.humans + (granted && event.origin === 'human' ? 1 : 0),
      wakeups: used.wakeups + (granted && event.origin === 'wakeup' ? 1 : 0),
      executions: used.executions + (started ? 1 : 0),
    },
  };
}

/** A session made now, one read from the database whose survivor is not yet ended, and one that was ended. */
export function roots({ rules }: Universe): readonly Node[] {
  return (['created', 'idle', 'cancelled'] as const).flatMap((state) => {
    const loaded = {
      type: 'session.loaded',
      sessionId: 's',
      at: 1,
      taskId: 't',
      rules,
      state,
      stopReason: null,
      error: null,
    } as const;
    const { record } = decide(null, { ...loaded, unknown: state === 'idle', created: state === 'created' }, 1);
    return record === null ? [] : [{ record, at: 1, tick: 2, used: { humans: 0, wakeups: 0, executions: 0 } }];
  });
}
