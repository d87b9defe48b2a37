import { inFile, type Mutant } from './mutant.ts';

/** Bugs of what is read of a record, summed up and told. */
export const READING_MUTANTS: readonly Mutant[] = [
  ...inFile('expose.ts', [
    {
      name: 'coarse shows background',
      rule: 'S73',
      find: "policy !== 'coarse' && tier === 'background'",
      replace: "tier === 'background'",
    },
    {
      name: 'an unknown tier reads as done',
      rule: 'S9',
      find: "policy === 'fine' ? (tier ?? 'generating') : 'generating'",
      replace: "policy === 'fine' ? tier : 'generating'",
    },
    {
      name: 'reported shows the private tier of a running session',
      rule: 'S73',
      find: "policy === 'fine' ? (tier ?? 'generating') : 'generating'",
      replace: "policy !== 'coarse' ? (tier ?? 'generating') : 'generating'",
    },
    {
      name: 'a list raises the policy without the agreement',
      rule: 'S74',
      find: 'execution?.traits.reports === true && execution.rosterRank !== null',
      replace: 'execution?.rosterRank != null',
    },
    {
      name: 'the kill switch of reported is ignored',
      rule: 'S74',
      find: 'reports && record.rules.reported ?',
      replace: 'reports ?',
    },
    {
      name: 'every kind counts as a subagent',
      rule: 'S22',
      find: "if (one.kind === 'subagent') count += 1;",
      replace: 'count += one.names.length;',
    },
    {
      name: 'a follow-up is awaited while the foreground is taken',
      rule: 'S12',
      find: "foreground.kind === 'free' && expectsFollowUp(execution)",
      replace: 'expectsFollowUp(execution)',
    },
    {
      name: 'a lost process reads as known',
      rule: 'S9',
      find: '!record.accounted || execution?.lost === true',
      replace: '!record.accounted',
    },
    {
      name: 'an agent that never told a list may still report after its turn',
      rule: 'S74',
      find: 'return execution.turnEnded ? false : null;',
      replace: 'return null;',
    },
    {
      name: 'every frame of a run is told',
      rule: 'S21',
      find: 'one.startedAt === other.startedAt &&',
      replace: 'one.startedAt === other.startedAt && one.lastEvidenceAt === other.lastEvidenceAt &&',
    },
    {
      name: 'a change of the count alone is not told',
      rule: 'S100',
      find: ' && count === before.view.activeSubagentCount;',
      replace: ' && before !== null;',
    },
    {
      name: 'the revision moves with every change',
      rule: 'S100',
      find: 'samePair ? before.view.activityRevision : tick',
      replace: 'tick',
    },
    {
      name: 'the revision of the change before is used again',
      rule: 'P4',
      find: 'samePair ? before.view.activityRevision : tick',
      replace: 'before?.view.activityRevision ?? tick',
    },
    {
      name: 'the opening of an execution is taken to read as before',
      rule: 'S100',
      find: 'a.traits === b.traits &&\n      a.opened === b.opened &&',
      replace: '',
    },
    ...['a.accounted !== b.accounted ||', 'a.foreground !== b.foreground ||', 'a.inFlight !== b.inFlight ||'].map(
      (find) => ({
        name: `a step is taken to read as before, without a look at \`${find.slice(2, -3)}\``,
        rule: 'S100',
        find: `    ${find}\n    a.`,
        replace: '    a.',
      }),
    ),
    ...['lost', 'registrations', 'rosterRank', 'followUps', 'settleUntil', 'levels'].map((field) => ({
      name: `a step is taken to read as before, without a look at \`${field}\` of its execution`,
      rule: 'S100',
      find: `a.${field} === b.${field}`,
      replace: 'true',
    })),
  ]),
  ...inFile('aggregate.ts', [
    {
      name: 'the count of a task goes up only',
      rule: 'S90',
      find: 'this.#subagents += by * view.activeSubagentCount;',
      replace: 'this.#subagents += view.activeSubagentCount;',
    },
    {
      name: 'the count of a task is of sessions',
      rule: 'S90',
      find: 'this.#subagents += by * view.activeSubagentCount;',
      replace: 'this.#subagents += by * Math.sign(view.activeSubagentCount);',
    },
    {
      name: 'background masks generating',
      rule: 'S90',
      find: "this.#generating > 0 ? 'generating' : this.#background > 0 ? 'background' : null",
      replace: "this.#background > 0 ? 'background' : this.#generating > 0 ? 'generating' : null",
    },
    {
      name: 'a task with an unread session is summed up',
      rule: 'S91',
      find: 'if (this.#missing.size > 0) return null;',
      replace: '',
    },
    {
      name: 'one unknown session makes a task unknown that surely generates',
      rule: 'S9',
      find: 'this.#unknown > 0 && this.#generatingLive === 0',
      replace: 'this.#unknown > 0',
    },
  ]),
  ...inFile('tracker.ts', [
    {
      name: 'one tick numbers two changes',
      rule: 'P4',
      find: 'revision: index === 0 ? tick : this.touch()',
      replace: 'revision: tick',
    },
    {
      name: 'events from within a delivery nest',
      rule: 'S102',
      find: 'if (this.#draining) {\n      this.#queue.push(event);\n      return;\n    }',
      replace: '',
    },
    {
      name: 'a task is told of every change of a session',
      rule: 'S93',
      find: 'if (activity === null || sameActivity(entry.told, activity)) return;',
      replace: 'if (activity === null) return;',
    },
    {
      name: 'the baseline of a task never moves',
      rule: 'S93',
      find: 'entry.told = activity;',
      replace: '',
    },
    {
      name: 'a deadline that is gone still stands',
      rule: 'S12',
      find: 'if (was !== is) this.#options.onDeadline(sessionId, is);',
      replace: 'if (is !== null) this.#options.onDeadline(sessionId, is);',
    },
  ]),
  ...inFile('outbox.ts', [
    {
      name: 'a value counts as delivered when a newer one waits',
      rule: 'S104',
      find: 'if (waiting.get(key) === event) waiting.delete(key);',
      replace: 'waiting.delete(key);',
    },
    {
      name: 'a newer value keeps the place of the older',
      rule: 'S103',
      find: '      waiting.delete(key);\n      waiting.set(key, event);',
      replace: '      waiting.set(key, event);',
    },
    {
      name: 'subscribers are told one by one, before all have it',
      rule: 'S102',
      find: 'return mailbox.put(key, event);',
      replace: 'return mailbox.put(key, event) && (mailbox.tell(), false);',
    },
    {
      name: 'a subscriber that threw is never told again',
      rule: 'S104',
      find: 'const due = waiting.size === 0 || deaf;',
      replace: 'const due = waiting.size === 0;',
    },
    {
      name: 'a deletion leaves what waits for delivery',
      rule: 'S105',
      find: 'mailbox.drop(voided);',
      replace: '',
    },
  ]),
];
