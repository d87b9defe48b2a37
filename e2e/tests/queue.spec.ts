import { expect, test } from '../support/test.ts';
import { STATUS } from '../support/words.ts';

test('[W3] [S80] a prompt to a busy agent is queued with its reason and delivered when the turn ends', async ({
  workspace,
  mock,
}) => {
  const { page, board, view, everywhere } = await workspace.openWithBoard('One after another', 'mock');
  await view.submit('Send', '/wait until released queue-turn', '/say First done.');
  await expect(view.page.getByText('Sent', { exact: true })).toBeVisible();
  await everywhere.say(STATUS.generating);
  await view.offers('Queue', 'Queue: agent is generating');

  await view.submit('Queue', '/say Second done.');
  await expect(page.getByText('Queued: agent is generating', { exact: true })).toBeVisible();
  await view.submit('Queue', '/say Third done.');
  await expect(view.queue.getByRole('listitem')).toHaveText(['/say Second done.', '/say Third done.']);
  await expect(everywhere.board.card).toContainText('2 queued');
  await expect(everywhere.task.row.getByRole('img', { name: '2 queued' })).toBeVisible();
  await expect(board.getByRole('navigation', { name: 'Tasks' }).getByRole('img', { name: '2 queued' })).toBeVisible();

  await mock.release('queue-turn');
  await expect(view.queue).toHaveCount(0);
  await everywhere.say(STATUS.ready);
  await expect(everywhere.board.card).not.toContainText('queued');
  const said = view.transcript.getByRole('listitem').filter({ hasText: /^Agent: (First|Second|Third) done\.$/ });
  await expect(said).toHaveText(['Agent: First done.', 'Agent: Second done.', 'Agent: Third done.']);
});

test('[S82] a queued prompt can be taken back', async ({ workspace, mock }) => {
  const { page, view, surfaces } = await workspace.open('Think again', 'mock');
  await view.submit('Send', '/wait until released again-turn');
  await view.submit('Queue', '/say Not this.');
  await view.submit('Queue', '/say But this.');
  await page.getByRole('button', { name: 'Remove from queue: /say Not this.' }).click();
  await expect(view.queue.getByRole('listitem')).toHaveText(['/say But this.']);
  await mock.release('again-turn');
  await view.says('But this.');
  await surfaces.headerSays(STATUS.ready);
  await expect(view.said('Not this.')).toHaveCount(0);
});

test('[S82] a queued prompt can be sent in place of the turn at work', async ({ workspace }) => {
  const { page, view, surfaces } = await workspace.open('Sooner', 'mock');
  await view.submit('Send', '/wait until released sooner-turn', '/say Never said.');
  await view.submit('Queue', '/say The first.');
  await view.submit('Queue', '/say The second.');
  await page.getByRole('button', { name: 'Cancel the turn and send now: /say The second.' }).click();
  await view.says('The first.');
  await surfaces.headerSays(STATUS.ready);
  const said = view.transcript.getByRole('listitem').filter({ hasText: /^Agent: The (first|second)\.$/ });
  await expect(said).toHaveText(['Agent: The second.', 'Agent: The first.']);
  await expect(view.said('Never said.')).toHaveCount(0);
});

test('[W3] text that was not sent survives the change of pages', async ({ workspace }) => {
  const { page, view, surfaces } = await workspace.open('Unsent', 'mock');
  await view.composer.fill('Half a thought');
  await page.getByRole('navigation', { name: 'Tasks' }).getByRole('link', { name: 'Board' }).click();
  await surfaces.card.getByRole('link').click();
  await expect(view.composer).toHaveValue('Half a thought');
});
