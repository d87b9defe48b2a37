import { rememberStatuses } from '../support/seen-words.ts';
import { SessionView } from '../support/session-view.ts';
import { Everywhere, Surfaces } from '../support/surfaces.ts';
import { expect, test } from '../support/test.ts';
import { STATUS } from '../support/words.ts';

test('[W1] [W3] the whole job: a task is made, its agent works in sight, and the task goes', async ({
  page,
  workspace,
  mock,
}) => {
  const title = 'Move the lexer';
  await rememberStatuses(page);
  const view = new SessionView(page);
  const board = await workspace.tab('/');
  const everywhere = new Everywhere(new Surfaces(page, title), new Surfaces(board, title));

  await test.step('make a task and start a session', async () => {
    await page.goto('/');
    await page.getByRole('main').getByRole('button', { name: 'New task' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New task' });
    await dialog.getByRole('textbox', { name: 'Title' }).fill(title);
    await dialog.getByRole('textbox', { name: 'Description' }).fill('Out of the parser, into a file of its own.');
    await dialog.getByRole('button', { name: 'Create task' }).click();
    await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
    await page.getByRole('radio', { name: 'Mock (Claude over ACP v1)' }).check();
    await page.getByRole('button', { name: 'Start session' }).click();
    await view.offers('Send', 'Enter sends it now');
    await everywhere.say(STATUS.created);
  });

  await test.step('send a prompt and watch it', async () => {
    await view.submit(
      'Send',
      '/think The parser and the lexer share state.',
      '/plan Read the parser; Move the lexer',
      '/tool Read src/parser.ts',
      '/tool Run the tests fails',
      '/say The lexer **can** move.',
      '/subagent mover until released foreground',
      '/say Moved.',
    );
    await everywhere.say(STATUS.generating);
    await view.says('The lexer can move.');
    await expect(view.transcript.locator('strong')).toHaveText('can');
    await view.transcript.getByText('Thought', { exact: true }).click();
    await view.tells('The parser and the lexer share state.');
    await expect(view.transcript.getByText('Plan', { exact: true })).toBeVisible();
    await expect(view.transcript.getByText('Read the parser', { exact: true })).toBeVisible();
    await expect(view.tool('Read src/parser.ts')).toContainText('completed');
    await expect(view.tool('Run the tests')).toContainText('failed');
    await expect(view.tool('mover')).toContainText(/pending|running/);
    await expect(page.getByText(/^This turn: /)).toBeVisible();
    await expect(view.said('Moved.')).toHaveCount(0);
  });

  await test.step('the turn ends', async () => {
    await mock.release('mover');
    await view.says('Moved.');
    await expect(view.tool('mover')).toContainText('completed');
    await everywhere.say(STATUS.ready);
    await view.offers('Send', 'Enter sends it now');
  });

  await test.step('archive, take back, delete', async () => {
    await page.getByRole('button', { name: 'Archive task' }).click();
    const question = page.getByRole('alertdialog', { name: `Archive “${title}”?` });
    await question.getByRole('button', { name: 'Archive task' }).click();
    await expect(page.getByText('Task archived')).toBeVisible();
    await expect(everywhere.board.card).toHaveCount(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(everywhere.board.card).toBeVisible();

    await everywhere.task.row.click();
    await page.getByRole('button', { name: 'Delete task' }).click();
    const last = page.getByRole('alertdialog', { name: `Delete “${title}”?` });
    await last.getByRole('button', { name: 'Delete task' }).click();
    await expect(page.getByText('Task deleted')).toBeVisible();
    await expect(page).toHaveURL(/\/$/);
    await expect(everywhere.board.card).toHaveCount(0);
    await expect(board.getByRole('heading', { name: 'No tasks yet' })).toBeVisible();
  });
});
