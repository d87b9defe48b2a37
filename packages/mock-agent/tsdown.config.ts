import { defineConfig } from 'tsdown';

const shared = { format: 'esm', platform: 'node', target: 'node20', dts: false, clean: false } as const;

// Two builds, so that each output is one file with no shared chunk beside it.
export default defineConfig([
  { ...shared, entry: { main: 'src/main.ts' } },
  { ...shared, entry: { index: 'src/index.ts' } },
]);
