import { fileURLToPath } from 'node:url';
import type { MountWeb } from './web.ts';

/** Mounts the Next app. It is loaded here and nowhere else, so that a headless server never reads it. */
export const mountNext: MountWeb = async ({ host, port, server, mode }) => {
  const { default: next } = await import('next');
  const dir = fileURLToPath(new URL('../../web', import.meta.url));
  const app = next({ dev: mode === 'development', dir, hostname: host, port, httpServer: server });
  await app.prepare();
  const handle = app.getRequestHandler();
  const upgrade = app.getUpgradeHandler();
  return {
    handle: (request, response) => handle(request, response),
    upgrade: (request, socket, head) => upgrade(request, socket, head),
    close: () => app.close(),
  };
};
