import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { openAgent } from '@vigil/acp';
import { type Failure, failureOf } from '@vigil/client';
import { EventSource } from 'eventsource';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { Http } from '../src/http.ts';
import { silent, TestServer } from './harness.ts';
import { sampleTask } from './samples.ts';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Call {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** `fetch` would not let a test choose Host or Origin. */
async function call(server: TestServer, { path, method = 'GET', headers = {}, body }: Call): Promise<Answer> {
  const sent = request({ host: '127.0.0.1', port: server.port, path, method, headers, agent: false });
  sent.end(body);
  const [response] = await once(sent, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks).toString() };
}

async function failure(run: () => Promise<unknown>): Promise<Failure> {
  const found = await run().then(() => null, failureOf);
  if (found === null) throw new Error('expected the call to fail');
  return found;
}

test('[contract] bad input is BAD_REQUEST with the zod issues; unknown keys are refused', async () => {
  await using server = await TestServer.start();
  const { api } = server.client();
  const empty = await failure(() => api.task.create.mutate({ title: ' ' }));
  expect(empty).toMatchObject({ code: 'BAD_REQUEST', zodIssues: [{ path: ['title'] }] });
  const unknown = await failure(() => api.task.get.query({ taskId: 'a', tsakId: 'b' } as { taskId: string }));
  expect(unknown.zodIssues).toMatchObject([{ code: 'unrecognized_keys', keys: ['tsakId'] }]);
  expect(unknown.message).toContain('tsakId');
});

test('[contract] an unknown id is NOT_FOUND and a refusal is CONFLICT with its reason', async () => {
  await using server = await TestServer.start();
  const { api } = server.client();
  expect((await failure(() => api.task.get.query({ taskId: 'nobody' }))).code).toBe('NOT_FOUND');
  const refused = await failure(() => api.session.prompt.mutate({ sessionId: 's', text: 'go' }));
  expect(refused).toMatchObject({ code: 'CONFLICT', reason: 'prompt_in_progress' });
});

test('[contract] an unexpected failure tells a client neither its text nor its stack', async () => {
  await using server = await TestServer.start();
  const { body, status } = await call(server, { path: '/api/trpc/agent.list' });
  expect(status).toBe(500);
  expect(body).not.toMatch(/passwords|stack|\.ts/);
  const stream = await call(server, { path: '/api/trpc/nothing.here' });
  expect(stream.status).toBe(404);
  expect(stream.body).not.toMatch(/stack/);
});

test('[contract] the wire is plain JSON', async () => {
  await using server = await TestServer.start();
  server.fake.putTask(sampleTask({ id: 'a' }));
  const { body } = await call(server, { path: '/api/trpc/task.list' });
  expect(JSON.parse(body)).toEqual({
    result: { data: { epoch: 'boot-1', revision: 1, tasks: [sampleTask({ id: 'a' })] } },
  });
});

test.each([
  ['a foreign name', { host: 'evil.example' }, 'foreign_host'],
  ['a name that only begins like ours', { host: 'localhost.evil.example:80' }, 'foreign_host'],
  ['no usable name', { host: 'a b' }, 'foreign_host'],
  ['another site', { origin: 'http://evil.example' }, 'foreign_origin'],
  ['another server on this machine', { origin: 'http://127.0.0.1:1' }, 'foreign_origin'],
  ['a page without an origin', { origin: 'null' }, 'foreign_origin'],
  ['an image of another site', { 'sec-fetch-site': 'cross-site' }, 'foreign_origin'],
])('[contract] a request from %s is refused', async (_, headers, error) => {
  await using server = await TestServer.start();
  for (const path of ['/api/trpc/task.list', '/api/health', '/metrics']) {
    const answer = await call(server, { path, headers });
    expect([path, answer.status, JSON.parse(answer.body).error]).toEqual([path, 403, error]);
  }
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/api/trpc`, { headers });
  const [, response] = await once(socket, 'unexpected-response');
  response.resume();
  expect(response.statusCode).toBe(403);
});

test('[contract] own names and an own origin are served, also through a tunnel on another port', async () => {
  await using server = await TestServer.start();
  for (const host of [`localhost:${server.port}`, '127.0.0.1:4000', '[::1]:80', 'localhost']) {
    const headers = { host, origin: `http://${host}` };
    expect((await call(server, { path: '/api/health', headers })).status).toBe(200);
  }
});

