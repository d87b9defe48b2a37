import { expect, test } from 'vitest';
import { promptText } from '../src/fields.ts';
import { appRouter } from '../src/index.ts';
import { answerRequestInput } from '../src/session/answer-request.ts';
import { submitPromptInput } from '../src/session/submit-prompt.ts';
import { createTaskInput } from '../src/task/create-task.ts';

interface Procedure {
  readonly _def: {
    readonly type: string;
    readonly inputs: readonly { safeParse(value: unknown): { error?: { issues: readonly { code: string }[] } } }[];
  };
}

/** Flat at run time, by dotted path. */
const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, Procedure>);

const KINDS = {
  query: [
    'task.list',
    'task.get',
    'session.get',
    'session.messages',
    'queue.list',
    'activity.get',
    'agent.list',
    'feature.list',
    'settings.get',
    'server.info',
  ],
  mutation: [
    'task.create',
    'task.update',
    'task.move',
    'task.archive',
    'task.unarchive',
    'task.delete',
    'session.create',
    'session.submit',
    'session.prompt',
    'session.cancel',
    'session.respond',
    'session.teardown',
    'session.delete',
    'session.stopWorkload',
    'session.stopAll',
    'queue.edit',
    'queue.remove',
    'queue.reorder',
    'queue.clear',
    'queue.sendNow',
    'queue.setAutoRun',
    'feature.override',
    'settings.update',
  ],
  subscription: ['session.watch', 'activity.watch'],
};

test('[contract] the router has the procedures of the contract, each of its kind', () => {
  const found = procedures.map(([path, { _def }]) => [path, _def.type]);
  const expected = Object.entries(KINDS).flatMap(([kind, paths]) => paths.map((path) => [path, kind]));
  expect(found.sort()).toEqual(expected.sort());
});

test('[contract] every input is strict: unknown keys are refused', () => {
  for (const [path, { _def }] of procedures) {
    const issues = _def.inputs[0]?.safeParse({ surprise: true }).error?.issues ?? [];
    expect([path, issues.some(({ code }) => code === 'unrecognized_keys')]).toEqual([path, true]);
  }
});

test('[contract] texts have limits: titles 1 to 500 characters, prompts 1 byte to 1 MiB, no NUL', () => {
  const title = (value: string) => createTaskInput.safeParse({ title: value }).success;
  expect([
    title(''),
    title('  '),
    title('x'),
    title('x'.repeat(500)),
    title('x'.repeat(501)),
    title('a\u0000b'),
  ]).toEqual([false, false, true, true, false, false]);
  const prompt = (value: string) => promptText.safeParse(value).success;
  expect([
    prompt(''),
    prompt(' '),
    prompt('x'.repeat(1 << 20)),
    prompt('é'.repeat(1 << 19)),
    prompt(`é${'x'.repeat(1 << 20)}`),
  ]).toEqual([false, true, true, true, false]);
});

test('[S80] a submission needs a key; [S61] its origin is a person or a program', () => {
  const submission = { sessionId: 's', text: 'go', clientKey: 'k' };
  const fits = (value: object) => submitPromptInput.safeParse(value).success;
  expect(fits(submission)).toBe(true);
  expect(fits({ ...submission, clientKey: '' })).toBe(false);
  expect(fits({ ...submission, origin: 'wakeup' })).toBe(true);
  expect(fits({ ...submission, origin: 'robot' })).toBe(false);
});

test('[S132] a request is answered in exactly one way', () => {
  const fits = (outcome: object) => answerRequestInput.safeParse({ sessionId: 's', requestId: 'r', outcome }).success;
  for (const outcome of [{ optionId: 'allow' }, { answers: { name: 'x' } }, { cancelled: true }])
    expect(fits(outcome)).toBe(true);
  for (const outcome of [{}, { cancelled: false }, { optionId: 'allow', cancelled: true }])
    expect(fits(outcome)).toBe(false);
});
