import { seenStatuses } from '../support/seen-words.ts';
import { expect, test } from '../support/test.ts';
import { STATUS } from '../support/words.ts';

test('[S29] [W2] hard case 9: a watch with many events is background and generating and nothing else, and takes prompts in between', async ({
  workspace,
  mock,
}) => {
  const { page, board, view, everywhere, session } = await workspace.openWithBoard('Watch the log', 'mock-v2');
  await view.submit('Send', '/monitor burst every 300ms until released', '/say Watching.', '/end');
  await view.says('Watching.');
  await everywhere.task.headerSays(STATUS.background);
  const tabs = [page, board];
  for (const tab of tabs) await tab.evaluate(() => window.vigilSeen?.splice(0));

  await test.step('prompts in the middle of the burst, in whichever window they come', async () => {
    for (const text of ['one', 'two', 'three']) await workspace.submit(session, `/say ${text} beside it`);
    for (const text of ['one', 'two', 'three']) await view.says(`${text} beside it`);
  });

  await test.step('in a generating window a prompt queues', async () => {
    await workspace.submit(session, '/wait until released burst-turn', '/say The long one.');
    await mock.waitsFor('burst-turn');
    await view.submit('Queue', '/say Queued beside it.');
    await expect(view.queue).toContainText('Queued beside it.');
    await mock.release('burst-turn');
    await view.says('Queued beside it.');
  });

  await expect(view.transcript).toContainText(/event \d\d of burst/);
  for (const tab of tabs) {
    const seen = await seenStatuses(tab);
    expect(seen.filter((one) => one !== STATUS.background && one !== STATUS.generating)).toEqual([]);
    expect(seen).toContain(STATUS.generating);
  }
  await expect(view.transcript).not.toContainText('Nothing was heard of the agent');

  await mock.release('burst');
  await view.says('woken by burst');
  await everywhere.say(STATUS.ready);
});
