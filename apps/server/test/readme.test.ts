import { readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { TestServer } from './harness.ts';
import { sampleTask } from './samples.ts';

const readme = new URL('../../../packages/client/README.md', import.meta.url);
const extracted = fileURLToPath(new URL('./.readme-example.ts', import.meta.url));

afterAll(async () => {
  await rm(extracted, { force: true });
  Reflect.deleteProperty(process.env, 'VIGIL_URL');
});

test("[contract] the client's README example runs: it waits until a task is done and not in the background", async () => {
  const [, example] = /```ts\n([\s\S]+?)```/.exec(await readFile(readme, 'utf8')) ?? [];
  if (example === undefined) throw new Error('expected an example in the README');
  expect(example.trim().split('\n').length).toBeLessThanOrEqual(20);
  await writeFile(extracted, example);
  await using server = await TestServer.start();
  process.env.VIGIL_URL = server.url;
  const { settled } = await import(extracted);
  const task = sampleTask({ id: 'a', state: 'in_progress', foregroundActivity: 'generating' });
  server.fake.putTask(task);
  let answer: unknown = null;
  const waiting = settled('a').then((value: unknown) => {
    answer = value;
  });
  await expect.poll(() => server.fake.watchers).toBe(1);
  server.fake.putTask({ ...task, state: 'done', foregroundActivity: 'background' });
  await server.stop();
  await server.boot();
  await expect.poll(() => server.fake.watchers).toBe(1);
  expect(answer).toBeNull();
  server.fake.putTask({ ...task, state: 'done', foregroundActivity: null });
  await waiting;
  expect(answer).toMatchObject({ id: 'a', state: 'done', foregroundActivity: null });
}, 15_000);
