import { forgetStatuses, seenStatuses } from '../support/seen-words.ts';
import { expect, test } from '../support/test.ts';
import { STATUS } from '../support/words.ts';

for (const agent of ['mock-v2', 'mock-hermes'] as const) {
  test(`[S74] [W2] background work that ${agent} reports is never read as done`, async ({ workspace, mock }) => {
    const gate = `image-${agent}`;
    const { page, board, view, everywhere } = await workspace.openWithBoard('Build the image', agent);
    const tabs = [page, board];
    await everywhere.say(STATUS.created);

    await test.step('the turn is over, the work goes on', async () => {
      await view.submit('Send', `/shell ${gate} until released`, '/say I started the build.', '/end');
      await everywhere.say(STATUS.background);
      await view.offers('Send', 'Enter sends it now');
      await expect(view.facts).toContainText('This agent reports background work');
      for (const tab of tabs) {
        const seen = await seenStatuses(tab);
        expect(seen).not.toContain(STATUS.ready);
        await forgetStatuses(tab);
      }
    });

    await test.step('a prompt beside it', async () => {
      await view.submit('Send', `/wait until released ${gate}-turn`, '/say Here I am.');
      await everywhere.say(STATUS.generating);
      await mock.release(`${gate}-turn`);
      await view.says('Here I am.');
      await everywhere.say(STATUS.background);
    });

    await test.step('a task in the column Done', async () => {
      await page.getByRole('combobox', { name: 'State' }).click();
      await page.getByRole('option', { name: 'Done' }).click();
      await expect(
        board.getByRole('main').getByRole('list', { name: 'Done' }).getByRole('link', { name: 'Build the image' }),
      ).toBeVisible();
      await everywhere.say(STATUS.background);
    });

    for (const tab of tabs) {
      expect([...(await seenStatuses(tab))].sort()).toEqual([STATUS.background, STATUS.generating]);
    }

    await test.step('the work ends', async () => {
      await mock.release(gate);
      await view.says(`woken by ${gate}`);
      await everywhere.say(STATUS.done);
      await expect(view.facts).toContainText('None known');
    });
  });
}
