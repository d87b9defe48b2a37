import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';
import { STATUS } from '../support/words.ts';

const cardIn = (page: Page, column: string, title: string) =>
  page.getByRole('main').getByRole('list', { name: column }).getByRole('link', { name: title, exact: true });

test('[W7] a card moves by keyboard, and every tab shows where it is', async ({ workspace }) => {
  const title = 'Move by keyboard';
  await workspace.task(title, 'mock');
  const [board, other] = [await workspace.tab('/'), await workspace.tab('/')];
  await expect(cardIn(board, 'Backlog', title)).toBeVisible();
  await board.getByRole('button', { name: `Move ${title}` }).focus();
  await board.keyboard.press('Space');
  await expect(board.getByText(`${title} is over Backlog.`)).toBeAttached();
  const steps = [
    ['ArrowRight', 'In progress'],
    ['ArrowRight', 'Review'],
    ['ArrowRight', 'Done'],
    ['ArrowLeft', 'Review'],
    ['ArrowLeft', 'In progress'],
  ] as const;
  for (const [key, column] of steps) {
    await board.keyboard.press(key);
    await expect(board.getByText(`${title} is over ${column}.`)).toBeAttached();
  }
  await board.keyboard.press('Space');
  await expect(board.getByText(`${title} was dropped in In progress.`)).toBeAttached();
  for (const tab of [board, other]) await expect(cardIn(tab, 'In progress', title)).toBeVisible();
});

test('[W7] a card moves by mouse, keeps its place after a reload, and is found by search', async ({ workspace }) => {
  const title = 'Move by mouse';
  await workspace.task(title, 'mock');
  await workspace.task('Another task', 'mock');
  const board = await workspace.tab('/');
  const from = await cardIn(board, 'Backlog', title).boundingBox();
  const to = await board.getByRole('main').getByRole('heading', { name: 'Review' }).boundingBox();
  if (from === null || to === null) throw new Error('Expected the card and the column to be in sight');
  await board.mouse.move(from.x + 20, from.y + 5);
  await board.mouse.down();
  await board.mouse.move(to.x + 40, to.y + 80, { steps: 12 });
  await board.mouse.up();
  await expect(cardIn(board, 'Review', title)).toBeVisible();
  await board.reload();
  await expect(cardIn(board, 'Review', title)).toBeVisible();

  await board.keyboard.press('/');
  await board.keyboard.type('by mouse');
  const rows = board.getByRole('navigation', { name: 'Tasks' }).getByRole('listitem');
  await expect(rows).toHaveText([title]);
  await board.keyboard.press('Enter');
  await expect(board.getByRole('heading', { name: title, level: 1 })).toBeVisible();
});

test('[W6] two subagents are a fact of the session, and a number nowhere else', async ({ workspace, mock }) => {
  const { view, everywhere } = await workspace.openWithBoard('Read twice', 'mock-v2');
  await view.submit('Send', '/subagent reader-a until released', '/subagent reader-b until released', '/end');
  await everywhere.say(STATUS.background);
  await expect(view.facts.getByText('Show 2 pieces of live work')).toBeVisible();
  await expect(everywhere.board.card).toHaveText(`Read twice${STATUS.background}`);
  await expect(everywhere.task.row).toHaveText('Read twice');
  await expect(everywhere.task.header).toHaveText(STATUS.background);
  await mock.release('reader-a');
  await expect(view.facts.getByText('Show 1 piece of live work')).toBeVisible();
  await everywhere.say(STATUS.background);
});

test('[W2] the status of the open task is announced to those who do not see it', async ({ workspace, mock }) => {
  const { page, view } = await workspace.open('Announce', 'mock-v2');
  const said = page.getByTestId('announcer');
  await view.submit('Send', '/shell announce-build until released', '/end');
  await expect(said).toHaveText(`Announce: ${STATUS.background}`);
  await mock.release('announce-build');
  await expect(said).toHaveText(`Announce: ${STATUS.ready}`);
});
