import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { name: 'mock-agent', testTimeout: 20_000, globalSetup: './test/global-setup.ts', maxWorkers: 2 },
});
