import type { SessionState } from '../src/event.ts';
import type { SessionRecord } from '../src/record.ts';
import { claimIn, cycleIn, endedIn, groundIn, servingIn } from './read.ts';
import { type Clause, firstBroken, type Law } from './step.ts';

const ALIVE: readonly SessionState[] = ['starting', 'running', 'waiting_for_input'];

/** Coarse state, execution and foreground go together (S1, S11), and nothing is left when none is live (S110). */
function whole(record: SessionRecord): readonly Clause[] {
  const { state, executionId, executions, foreground, inFlight, cancelling } = record;
  const alive = ALIVE.includes(state);
  const free = foreground.kind === 'free';
  return [
    [(executionId !== null) !== alive, `S11: execution ${executionId} in ${state}`],
    [executionId !== null && !executions.has(executionId), 'S11: the serving execution is not live'],
    [executions.size > 1, 'P1: more than one execution is live'],
    [executionId === null && executions.size > 0, `S110: an execution is live in ${state}`],
    [!alive && (!free || inFlight !== null || cancelling !== null), `S110: something is at work in ${state}`],
    [state === 'running' && free, 'S1: running with a free foreground'],
    [state === 'waiting_for_input' && !free, `S11: ${foreground.kind} in waiting_for_input`],
    [
      state === 'starting' && free && servingIn(record)?.opened === true,
      'S11: starting with an open execution and nothing claimed',
    ],
  ];
}

/** Who has the foreground, and what must be there for it (P1, S2, S5, S50, S59). */
function owned(record: SessionRecord): readonly Clause[] {
  const { inFlight, cancelling } = record;
  const claim = claimIn(record);
  const cycle = cycleIn(record);
  const ground = groundIn(record);
  const serving = servingIn(record);
  const yielded = ground.kind === 'yielded';
  const present = [claim?.generation, cycle?.generation];
  const open = [cycle, cycle?.predecessor].filter((one) => one?.rpc === 'open').length;
  const sent = claim?.dispatched === true && serving?.traits.rpc === 'held' ? 1 : 0;
  return [
    [claim !== null && claim.generation === cycle?.generation, 'P1: a claim stands before itself'],
    [claim !== null && claim.executionId !== record.executionId, 'P1: a claim of another execution'],
    [
      inFlight !== null && claim !== null && inFlight !== claim.generation,
      'S50: another prompt is in flight beside the claim',
    ],
    [cancelling !== null && !present.includes(cancelling), 'S131: the cancelled prompt is neither claimed nor at work'],
    [cycle?.predecessor?.predecessor != null, 'S59: a predecessor of a predecessor'],
    [cycle?.predecessor != null && cycle.predecessor.rpc !== 'open', 'S59: a predecessor that owes no answer'],
    [cycle?.predecessor != null && cycle.generation !== inFlight, 'S55: a predecessor is kept after acceptance'],
    [open + sent > 2, 'S59: more than two RPCs are open'],
    [yielded && serving?.registrations.some((one) => one.detached) !== true, 'S2: yielded without detached work'],
    [yielded && cycle?.rpc !== 'open', 'S1: yielded without an open RPC'],
    [yielded && serving?.traits.handoff !== true, 'S62: yielded without the capability'],
    [yielded && cycle?.origin === 'agent', 'S5: yielded by a cycle of the agent'],
    [cycle?.origin === 'agent' && serving?.traits.agentCycles !== true, 'S4: a cycle of an agent that declares no end'],
  ];
}

/** Registrations: each name once, in order of age, none that has ended; a settling time only while free (S12, S20, S27). */
function registered(record: SessionRecord): readonly Clause[] {
  return [...record.executions.values()].flatMap((execution): Clause[] => {
    const { registrations, hints } = execution;
    const ended = endedIn(execution);
    const names = [...registrations, ...hints].flatMap((one) => one.names);
    const seqs = registrations.map((one) => one.seq);
    return [
      [new Set(names).size !== names.length, 'S20: one name stands for two runs'],
      [names.some((name) => ended.has(name)), 'S27: a run that ended is live or named'],
      [
        seqs.some((seq, index) => index > 0 && seq <= (seqs[index - 1] ?? 0)),
        'S20: registrations are not in order of age',
      ],
      [seqs.some((seq) => seq >= record.nextSeq), 'S20: a seq that was not given out'],
      [registrations.some((one) => one.detached && one.generation !== null), 'S65: detached work belongs to a turn'],
      [
        execution.settleUntil !== null && groundIn(record).kind !== 'free',
        'S12: settling while the foreground is taken',
      ],
    ];
  });
}

/** Every state is of a lawful shape. */
export const shapeLaw: Law = ({ after }) => firstBroken([...whole(after), ...owned(after), ...registered(after)]);
