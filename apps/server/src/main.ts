import { compose } from './compose.ts';
import { mountNext } from './next-web.ts';
import { run } from './run.ts';

/** The server with its web app. */
await run({ compose, mountWeb: mountNext });