test('[contract] health, readiness and metrics answer; everything else is not found without the web app', async () => {
  await using server = await TestServer.start();
  expect(JSON.parse((await call(server, { path: '/api/ready' })).body)).toEqual({ ready: true, reason: null });
  const metrics = await call(server, { path: '/metrics' });
  expect(metrics.headers['content-type']).toContain('text/plain');
  expect(metrics.body).toContain('vigil_websockets 0');
  const other = await call(server, { path: '/api/other' });
  expect(other.status).toBe(404);
  expect(other.headers['x-content-type-options']).toBe('nosniff');
});

test('[S123] the metrics say how much of what agents wrote was dropped, by its reason', async () => {
  await using server = await TestServer.start();
  const counted = async (reason: string): Promise<number> => {
    const { body } = await call(server, { path: '/metrics' });
    const line = `vigil_agent_frames_dropped_total{reason="${reason}"} `;
    return Number(
      body
        .split('\n')
        .find((each) => each.startsWith(line))
        ?.slice(line.length) ?? 0,
    );
  };
  const before = [await counted('no_frame'), await counted('invalid_utf8')];

  await openBrokenAgent();

  expect(await counted('no_frame')).toBe((before[0] ?? 0) + 2);
  expect(await counted('invalid_utf8')).toBe((before[1] ?? 0) + 1);
  expect(await counted('unknown_answer')).toBeGreaterThan(0);
});

test('[contract] a body beyond the limit is refused', async () => {
  await using server = await TestServer.start();
  const text = 'x'.repeat((1 << 20) + 1);
  const { api } = server.client();
  const refused = await failure(() => api.session.submit.mutate({ sessionId: 's', text, clientKey: 'k' }));
  expect(refused.code).toBe('BAD_REQUEST');
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ title: 'x'.repeat(5 << 20) });
  const answer = await call(server, { path: '/api/trpc/task.create', method: 'POST', headers, body });
  expect(answer.status).toBe(413);
});

test('[contract] before there is anything to serve, a browser gets a page that tries again and a program a 503', async () => {
  const http = new Http({ host: '127.0.0.1', mode: 'production', log: silent });
  http.server.listen(0, '127.0.0.1');
  await once(http.server, 'listening');
  const { port } = http.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/tasks/a`;
  const page = await fetch(url, { headers: { accept: 'text/html,*/*' } });
  expect([page.status, page.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await page.text()).toContain('http-equiv="refresh"');
  const program = await fetch(url);
  expect([program.status, await program.json()]).toMatchObject([503, { error: 'unavailable' }]);
  http.stopAdmitting();
  http.server.closeAllConnections();
});

test('[contract] a stop sends open streams away with SERVICE_UNAVAILABLE, and waits for no idle connection', async () => {
  await using server = await TestServer.start();
  const idle = connect(server.port, '127.0.0.1');
  await once(idle, 'connect');
  const events = new EventSource(`${server.url}/api/trpc/activity.watch?input=%7B%7D`);
  await new Promise((resolve) => events.addEventListener('message', resolve, { once: true }));
  const ended = new Promise<string>((resolve, reject) => {
    events.addEventListener('serialized-error', ({ data }) => resolve(data));
    events.addEventListener('return', () => reject(new Error('a plain end: clients would not come back')));
  });
  const since = performance.now();
  await server.stop();
  expect(performance.now() - since).toBeLessThan(1_500);
  expect(JSON.parse(await ended)).toMatchObject({ data: { code: 'SERVICE_UNAVAILABLE', httpStatus: 503 } });
  events.close();
});

/** Opens a real agent process that writes what is no frame before it answers anything, and ends. */
async function openBrokenAgent(): Promise<void> {
  const says = String.raw`process.stdout.write(Buffer.from([0xff, 0x0a]));
    process.stdout.write('no frame\n{"half":\n{"id":99,"result":{}}\n', () => process.exit(3));`;
  const agent = openAgent({
    launch: { agentId: 'a', provider: 'generic', command: process.execPath, args: ['-e', says], env: {}, cwd: '/' },
    cwd: '/',
    agentSessionId: null,
    startTimeoutMs: 20_000,
    mockProvider: false,
    sink: { frame: () => undefined, gone: () => undefined, log: () => undefined },
  });
  await expect(agent).rejects.toThrow('could not be opened');
}
