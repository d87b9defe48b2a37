import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';
import { STATUS } from '../support/words.ts';

const STOPS = 'This stops work that is going on:';

test('[W4] hard case 27: delete names exactly what it would stop, under every policy, and stops it', async ({
  workspace,
  mock,
}) => {
  const { page, board, view, everywhere, task, session } = await workspace.openWithBoard('Old branch', 'mock');
  await view.submit('Send', '/shell old-build until released', '/end');
  await everywhere.say(STATUS.ready);
  await mock.waitsFor('old-build');

  const question = page.getByRole('alertdialog', { name: 'Delete “Old branch”?' });
  const listed = question.getByRole('list', { name: STOPS }).getByRole('listitem');
  await test.step('a settled session whose shell lives', async () => {
    await page.getByRole('button', { name: 'Delete task' }).click();
    await expect(listed).toHaveText(['Background shell “old-build” of Session 1']);
    await expect(question.getByRole('button', { name: 'Keep task' })).toBeFocused();
  });

  await test.step('the list follows the server while the question stands', async () => {
    await workspace.submit(session, '/wait until released old-turn');
    await expect(listed).toHaveText(['Session 1: Generating', 'Background shell “old-build” of Session 1']);
  });

  await test.step('keeping loses nothing', async () => {
    await question.getByRole('button', { name: 'Keep task' }).click();
    await expect(question).toBeHidden();
    await everywhere.say(STATUS.generating);
    await mock.waitsFor('old-build');
  });

  await test.step('deleting stops it', async () => {
    await page.getByRole('button', { name: 'Delete task' }).click();
    await question.getByRole('button', { name: 'Delete task' }).click();
    await expect(page.getByText('Task deleted')).toBeVisible();
    await expect(everywhere.board.card).toHaveCount(0);
    await expect(board.getByRole('navigation', { name: 'Tasks' }).getByText('Old branch')).toHaveCount(0);
    await mock.isGone();
    await page.goto(`/tasks/${task.id}`);
    await expect(page.getByRole('heading', { name: 'This task does not exist' })).toBeVisible();
  });
});

test('[W4] deleting a task at rest asks and warns of nothing', async ({ workspace }) => {
  const { page, view, surfaces } = await workspace.open('At rest', 'mock');
  await view.submit('Send', '/say Done here.');
  await surfaces.headerSays(STATUS.ready);
  await page.getByRole('button', { name: 'Delete task' }).click();
  const question = page.getByRole('alertdialog', { name: 'Delete “At rest”?' });
  await expect(question).toBeVisible();
  await expect(question.getByText(STOPS)).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await surfaces.headerSays(STATUS.ready);
});

test('[W4] archive asks while the setting is on, and does not when it is off', async ({ workspace, mock }) => {
  const { page, view, everywhere, task } = await workspace.openWithBoard('Shelf', 'mock-v2');
  await view.submit('Send', '/shell shelf-build until released', '/end');
  await everywhere.say(STATUS.background);

  await test.step('on: the question names the work', async () => {
    await page.getByRole('button', { name: 'Archive task' }).click();
    const question = page.getByRole('alertdialog', { name: 'Archive “Shelf”?' });
    await expect(question.getByRole('list', { name: STOPS }).getByRole('listitem')).toHaveText([
      'Background shell “shelf-build” of Session 1',
    ]);
    await question.getByRole('button', { name: 'Archive task' }).click();
    await expect(everywhere.board.card).toHaveCount(0);
    await mock.isGone();
  });

  await test.step('an archived task can be found by its address and taken back', async () => {
    await page.goto(`/tasks/${task.id}`);
    await expect(page.getByRole('heading', { name: 'This task is archived' })).toBeVisible();
    await page.getByRole('button', { name: 'Unarchive task' }).click();
    await expect(everywhere.board.card).toBeVisible();
    await expect(everywhere.board.card).not.toContainText(STATUS.background);
  });

  await test.step('off: no question', async () => {
    await setAsking(page, false);
    await expect(everywhere.board.card).toBeVisible();
    await page.getByRole('button', { name: 'Archive task' }).click();
    await expect(page.getByText('Task archived')).toBeVisible();
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    await expect(everywhere.board.card).toHaveCount(0);
  });

  await test.step('the setting is the server’s: a page that is opened anew knows it', async () => {
    await page.reload();
    await setAsking(page, true);
  });
});

async function setAsking(page: Page, asks: boolean): Promise<void> {
  await page.getByRole('button', { name: 'Preferences' }).click();
  const item = page.getByRole('menuitemcheckbox', { name: 'Ask before archiving' });
  await expect(item).toBeChecked({ checked: !asks });
  await item.click();
  await expect(item).toBeChecked({ checked: asks });
  await page.keyboard.press('Escape');
}
