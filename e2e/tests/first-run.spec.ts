import { ServerProcess } from '../support/server-process.ts';
import { SessionView } from '../support/session-view.ts';
import { test as base, expect, START_TIMEOUT } from '../support/test.ts';

/** A server that nobody has used: the first run happens once. */
const test = base.extend<object, { readonly server: ServerProcess }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
    async ({}, use) => {
      const server = await ServerProcess.start();
      await use(server);
      await server.remove();
    },
    { scope: 'worker', timeout: START_TIMEOUT },
  ],
});

test('[W7] an empty board leads to the first answer of an agent by keyboard alone', async ({ page }) => {
  const press = (key: string) => page.keyboard.press(key);
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'No tasks yet' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Agents on this machine' })).toContainText('Mock (ACP v2)');
  await expect(page.getByText('npm start -- --demo')).toBeVisible();
  await expect(page.getByTestId('connection')).toHaveText('Live');

  await press('c');
  const dialog = page.getByRole('dialog', { name: 'New task' });
  await expect(dialog.getByRole('textbox', { name: 'Title' })).toBeFocused();
  await page.keyboard.type('Look around');
  await press('Enter');
  await expect(page).toHaveURL(/\/tasks\//);
  await expect(page.getByRole('heading', { name: 'Look around', level: 1 })).toBeVisible();

  const agent = page.getByRole('radio', { name: 'Mock (Claude over ACP v1)' });
  await agent.focus();
  await press('Space');
  await expect(agent).toBeChecked();
  await page.getByRole('button', { name: 'Start session' }).focus();
  await press('Enter');

  const view = new SessionView(page);
  await view.composer.focus();
  await page.keyboard.type('Hello, what is this?');
  await press('Enter');
  await expect(page.getByTestId('task-status')).toHaveText('Ready for a prompt');
  await expect(view.transcript.getByRole('listitem').filter({ hasText: 'Agent:' })).not.toHaveCount(0);

  await press('Escape');
  await press('Escape');
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByRole('main').getByRole('link', { name: 'Look around' })).toBeVisible();
});

test('[W7] a task needs a title, and the form says so', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('main').getByRole('button', { name: 'New task' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New task' });
  await dialog.getByRole('button', { name: 'Create task' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Give the task a title.');
  await expect(dialog.getByRole('textbox', { name: 'Title' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});
