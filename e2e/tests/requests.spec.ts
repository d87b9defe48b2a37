import type { Locator } from '@playwright/test';
import { expect, test } from '../support/test.ts';
import { STATUS } from '../support/words.ts';

/** Compares with the token itself, whatever its value is in this theme. */
function hasColour(locator: Locator, token: string): Promise<boolean> {
  return locator.evaluate((element, name) => {
    const probe = element.appendChild(document.createElement('i'));
    probe.style.color = `var(${name})`;
    const wanted = getComputedStyle(probe).color;
    probe.remove();
    return getComputedStyle(element).color === wanted;
  }, token);
}

test('[W1] [S132] hard case 29: a permission comes before background work and generating, in amber, until it is answered', async ({
  workspace,
  mock,
}) => {
  const { board, view, everywhere } = await workspace.openWithBoard('Publish', 'mock-v2');
  await view.submit('Send', '/shell publish-build until released', '/end');
  await everywhere.say(STATUS.background);

  await view.submit('Send', '/permission Run npm publish', '/say Published.', '/wait until released publish-turn');
  await everywhere.say(STATUS.permission);
  expect(await hasColour(everywhere.task.header.locator('[data-status]'), '--state-attention')).toBe(true);
  expect(await hasColour(everywhere.board.card.locator('[data-status]'), '--state-attention')).toBe(true);
  await expect(board.getByRole('region', { name: 'Needs you' }).getByRole('link', { name: 'Publish' })).toBeVisible();

  const request = view.request('Run npm publish');
  await expect(request).toBeVisible();
  await request.getByRole('button', { name: 'Yes', exact: true }).click();
  await expect(request).toHaveCount(0);
  await view.says('Published.');
  await everywhere.say(STATUS.generating);
  await expect(board.getByRole('region', { name: 'Needs you' })).toHaveCount(0);

  await mock.release('publish-turn');
  await everywhere.say(STATUS.background);
  await mock.release('publish-build');
  await everywhere.say(STATUS.ready);
});

test('[S132] a refused permission fails the call, and the turn goes on', async ({ workspace }) => {
  const { view, surfaces } = await workspace.open('Refuse', 'mock');
  await view.submit('Send', '/permission Delete the branch', '/say Then not.');
  await view.request('Delete the branch').getByRole('button', { name: 'No', exact: true }).click();
  await view.says('Then not.');
  await expect(view.tool('Delete the branch')).toContainText('failed');
  await surfaces.headerSays(STATUS.ready);
});

test('[W1] [S132] a question of the agent is shown and answered', async ({ workspace }) => {
  const { view, everywhere } = await workspace.openWithBoard('Ask', 'mock');
  await view.submit('Send', '/ask Which database do you want?');
  await everywhere.say(STATUS.clarification);
  const question = view.request('Which database do you want?');
  await question.getByRole('textbox').fill('Postgres');
  await question.getByRole('button', { name: 'Answer', exact: true }).click();
  await view.says('answered: Postgres');
  await everywhere.say(STATUS.ready);
});

test('[W1] a request of an agent that was cancelled asks nobody any more', async ({ workspace }) => {
  const { view, everywhere } = await workspace.openWithBoard('Too late', 'mock');
  await view.submit('Send', '/permission Run npm publish');
  await everywhere.say(STATUS.permission);
  await view.button('Cancel turn').click();
  await everywhere.say(STATUS.ready);
  await expect(view.request('Run npm publish')).toHaveCount(0);
});
