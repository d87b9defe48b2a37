import type { Evidence, RosterItem, WorkNames } from '../src/attestation.ts';
import type { Fact } from '../src/fact.ts';
import type { Registration } from '../src/record.ts';
import { type Draw, evidence, namesOf, RUN_KINDS, type Surface } from './world.ts';

interface Workplace {
  readonly execution: { readonly id: string; readonly registrations: readonly Registration[] };
  readonly surface: Surface;
  readonly draw: Draw;
}

/** Evidence about one of the five runs of an execution, under some of its names, or a list of some of them. */
export function workFact({ execution, surface, draw }: Workplace): Fact {
  const live = execution.registrations.length > 0;
  const run = live && draw.chance(60) ? runOf(draw.of(execution.registrations)) : draw.below(RUN_KINDS.length);
  const kind = RUN_KINDS[run] ?? 'other';
  const names = someNames(execution.id, run, draw);
  return evidence(
    draw.weighted<() => Evidence>([
      [3, () => ({ what: 'started', names, kind, detached: draw.chance(60), ...label(draw) })],
      [0.8, () => ({ what: 'detached', names })],
      [0.6, () => ({ what: 'named', names, ...label(draw), ...(draw.chance(50) ? { kind } : {}) })],
      [live ? 2 : 0.2, () => ({ what: 'ended', names })],
      [live ? 0.5 : 0.1, () => ({ what: 'ended.unnamed', marked: draw.chance(50) })],
      [
        surface.traits.reports ? 2 : 0.1,
        () => ({ what: 'roster', rank: draw.chance(80) ? 1 : 2, items: rosterOf(execution, draw) }),
      ],
    ])(),
  );
}

const runOf = (one: Registration): number => Number(/(\d+)$/.exec(one.names[0])?.[1] ?? 0);
const label = (draw: Draw) => (draw.chance(30) ? { label: `work ${draw.below(3)}` } : {});

function someNames(execution: string, run: number, draw: Draw): WorkNames {
  const all = namesOf(execution, run);
  const [first, second, third] = draw.of([
    [0, 1, 2],
    [1, 0, 2],
    [2, 0, 1],
  ] as const);
  if (draw.chance(50)) return [all[first]];
  return draw.chance(60) ? [all[first], all[second]] : [all[first], all[second], all[third]];
}

/** Mostly what is live; at times without one, with a new one, or with one that is over. */
function rosterOf(execution: Workplace['execution'], draw: Draw): RosterItem[] {
  if (draw.chance(15)) return [];
  const live = new Set(execution.registrations.filter((one) => one.detached && draw.chance(85)).map(runOf));
  if (draw.chance(40)) live.add(draw.below(RUN_KINDS.length));
  return [...live].map((run) => ({
    names: someNames(execution.id, run, draw),
    kind: RUN_KINDS[run] === 'monitor' ? 'shell' : (RUN_KINDS[run] ?? 'other'),
    status: draw.chance(20) ? 'ended' : 'running',
  }));
}
