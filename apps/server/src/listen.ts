import { once } from 'node:events';
import type { Server } from 'node:http';
import { StartError } from './errors.ts';
import { urlHost } from './loopback.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Takes the port, or says why it cannot be had. Answers the port that it got, which differs from a wish for 0. */
export async function listen(server: Server, { host, port }: Address): Promise<Address & { readonly url: string }> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw refusedAddress(cause, { host, port });
  }
  const address = server.address();
  const actual = typeof address === 'object' && address !== null ? address.port : port;
  return { host, port: actual, url: `http://${urlHost(host)}:${actual}` };
}

function refusedAddress(cause: unknown, { host, port }: Address): unknown {
  const code = cause instanceof Error && 'code' in cause ? cause.code : null;
  switch (code) {
    case 'EADDRINUSE':
      return new StartError(
        `Vigil does not start: expected port ${port} on ${host} to be free, another process listens there. ` +
          `Stop that process, or choose another port: PORT=${port + 1} npm start.`,
        { cause },
      );
    case 'EACCES':
      return new StartError(
        `Vigil does not start: expected to be allowed to listen on port ${port}, the system refuses. ` +
          'Choose a port above 1023: PORT=3000 npm start.',
        { cause },
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(
        `Vigil does not start: expected VIGIL_HOST to be an address of this machine, ${host} is not. ` +
          'Set VIGIL_HOST=127.0.0.1, or unset it.',
        { cause },
      );
    default:
      return cause;
  }
}
