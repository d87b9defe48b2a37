import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: ['packages/*', 'apps/*'],
    maxWorkers: 2,
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**', 'apps/server/src/**'],
      exclude: ['**/*.test.ts', '**/*.test.tsx'],
    },
  },
});
