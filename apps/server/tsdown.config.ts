import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'tsdown';

const migrations = join(import.meta.dirname, '../../packages/db/migrations');
const copied = join(import.meta.dirname, 'dist/migrations');

/** Our packages are bundled from their sources, the web app is not: Next serves it from its own folder. */
export default defineConfig({
  entry: ['src/main.ts', 'src/headless.ts'],
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  dts: false,
  // What our packages need and the server does not declare is bundled with them.
  deps: { alwaysBundle: [/^@vigil\/(?!web)/], onlyBundle: false },
  hooks: {
    'build:done': () => {
      if (!existsSync(migrations)) return;
      rmSync(copied, { recursive: true, force: true });
      cpSync(migrations, copied, { recursive: true });
    },
  },
});
