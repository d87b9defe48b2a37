import { inFile, type Mutant } from './mutant.ts';

/** Bugs of admission, claims, their beginning and their being given back. */
export const CLAIM_MUTANTS: readonly Mutant[] = [
  ...inFile('admission.ts', [
    { name: 'a wake-up takes a handoff', rule: 'S61', find: "origin === 'human' ? DIRECT", replace: 'origin ? DIRECT' },
    {
      name: 'a running session admits under any policy',
      rule: 'S70',
      find: "if (!record.rules.fine) return refuse('generating');",
      replace: '',
    },
    {
      name: 'the gate opens while a prompt is in flight',
      rule: 'S50',
      find: "return record.inFlight === null ? null : refuse('generating');",
      replace: 'return null;',
    },
    {
      name: 'a pending cancel does not shut the gate',
      rule: 'S131',
      find: ' || record.cancelling !== null',
      replace: '',
    },
    { name: 'unaccounted remains do not shut the gate', rule: 'S9', find: '!record.accounted || ', replace: '' },
    {
      name: 'a lost process does not shut the gate',
      rule: 'S9',
      find: ' || current(record)?.lost === true',
      replace: '',
    },
    {
      name: 'a busy session with detached work gives the wrong reason',
      rule: 'S62',
      find: "hasDetached(current(record)) ? 'handoff_not_attested' : 'generating'",
      replace: "'generating'",
    },
    {
      name: 'a cancelled session may be prompted',
      rule: 'S51',
      find: "    case 'cancelled':\n      return refuse('session_ended');",
      replace: "    case 'cancelled':\n      return START;",
    },
  ]),
  ...inFile('claims.ts', [
    {
      name: 'accept without a check of its generation',
      rule: 'S53',
      find: 'if (record.inFlight !== generation) return record;',
      replace: '',
    },
    {
      name: 'release without a check of its generation',
      rule: 'S56',
      find: 'return record.inFlight === generation ? rollBack(record, generation) : record;',
      replace: 'return rollBack(record, generation);',
    },
    {
      name: 'a rollback forgets the predecessor of a claim',
      rule: 'S55',
      find: 'foreground: foreground.under }',
      replace: "foreground: { kind: 'free' } }",
    },
    {
      name: 'a rollback forgets the predecessor of a turn that has begun',
      rule: 'S55',
      find: 'return predecessor === null\n',
      replace: 'return predecessor === null || generation > 0\n',
    },
    {
      name: 'the predecessor comes back with an idle that it had said before',
      rule: 'S55',
      find: 'cycle: cycleWith(predecessor, { idleAttested: false })',
      replace: 'cycle: predecessor',
    },
    {
      name: 'acceptance leaves the predecessor to be given back',
      rule: 'S56',
      find: 'return withCycle(accepted, { predecessor: null });',
      replace: 'return accepted;',
    },
    {
      name: 'a rolled-back claim stays in flight',
      rule: 'S55',
      find: 'inFlight: inFlight === generation ? null : inFlight',
      replace: 'inFlight',
    },
    {
      name: 'a cancel expires for whichever generation',
      rule: 'S58',
      find: 'if (record.cancelling !== generation) return record;',
      replace: '',
    },
    {
      name: 'an unanswered turn is not muted',
      rule: 'S131',
      find: 'return sent ? mute(landed, generation) : landed;',
      replace: 'return landed;',
    },
    {
      name: 'an agent that is idle is muted',
      rule: 'S131',
      find: " || execution.levels.state === 'idle' || execution.levels.raw === 'idle'",
      replace: '',
    },
    {
      name: 'an expired cancel of a sent successor spares what dies with it',
      rule: 'S65',
      find: 'const swept = sent ? sweepAll(record) : record;',
      replace: 'const swept = record;',
    },
  ]),
  ...inFile('ground.ts', [
    {
      name: 'a claimed prompt that begins forgets whom it took the foreground from',
      rule: 'S55',
      find: 'predecessor: owns ? ground.cycle : null,',
      replace: 'predecessor: null,',
    },
    {
      name: 'a named prompt begins whatever its generation',
      rule: 'S58',
      find: ' && foreground.claim.generation === generation;\n',
      replace: ';\n',
    },
    {
      name: 'a claim begins before it was sent',
      rule: 'S57',
      find: "!foreground.claim.dispatched || foreground.under.kind !== 'free') return record;",
      replace: "foreground.under.kind !== 'free') return record;",
    },
    {
      name: 'a sent claim begins before the foreground is free',
      rule: 'S57',
      find: " || foreground.under.kind !== 'free') return record;",
      replace: ') return record;',
    },
    {
      name: 'output before the write belongs to the successor',
      rule: 'S57',
      find: "!foreground.claim.dispatched || foreground.under.kind === 'free') return record;",
      replace: "foreground.under.kind === 'free') return record;",
    },
    {
      name: 'an agent cycle begins where no end is declared',
      rule: 'S4',
      find: 'if (current(record)?.traits.agentCycles !== true) return record;',
      replace: '',
    },
    {
      name: 'what takes the foreground leaves the follow-up expected',
      rule: 'S12',
      find: 'executionWith(execution, { settleUntil: null, followUps: new Set() })',
      replace: 'execution',
    },
    {
      name: 'an agent cycle leaves the session waiting',
      rule: 'S11',
      find: "recordWith(begun, { state: 'running', stopReason: null })",
      replace: 'begun',
    },
    {
      name: 'a claim given back before its agent is open leaves it waiting for input',
      rule: 'S11',
      find: "if (state === 'starting' && current(record)?.opened !== true) return record;",
      replace: '',
    },
    {
      name: 'a prompt folded into a turn forgets its levels',
      rule: 'S13',
      find: "ranOn: ground.kind === 'held' && ground.cycle.idleOn.length === 0 ? ground.cycle.ranOn : [],",
      replace: '',
    },
  ]),
];
