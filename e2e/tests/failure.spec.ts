import { expect, test } from '../support/test.ts';
import { STATUS } from '../support/words.ts';

test('[S110] [S117] a session whose agent dies says so, keeps no work, and starts anew on the next prompt', async ({
  workspace,
}) => {
  const { view, everywhere, session } = await workspace.openWithBoard('Crash', 'mock-v2');
  await view.submit('Send', '/shell crash-build until released', '/end');
  await everywhere.say(STATUS.background);
  const before = await workspace.session(session);
  expect(before.workloads).toHaveLength(1);

  await view.submit('Send', '/say Last words.', '/crash');
  await everywhere.say(STATUS.failed);
  await view.says('Last words.');
  await view.tells('70');
  await expect(view.facts).toContainText('None known');
  await expect(view.facts).toContainText('No agent process');
  expect(await workspace.session(session)).toMatchObject({ state: 'failed', executionId: null, workloads: [] });

  await view.submit('Send', '/say Here again.');
  await view.says('Here again.');
  await everywhere.say(STATUS.ready);
  const after = await workspace.session(session);
  expect(after.workloads).toEqual([]);
  expect(after.executionId).not.toBeNull();
  expect(after.executionId).not.toBe(before.executionId);
});

test('[S131] a turn is cancelled, and the prompts that waited are parked until somebody says so', async ({
  workspace,
  mock,
}) => {
  const { view, everywhere, page } = await workspace.openWithBoard('Cancel', 'mock');
  await view.submit('Send', '/say Begun.', '/wait until released cancel-turn', '/say Never said.');
  await mock.waitsFor('cancel-turn');
  await view.submit('Queue', '/say After the cancel.');
  await everywhere.say(STATUS.generating);

  await view.button('Cancel turn').click();
  await everywhere.say(STATUS.ready);
  await expect(view.button('Cancel turn')).toHaveCount(0);
  await expect(page.getByText('The queue is parked.')).toBeVisible();
  await expect(view.queue).toContainText('/say After the cancel.');

  await view.button('Resume queue').click();
  await view.says('After the cancel.');
  await everywhere.say(STATUS.ready);
  await expect(view.said('Never said.')).toHaveCount(0);
});

test('[S131] hard case 15: a turn that ignores its cancel is settled all the same', async ({ workspace }) => {
  const { view, surfaces } = await workspace.open('Deaf', 'mock');
  await view.submit('Send', '/say Begun.', '/hang');
  await view.says('Begun.');
  await surfaces.headerSays(STATUS.generating);
  await view.button('Cancel turn').click();
  await surfaces.headerSays(STATUS.ready);
  await view.submit('Send', '/say Listening again.');
  await view.says('Listening again.');
  await surfaces.headerSays(STATUS.ready);
});
