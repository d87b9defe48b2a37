import { run } from '../src/run.ts';
import { FakeVigil, Rows, useCases } from './fake-vigil.ts';

/** A server process over the fake, for tests of the process itself. */
const hangs = process.env.FAKE_HANGS === '1';
// A process that hangs has something to wait for.
const keepAlive = hangs ? setInterval(() => {}, 1_000) : undefined;
await run({
  compose: async () => ({
    vigil: useCases(new FakeVigil(new Rows())),
    close: () => (hangs ? new Promise<never>(() => keepAlive?.ref()) : Promise.resolve(true)),
  }),
  mountWeb: null,
});
