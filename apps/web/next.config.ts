import { join } from 'node:path';
import type { NextConfig } from 'next';

const root = join(import.meta.dirname, '../..');

const config: NextConfig = {
  transpilePackages: ['@vigil/ui', '@vigil/client'],
  outputFileTracingRoot: root,
  turbopack: { root },
  distDir: '.next',
  poweredByHeader: false,
  devIndicators: false,
  // `pnpm check` does it, with the workspace's own compiler.
  typescript: { ignoreBuildErrors: true },
};

export default config;
