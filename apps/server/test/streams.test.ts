import { setTimeout as pause } from 'node:timers/promises';
import { watchActivity, watchSession } from '@vigil/client';
import { describe, expect, test } from 'vitest';
import { TestServer } from './harness.ts';
import { startProxy } from './reverse-proxy.ts';
import { sampleSession, sampleTask } from './samples.ts';
import { SilentWay } from './silent-way.ts';

describe.each(['ws', 'sse'] as const)('over %s', (transport) => {
  test('[W5] the first frame is a snapshot, and what follows is folded into it', async () => {
    await using server = await TestServer.start();
    server.fake.putTask(sampleTask({ id: 'a', title: 'first' }));
    const types: string[] = [];
    const watch = watchActivity(server.client({ transport }), { onEvent: ({ type }) => types.push(type) });
    await watch.until(({ view, connection }) => (view.tasks.has('a') && connection.status === 'live') || undefined);
    server.fake.putTask(sampleTask({ id: 'a', title: 'second' }));
    server.fake.putSession(sampleSession({ id: 's', taskId: 'a', foregroundActivity: 'generating' }));
    const { view } = await watch.until((watched) => (watched.view.sessions.has('s') ? watched : undefined));
    watch.stop();
    expect(types).toEqual(['snapshot', 'task.updated', 'session.created']);
    expect(view.tasks.get('a')?.title).toBe('second');
    expect(view.sessions.get('s')?.foregroundActivity).toBe('generating');
  });

  test('[W5] hard case 22: a client comes back after a restart with nothing lost and nothing that is no more', async () => {
    await using server = await TestServer.start();
    server.fake.putTask(sampleTask({ id: 'kept', title: 'before' }));
    server.fake.putTask(sampleTask({ id: 'gone' }));
    const statuses: string[] = [];
    const watch = watchActivity(server.client({ transport }));
    watch.subscribe(() => statuses.push(watch.getSnapshot().connection.status));
    await watch.until(({ view, connection }) => (view.tasks.has('gone') && connection.status === 'live') || undefined);
    await server.stop();
    await watch.until(({ connection }) => connection.status === 'reconnecting' || undefined);
    server.rows.tasks.delete('gone');
    server.rows.tasks.set('kept', sampleTask({ id: 'kept', title: 'after' }));
    await server.boot();
    const { view } = await watch.until((watched) => (watched.view.epoch === server.fake.epoch ? watched : undefined));
    server.fake.putTask(sampleTask({ id: 'new' }));
    await watch.until(
      (watched) => (watched.view.tasks.has('new') && watched.connection.status === 'live') || undefined,
    );
    watch.stop();
    expect([...view.tasks.values()].map(({ id, title }) => [id, title])).toEqual([['kept', 'after']]);
    expect(statuses).not.toContain('lost');
  }, 15_000);

  test('[S103] hard case 21: a stream resumes from its last event id: `resumed`, then exactly what was missed', async () => {
    await using server = await TestServer.start();
    server.fake.putTask(sampleTask({ id: 'a', title: '1' }));
    const lastEventId = `${server.fake.epoch}.1`;
    server.fake.putTask(sampleTask({ id: 'a', title: '2' }));
    server.fake.putTask(sampleTask({ id: 'a', title: '3' }));
    const { api } = server.client({ transport });
    const frames = await new Promise<unknown[]>((resolve, reject) => {
      const seen: unknown[] = [];
      const subscription = api.activity.watch.subscribe(
        { lastEventId },
        {
          onError: reject,
          onData: ({ id, data }) => {
            seen.push([id, data.type]);
            if (seen.length < 3) return;
            subscription.unsubscribe();
            resolve(seen);
          },
        },
      );
    });
    expect(frames).toEqual([
      [lastEventId, 'resumed'],
      ['boot-1.2', 'task.updated'],
      ['boot-1.3', 'task.updated'],
    ]);
  });

  test('[W5] a session stream of a session that is not there ends with the reason', async () => {
    await using server = await TestServer.start();
    const watch = watchSession(server.client({ transport }), { sessionId: 'nobody' });
    const error = await watch.until((watched) => watched.error ?? undefined);
    watch.stop();
    expect(error.code).toBe('NOT_FOUND');
    expect(error.message).toContain('nobody');
  });

  test('[W5] a gap in appended text is seen and healed by a snapshot', async () => {
    await using server = await TestServer.start();
    const { fake } = server;
    fake.putSession(sampleSession({ id: 's', taskId: 'a' }));
    const message = { id: 'm', seq: 1, createdAt: '', kind: 'assistant', parentToolCallId: null } as const;
    fake.putMessage('s', { ...message, text: 'one' });
    const watch = watchSession(server.client({ transport }), { sessionId: 's' });
    await watch.until(({ view }) => view.messages.length === 1 || undefined);
    // The store has text that was never sent to this reader.
    server.rows.messages.set('s', [{ ...message, text: 'one, two, three' }]);
    fake.publishToSession('s', (revision) => ({
      type: 'message.appended',
      revision,
      messageId: 'm',
      offset: 8,
      text: ', three',
    }));
    const text = await watch.until(({ view }) => {
      const [first] = view.messages;
      return first?.kind === 'assistant' && first.text !== 'one' ? first.text : undefined;
    });
    watch.stop();
    expect(text).toBe('one, two, three');
  });

  test('[S103] a reader that does not read is not sent what it may never take', async () => {
    await using server = await TestServer.start();
    await using way = new SilentWay(server.port);
    const watch = watchActivity(server.client({ url: await way.open(), transport }));
    await watch.until(({ connection }) => connection.status === 'live' || undefined);
    way.stall(true);
    const description = 'x'.repeat(1 << 20);
    for (let at = 0; at < 64; at += 1) server.fake.putTask(sampleTask({ id: 'big', title: `${at}`, description }));
    await pause(500);
    expect(server.fake.taken).toBeLessThan(32);
    watch.stop();
  }, 30_000);

  test('[W5] hard case 22: the server keeps nothing of a client that left', async () => {
    await using server = await TestServer.start();
    const watch = watchActivity(server.client({ transport }));
    await watch.until(({ connection }) => connection.status === 'live' || undefined);
    watch.stop();
    await expect.poll(() => server.fake.watchers).toBe(0);
  });

  test('[W5] hard case 22: nor of 500 that came and left, half of them before they heard anything', async () => {
    await using server = await TestServer.start();
    const client = server.client({ transport });
    for (let cycle = 0; cycle < 500; cycle += 1) {
      const watch = watchActivity(client);
      if (cycle % 2 === 0) await watch.until(({ connection }) => connection.status === 'live' || undefined);
      watch.stop();
    }
    await expect.poll(() => server.fake.watchers).toBe(0);
  }, 60_000);

  test('[W5] hard case 23: a stream passes through a plain reverse proxy frame by frame', async () => {
    await using server = await TestServer.start();
    await using proxy = await startProxy(server.url);
    const watch = watchActivity(server.client({ transport, url: proxy.url }));
    await watch.until(({ connection }) => connection.status === 'live' || undefined);
    server.fake.putTask(sampleTask({ id: 'a', title: 'through the proxy' }));
    await watch.until(({ view }) => view.tasks.has('a') || undefined);
    watch.stop();
    await expect.poll(() => server.fake.watchers).toBe(0);
  });

  test('[W5] hard case 24: every way in leads to one registry', async () => {
    await using server = await TestServer.start();
    const client = server.client({ transport });
    const epochs: string[] = [];
    const watch = watchActivity(client, {
      onEvent: (event) => event.type === 'snapshot' && epochs.push(event.epoch),
    });
    await watch.until(({ connection }) => connection.status === 'live' || undefined);
    watch.stop();
    const { epoch } = await server.client({ transport: transport === 'ws' ? 'sse' : 'ws' }).api.server.info.query();
    expect(epochs).toEqual([epoch]);
  });
});
