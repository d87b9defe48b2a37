import { SessionView } from '../support/session-view.ts';
import { Surfaces } from '../support/surfaces.ts';
import { expect, test } from '../support/test.ts';
import { STATUS } from '../support/words.ts';

/** How soon a page must say that its stream is lost, in ms (W5). */
const NOTICED_WITHIN = 5_000;

test('[W5] hard case 21: a silent loss is said within five seconds, and what happened meanwhile is shown after it', async ({
  workspace,
  server,
  mock,
}) => {
  const { page, view, surfaces } = await workspace.open('Silence', 'mock');
  await view.submit('Send', '/wait until released silent-turn', '/say Said in the dark.');
  await mock.waitsFor('silent-turn');
  await surfaces.headerSays(STATUS.generating);

  const broken = page.getByText('What you see may be out of date.');
  server.freeze();
  try {
    await expect(broken).toBeVisible({ timeout: NOTICED_WITHIN });
    await expect(page.getByTestId('connection')).toHaveText(/^(Reconnecting…|Not live since .+)$/);
    await mock.release('silent-turn');
  } finally {
    server.thaw();
  }
  await expect(broken).toBeHidden();
  await expect(page.getByTestId('connection')).toHaveText('Live');
  await view.says('Said in the dark.');
  await surfaces.headerSays(STATUS.ready);
});

test('[W5] a page outlives a restart of the server and shows what is true after it', async ({
  workspace,
  server,
  mock,
}) => {
  test.slow();
  const title = 'Restart';
  const { page, view, surfaces } = await workspace.open(title, 'mock-v2');
  await view.submit('Send', '/say Before the restart.', '/shell lost-build until released', '/end');
  await surfaces.headerSays(STATUS.background);
  await mock.waitsFor('lost-build');

  await server.stop();
  await expect(page.getByText('What you see may be out of date.')).toBeVisible({ timeout: NOTICED_WITHIN });
  await server.start();
  await expect(page.getByTestId('connection')).toHaveText('Live', { timeout: 30_000 });
  await expect(surfaces.header).not.toHaveText(STATUS.background);
  await view.says('Before the restart.');

  await view.submit('Send', '/say After the restart.');
  await view.says('After the restart.');
  await surfaces.headerSays(STATUS.ready);
  const second = await workspace.tab(page.url());
  await new Surfaces(second, title).headerSays(STATUS.ready);
  await new SessionView(second).says('Before the restart.');
});
