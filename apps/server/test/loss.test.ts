import { watchActivity } from '@vigil/client';
import { describe, expect, test } from 'vitest';
import { TestServer } from './harness.ts';
import { sampleTask } from './samples.ts';
import { SilentWay } from './silent-way.ts';

describe.concurrent.each(['ws', 'sse'] as const)('over %s', (transport) => {
  test('[W5] a way that goes silent is noticed within 5 s, and what was missed is there once it is back', async () => {
    await using server = await TestServer.start();
    await using way = new SilentWay(server.port);
    const watch = watchActivity(server.client({ url: await way.open(), transport }));
    await watch.until(({ connection }) => connection.status === 'live' || undefined);
    const since = performance.now();
    way.silence(true);
    await watch.until(({ connection }) => connection.status === 'reconnecting' || undefined);
    expect(performance.now() - since).toBeLessThan(5_000);
    server.fake.putTask(sampleTask({ id: 'missed' }));
    way.silence(false);
    await watch.until(
      ({ view, connection }) => (view.tasks.has('missed') && connection.status === 'live') || undefined,
    );
    watch.stop();
  }, 30_000);
});
