import { SessionView } from '../support/session-view.ts';
import { Surfaces } from '../support/surfaces.ts';
import { expect, test } from '../support/test.ts';
import { STATUS } from '../support/words.ts';

test('[W5] a second tab shows the current truth at once and then follows it', async ({ workspace, mock }) => {
  const title = 'Two tabs';
  const { task, view, surfaces } = await workspace.open(title, 'mock-v2');
  await view.submit('Send', '/say Said before.', '/shell tabs-build until released', '/wait until released tabs-turn');
  await mock.waitsFor('tabs-turn');

  // Nothing moves until a gate is released: what the new tabs say, they did not learn from a change.
  const second = await workspace.tab(`/tasks/${task.id}`);
  const other = new Surfaces(second, title);
  await other.headerSays(STATUS.generating);
  await other.rowSays(STATUS.generating);
  await new SessionView(second).says('Said before.');
  await new SessionView(second).offers('Queue', 'Queue: agent is generating');

  await mock.release('tabs-turn');
  for (const tab of [surfaces, other]) await tab.headerSays(STATUS.background);
  const third = new Surfaces(await workspace.tab('/'), title);
  await third.cardSays(STATUS.background);
  await third.rowSays(STATUS.background);

  await mock.release('tabs-build');
  for (const tab of [surfaces, other]) await tab.headerSays(STATUS.ready);
  await third.cardSays(STATUS.ready);
});

test('[W5] hard case 21: a reload in the middle of a turn loses nothing and repeats nothing', async ({
  workspace,
  mock,
}) => {
  const { page, view, surfaces } = await workspace.open('Reload', 'mock');
  await view.submit(
    'Send',
    '/say First half.',
    '/subagent reload-middle until released foreground',
    '/say Second half.',
    '/wait until released reload-end',
  );
  await view.says('First half.');
  await page.reload();
  await surfaces.headerSays(STATUS.generating);
  await view.says('First half.');
  await expect(view.tool('reload-middle')).toContainText(/pending|running/);
  await view.offers('Queue', 'Queue: agent is generating');

  await mock.release('reload-middle');
  await view.says('Second half.');
  await expect(view.tool('reload-middle')).toContainText('completed');
  await page.reload();
  await view.says('Second half.');
  await mock.release('reload-end');
  await surfaces.headerSays(STATUS.ready);
  for (const text of ['First half.', 'Second half.']) {
    await expect(view.said(text)).toHaveCount(1);
  }
});

test('[W5] hard case 25: seven tabs are live at once, and each can be left for another page', async ({
  workspace,
  mock,
}) => {
  const title = 'Seven tabs';
  const { task, view } = await workspace.open(title, 'mock-v2');
  await view.submit('Send', '/wait until released seven-turn');
  await mock.waitsFor('seven-turn');
  const tabs = [];
  for (let count = 0; count < 6; count += 1) tabs.push(await workspace.tab(`/tasks/${task.id}`));
  for (const tab of tabs) await new Surfaces(tab, title).headerSays(STATUS.generating);
  await mock.release('seven-turn');
  for (const tab of tabs) await new Surfaces(tab, title).headerSays(STATUS.ready);
  for (const tab of tabs) {
    await tab.goto('/');
    await new Surfaces(tab, title).cardSays(STATUS.ready);
  }
});

test('[W5] what one tab does, the other shows', async ({ workspace, mock }) => {
  const { task, view } = await workspace.open('Hand in hand', 'mock');
  const second = new SessionView(await workspace.tab(`/tasks/${task.id}`));
  await second.offers('Send', 'Enter sends it now');
  await view.submit('Send', '/wait until released hand-turn');
  await second.submit('Queue', 'From the second tab');
  await expect(view.queue).toContainText('From the second tab');
  await mock.release('hand-turn');
  await expect(view.queue).toHaveCount(0);
  await expect(view.transcript.getByText('From the second tab')).toBeVisible();
});
