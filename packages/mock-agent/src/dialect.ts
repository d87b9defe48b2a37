import { ClaudeRawSurface } from './claude-raw-surface.ts';
import { ClaudeSurface } from './claude-surface.ts';
import { HermesSurface } from './hermes-surface.ts';
import { type Fields, pick } from './json.ts';
import type { Outlet, Surface } from './surface.ts';
import { V1Surface } from './v1-surface.ts';
import { V2Surface } from './v2-surface.ts';

/** Values of `MOCK_AGENT_DIALECT`. */
export const DIALECTS = ['claude-v1', 'claude-v1-raw', 'acp-v2', 'hermes', 'generic'] as const;

/** Whose lifecycle metadata the mock replays. */
export type Dialect = (typeof DIALECTS)[number];

/** Narrows a text to a dialect. */
export function isDialect(text: string): text is Dialect {
  return DIALECTS.some((dialect) => dialect === text);
}

/** The dialect on the wire, for what the client offered in `initialize`. */
export function makeSurface(dialect: Dialect, outlet: Outlet, client: Fields): Surface {
  switch (dialect) {
    case 'claude-v1':
      return new ClaudeSurface(outlet, client);
    case 'claude-v1-raw':
      return new ClaudeRawSurface(outlet, client);
    case 'hermes':
      return new HermesSurface(outlet, client);
    case 'generic':
      return new V1Surface(outlet);
    case 'acp-v2': {
      const version = pick(client, 'protocolVersion');
      return typeof version === 'number' && version >= 2 ? new V2Surface(outlet) : new V1Surface(outlet);
    }
  }
}
