import { compose } from './compose.ts';
import { run } from './run.ts';

/** The API alone: nothing of the web app is loaded. */
await run({ compose, mountWeb: null });
