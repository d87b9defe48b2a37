import { seenStatuses } from '../support/seen-words.ts';
import { expect, test } from '../support/test.ts';
import { STATUS } from '../support/words.ts';

test('[S70] [W2] a plain mock session is never shown as background, while work of it lives', async ({
  workspace,
  mock,
}) => {
  const { page, board, view, everywhere, session } = await workspace.openWithBoard('Build the docs', 'mock');

  await test.step('running: generating, and prompts queue', async () => {
    await view.submit(
      'Send',
      '/shell docs-build until released',
      '/wait until released docs-turn',
      '/say Over to you.',
    );
    await mock.waitsFor('docs-turn');
    await everywhere.say(STATUS.generating);
    await view.offers('Queue', 'Queue: agent is generating');
  });

  await test.step('settled: ready, although the shell lives', async () => {
    await mock.release('docs-turn');
    await view.says('Over to you.');
    await everywhere.say(STATUS.ready);
    await view.offers('Send', 'Enter sends it now');
    await mock.waitsFor('docs-build');
    expect((await workspace.session(session)).workloads).toMatchObject([{ label: 'docs-build', detached: true }]);
    await expect(view.facts).toContainText('Coarse: by state alone');
    await view.facts.getByText('Show 1 piece of live work').click();
    await expect(view.facts.getByRole('list', { name: 'Live work' })).toContainText(
      'Background shell, in the background',
    );
  });

  await test.step('the end of the work wakes the agent', async () => {
    await mock.release('docs-build');
    await view.says('woken by docs-build');
    await everywhere.say(STATUS.ready);
  });

  for (const tab of [page, board]) expect(await seenStatuses(tab)).not.toContain(STATUS.background);
});

test('[S70] [S77] a held prompt stays generating and queues, for as long as it is held', async ({
  workspace,
  mock,
}) => {
  const { page, board, view, everywhere } = await workspace.openWithBoard('Hold the prompt', 'mock');
  await view.submit('Send', '/say Free in fact.', '/shell held-build until released', '/idle');
  await view.says('Free in fact.');
  await mock.waitsFor('held-build');
  await everywhere.say(STATUS.generating);
  await view.offers('Queue', 'Queue: agent is generating');
  await mock.release('held-build');
  await everywhere.say(STATUS.ready);
  for (const tab of [page, board]) expect(await seenStatuses(tab)).not.toContain(STATUS.background);
});
