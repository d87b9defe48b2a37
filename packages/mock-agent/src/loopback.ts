import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Fields, isFields } from './json.ts';

const HOST = '127.0.0.1';

/** One request to a control port. */
export interface ControlCall {
  readonly port: number;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly signal?: AbortSignal;
}

/** Answers a control request; `undefined` for a path that is not there. The signal aborts when the caller is gone. */
export type ControlRoute = (method: string, path: string, gone: AbortSignal) => Promise<Fields | undefined>;

/** Calls a control port; rejects when nobody listens or the answer is not a mock agent's. */
export function callControl({ port, method, path, signal }: ControlCall): Promise<Fields> {
  return new Promise((resolve, reject) => {
    // One connection per call: a kept one would hold a process that has nothing else to do.
    const options = {
      host: HOST,
      port,
      method,
      path,
      agent: false as const,
      ...(signal === undefined ? {} : { signal }),
    };
    const call = request(options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
      });
      response.on('error', reject);
      response.on('end', () => {
        const answer = parse(text);
        if (answer?.mock === true && response.statusCode === 200) resolve(answer);
        else reject(new Error(`Expected a mock agent's control port at ${port}; got status ${response.statusCode}`));
      });
    });
    call.on('error', reject);
    call.end();
  });
}

/** Listens on a loopback port (0: any); rejects when it is taken. */
export function listenControl(port: number, route: ControlRoute): Promise<number> {
  const server = createServer((incoming, outgoing) => {
    incoming.resume();
    const answer = (status: number, body: Fields) => {
      outgoing.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
      outgoing.end(`${JSON.stringify({ mock: true, ...body })}\n`);
    };
    // A web page can reach a loopback port, by its own name for it too; a test does neither.
    const local = /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(incoming.headers.host ?? '');
    if (!local || incoming.headers.origin !== undefined) return answer(403, { error: 'Expected a local program' });
    const gone = new AbortController();
    outgoing.on('close', () => gone.abort());
    route(incoming.method ?? '', incoming.url ?? '', gone.signal).then(
      (body) =>
        body === undefined ? answer(404, { error: 'Expected POST /release/NAME or GET /state' }) : answer(200, body),
      (error: unknown) => answer(500, { error: String(error) }),
    );
  });
  return listen(server, port);
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => resolve((server.address() as AddressInfo).port));
  });
}

function parse(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
