import { PlainProxy } from '../support/plain-proxy.ts';
import { SessionView } from '../support/session-view.ts';
import { Surfaces } from '../support/surfaces.ts';
import { expect, test } from '../support/test.ts';
import { STATUS } from '../support/words.ts';

/** What hard case 23 allows, in ms. */
const FIRST_FRAME_WITHIN = 1_000;
const PING_WITHIN = 15_000;
/** A server that hears no answer to its ping gives up within this. */
const ANSWER_WITHIN = 5_000;

test('[W5] hard case 23: behind a plain reverse proxy frames come at once, pings come, and a dead peer is noticed', async ({
  workspace,
  context,
  mock,
  server,
}) => {
  const proxy = await PlainProxy.start(server.url);
  try {
    const { task } = await workspace.task('Proxied', 'mock-v2');
    const page = await context.newPage();
    const frames: { took: number | null; pings: number[] } = { took: null, pings: [] };
    page.on('websocket', (socket) => {
      const opened = performance.now();
      socket.on('framereceived', ({ payload }) => {
        if (payload.toString().includes('"snapshot"')) frames.took ??= performance.now() - opened;
        if (payload === 'PING' || payload === 'PONG') frames.pings.push(performance.now());
      });
    });
    const answered = await page.goto(`${proxy.url}/tasks/${task.id}`);
    expect(answered?.headers()['content-encoding']).toBe('gzip');
    const surfaces = new Surfaces(page, 'Proxied');
    await surfaces.headerSays(STATUS.created);
    // A busy machine may be late once; a proxy that holds frames back is late each time.
    await expect(async () => {
      frames.took = null;
      await page.reload();
      await surfaces.headerSays(STATUS.created);
      expect(frames.took).toBeLessThan(FIRST_FRAME_WITHIN);
    }).toPass();

    const view = new SessionView(page);
    await view.submit('Send', '/wait until released proxied-turn', '/say Through the proxy.');
    await surfaces.headerSays(STATUS.generating);
    await mock.release('proxied-turn');
    await view.says('Through the proxy.');

    await test.step('a quiet stream is pinged', async () => {
      const since = performance.now();
      await expect.poll(() => frames.pings.some((at) => at > since), { timeout: PING_WITHIN + 1_000 }).toBe(true);
    });

    await test.step('the server lets a dead peer go', async () => {
      const sockets = async () =>
        Number(/^vigil_websockets (\d+)$/m.exec(await (await fetch(`${server.url}/metrics`)).text())?.[1]);
      expect(await sockets()).toBeGreaterThan(0);
      proxy.silence();
      await expect.poll(sockets, { timeout: PING_WITHIN + ANSWER_WITHIN + 2_000 }).toBe(0);
    });
  } finally {
    await proxy.stop();
  }
});
