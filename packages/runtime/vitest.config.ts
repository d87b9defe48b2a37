import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'runtime', testTimeout: 20_000, hookTimeout: 30_000 } });
