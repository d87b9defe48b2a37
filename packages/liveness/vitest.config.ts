import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'liveness', include: ['{src,test}/**/*.test.ts'] } });
