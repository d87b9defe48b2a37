import fc from 'fast-check';
import { decide } from '../src/decide.ts';
import type { LivenessEvent } from '../src/event.ts';
import type { JournalEntry } from '../src/journal.ts';
import type { SessionRecord } from '../src/record.ts';
import { Tracker } from '../src/tracker.ts';
import type { Change } from '../src/view.ts';
import { nextStep } from './moves.ts';
import {
  Draw,
  POLICY_NAMES,
  type PolicyName,
  SESSION_IDS,
  SESSIONS,
  SURFACE_NAMES,
  SURFACES,
  type SurfaceName,
} from './world.ts';

/** Printed with every failure; a run is repeated by this number alone. */
export const FC_SEED = 20260101;

/** One event and what it made of its session. */
export interface Step extends JournalEntry {
  readonly before: SessionRecord | null;
  readonly after: SessionRecord | null;
  readonly transitions: readonly string[];
}

export interface History {
  readonly steps: readonly Step[];
  /** All that the tracker told, in order. */
  readonly changes: readonly Change[];
  readonly tracker: Tracker;
  readonly cast: ReadonlyMap<string, { policy: PolicyName; surface: SurfaceName }>;
}

/** Seeds of a history: the first casts the sessions, each other one is a step. */
export const seeds = (steps: number): fc.Arbitrary<number[]> =>
  fc.array(fc.integer({ min: 0, max: 0xffffffff }), { minLength: steps >> 1, maxLength: steps, size: 'max' });

interface Life {
  readonly granted: number[];
  readonly dead: string[];
}

/** What the shell asks to be woken at. */
export function dueOf(record: SessionRecord | null): number | null {
  if (record === null) return null;
  const { foreground, executionId } = record;
  const ground = foreground.kind === 'claimed' ? foreground.under : foreground;
  const due = ground.kind === 'free' ? null : ground.cycle.endDueAt;
  const settle = executionId === null ? null : (record.executions.get(executionId)?.settleUntil ?? null);
  return due ?? settle;
}

/** A third of the sessions can hand their foreground over, which most surfaces and policies cannot. */
function roleFrom(casting: Draw): { policy: PolicyName; surface: SurfaceName } {
  if (casting.chance(35)) return { policy: 'fine', surface: casting.of(['claudeV1', 'claudeV1Raw']) };
  return { policy: casting.of(POLICY_NAMES), surface: casting.of(SURFACE_NAMES) };
}

/** Plays a history with a real tracker; each event is chosen by looking at the record that the last one left. */
export function grow([cast = 0, ...choices]: readonly number[]): History {
  const lives = new Map<string, Life>(SESSION_IDS.map((id) => [id, { granted: [], dead: [] }]));
  const records = new Map<string, SessionRecord>();
  const steps: Step[] = [];
  const changes: Change[] = [];
  const casting = new Draw(cast);
  const roles = new Map(SESSION_IDS.map((id) => [id, roleFrom(casting)]));
  const tracker = new Tracker({
    onChange: (change) => changes.push(change),
    onDeadline: () => undefined,
    journal: (event, tick) => {
      const before = records.get(event.sessionId) ?? null;
      const { record: after, transitions } = decide(before, event, tick);
      if (after === null) records.delete(event.sessionId);
      else records.set(event.sessionId, after);
      steps.push({ event, tick, before, after, transitions });
      note(lives, { event, before, after });
    },
  });
  for (const taskId of new Set(Object.values(SESSIONS))) {
    tracker.loadTask(
      taskId,
      SESSION_IDS.filter((id) => SESSIONS[id] === taskId),
    );
  }
  let at = 1000;
  for (const [index, choice] of choices.entries()) {
    const draw = new Draw(choice);
    const sessionId = draw.weighted([
      [6, 's1'],
      [2, 's2'],
      [1, 's3'],
    ]);
    const record = records.get(sessionId) ?? null;
    const role = roles.get(sessionId) ?? { policy: 'coarse', surface: 'plainV1' };
    const due = dueOf(record);
    at = due !== null && due > at && draw.chance(20) ? due : at + draw.of([0, 1, 10, 300]);
    const life = lives.get(sessionId) ?? { granted: [], dead: [] };
    const scene = { sessionId, record, at, draw, ...life, policy: role.policy, surface: SURFACES[role.surface] };
    const step = nextStep({ ...scene, freshExecution: `e${index}` });
    tracker.apply({ ...step, sessionId, at } as LivenessEvent);
  }
  return { steps, changes, tracker, cast: roles };
}

function note(
  lives: ReadonlyMap<string, Life>,
  { event, before, after }: Pick<Step, 'event' | 'before' | 'after'>,
): void {
  const life = lives.get(event.sessionId);
  if (life === undefined) return;
  const claim = after?.foreground.kind === 'claimed' ? after.foreground.claim.generation : null;
  if (claim !== null && !life.granted.includes(claim)) life.granted.push(claim);
  for (const id of before?.executions.keys() ?? []) {
    if (after?.executions.has(id) !== true) life.dead.push(id);
  }
}

/** The steps that a journal leads to. */
export function steps(entries: readonly JournalEntry[]): Step[] {
  const records = new Map<string, SessionRecord>();
  return entries.map(({ event, tick }) => {
    const before = records.get(event.sessionId) ?? null;
    const { record: after, transitions } = decide(before, event, tick);
    if (after === null) records.delete(event.sessionId);
    else records.set(event.sessionId, after);
    return { event, tick, before, after, transitions };
  });
}
