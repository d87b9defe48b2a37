import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page, TestInfo } from '@playwright/test';
import { isAccessible } from '../support/accessibility.ts';
import { ServerProcess } from '../support/server-process.ts';
import { SCENES, type Showcase, seedShowcase } from '../support/showcase.ts';
import { test as base, expect, START_TIMEOUT } from '../support/test.ts';
import { STATUS } from '../support/words.ts';

interface LookFixtures {
  readonly server: ServerProcess;
  readonly showcase: Showcase;
}

/** A server whose board shows every state, for all looks. */
const test = base.extend<{ readonly emptied: undefined }, LookFixtures>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
    async ({}, use) => {
      const server = await ServerProcess.start();
      await use(server);
      await server.remove();
    },
    { scope: 'worker', timeout: START_TIMEOUT },
  ],
  showcase: [({ server }, use) => seedShowcase(server.client).then(use), { scope: 'worker', timeout: START_TIMEOUT }],
  emptied: undefined,
});

// Each worker has a showcase of its own; the looks are the longest tests.
test.describe.configure({ mode: 'parallel' });

const PUBLISHED = fileURLToPath(new URL('../../docs/screenshots/', import.meta.url));

/** Kept with the results of the run; `UPDATE_SCREENSHOTS=1` renews those of the documentation. */
async function picture(page: Page, info: TestInfo, name: string): Promise<void> {
  const folder = process.env.UPDATE_SCREENSHOTS === '1' ? PUBLISHED : join(info.project.outputDir, 'screenshots');
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
}

const SIZES = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
} as const;

for (const size of ['desktop', 'phone'] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test.describe(`${size}, ${colorScheme}`, () => {
      test.use({ ...SIZES[size], colorScheme, contextOptions: { reducedMotion: 'no-preference' } });
      const suffix = size === 'phone' ? `phone-${colorScheme}` : colorScheme;
      const action = async (page: Page, name: string) => {
        if (size === 'desktop') return page.getByRole('button', { name }).click();
        await page.getByRole('button', { name: 'Task actions' }).click();
        return page.getByRole('menuitem', { name }).click();
      };

      test('[W7] pages and dialogs are accessible', async ({ page, showcase }, info) => {
        test.setTimeout(240_000);
        const open = async (title: string) => {
          await page.goto(`/tasks/${showcase.get(title)?.id}`);
          await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
          await expect(page.getByText('Loading the transcript…')).toHaveCount(0);
        };

        await test.step('board', async () => {
          await page.goto('/');
          await expect(page.getByRole('main').getByRole('link', { name: SCENES.background })).toBeVisible();
          // A phone shows one column at a time: the one in which things happen.
          await page.getByRole('main').getByRole('link', { name: SCENES.background }).scrollIntoViewIfNeeded();
          await picture(page, info, `board-${suffix}`);
          await isAccessible(page, 'the board');
        });

        await test.step('new task and help', async () => {
          await page.keyboard.press('c');
          await expect(page.getByRole('dialog', { name: 'New task' })).toBeVisible();
          await isAccessible(page, 'the new task dialog');
          await page.keyboard.press('Escape');
          await expect(page.getByRole('dialog')).toHaveCount(0);
          await page.keyboard.press('?');
          await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
          await isAccessible(page, 'the help dialog');
          await page.keyboard.press('Escape');
        });

        await test.step('task', async () => {
          await open(SCENES.generating);
          await expect(page.getByRole('list', { name: 'Queued prompts' })).toBeVisible();
          await picture(page, info, `task-${suffix}`);
          await isAccessible(page, 'a task at work');
        });

        await test.step('delete', async () => {
          await action(page, 'Delete task');
          await expect(page.getByRole('alertdialog')).toContainText('This stops work that is going on:');
          await isAccessible(page, 'the delete dialog');
          await page.getByRole('button', { name: 'Keep task' }).click();
        });

        for (const title of [SCENES.background, SCENES.permission, SCENES.question, SCENES.failed]) {
          await test.step(title, async () => {
            await open(title);
            await isAccessible(page, title);
          });
        }

        await test.step('a new session', async () => {
          await page.getByRole('button', { name: 'New session' }).click();
          await expect(page.getByRole('radio').first()).toBeVisible();
          await isAccessible(page, 'the form of a session');
        });

        if (size === 'phone') {
          await test.step('sidebar', async () => {
            await page.getByRole('button', { name: 'Open sidebar' }).click();
            await expect(page.getByRole('navigation', { name: 'Tasks' })).toBeVisible();
            await isAccessible(page, 'the sidebar');
          });
        }
      });
    });
  }
}

test('[W7] rings stand still for those who asked for less motion, and turn for the others', async ({
  page,
  browser,
  baseURL,
  showcase,
}) => {
  const turning = (tab: Page) =>
    tab.evaluate(() => document.getAnimations().filter(({ playState }) => playState === 'running').length);
  const title = showcase.get(SCENES.generating)?.title ?? '';
  await page.goto('/');
  await expect(page.getByRole('main').getByRole('link', { name: title })).toBeVisible();
  expect(await turning(page)).toBe(0);

  const moving = await browser.newPage({ reducedMotion: 'no-preference', ...(baseURL && { baseURL }) });
  await moving.goto('/');
  await expect(moving.getByRole('main').getByText(STATUS.background).first()).toBeVisible();
  expect(await turning(moving)).toBeGreaterThan(0);
  await moving.close();
});
