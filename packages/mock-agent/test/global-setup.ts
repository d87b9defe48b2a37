import { fileURLToPath } from 'node:url';
import { build } from 'tsdown';
import type { TestProject } from 'vitest/node';

/** Bundles the agent once: a bundle starts ten times faster than its sources, and tests start many. */
export default async function setup(project: TestProject): Promise<void> {
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const outDir = `${cwd}/node_modules/.mock-agent-test`;
  await build({
    cwd,
    config: false,
    entry: { main: 'src/main.ts' },
    outDir,
    platform: 'node',
    dts: false,
    logLevel: 'error',
  });
  project.provide('program', `${outDir}/main.mjs`);
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of the bundled agent. */
    program: string;
  }
}
