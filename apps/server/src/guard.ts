import type { IncomingMessage } from 'node:http';
import { isLoopback } from './loopback.ts';

/** Why a request is refused before anything looks at it. */
export interface Refusal {
  readonly error: 'foreign_host' | 'foreign_origin';
  readonly message: string;
}

/** Paths that programs use: other sites may not even read them without an origin. */
const PROGRAMS = /^\/(api\/|metrics)/;

/**
 * Refuses what was not meant for this server: a foreign `Host` (a name that was made to point here), a foreign `Origin`
 * (a page of another site), and requests that a browser says come from another site.
 */
export function refusalOf(request: IncomingMessage, ownHost: string): Refusal | null {
  const { host, origin, 'sec-fetch-site': site } = request.headers;
  const name = hostName(host);
  if (name === null || !(isLoopback(name) || name === ownHost.toLowerCase())) {
    return {
      error: 'foreign_host',
      message: `Expected the Host header to name this machine (localhost, 127.0.0.1 or [::1]), got ${quote(host)}. Open Vigil by such a name.`,
    };
  }
  const foreign =
    origin === undefined ? site === 'cross-site' && PROGRAMS.test(request.url ?? '') : !isSame(origin, host);
  if (!foreign) return null;
  return {
    error: 'foreign_origin',
    message: `Expected a request from Vigil's own page or from a program, got one from ${quote(origin ?? 'another site')}. Call it from a program without an Origin header, or from the page at ${quote(host)}.`,
  };
}

function hostName(host: string | undefined): string | null {
  if (host === undefined || !/^(\[[0-9a-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i.test(host)) return null;
  return host.replace(/:\d{1,5}$/, '').toLowerCase();
}

/** Compared with the Host header, not with our port, so that a tunnel on another port works. */
function isSame(origin: string, host: string | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host: originHost } = new URL(origin);
  return ['http:', 'https:'].includes(protocol) && originHost === new URL(`${protocol}//${host}`).host;
}

function quote(text: string | undefined): string {
  return text === undefined ? 'none' : JSON.stringify(text.slice(0, 200));
}
