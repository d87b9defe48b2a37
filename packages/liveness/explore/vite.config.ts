// Bundles the exploration for Node. Run as written (tsx) it takes twice as long: tsx keeps the names of all functions.
export default {
  logLevel: 'warn',
  build: { ssr: 'explore/explore-cli.ts', outDir: 'node_modules/.cache/explore', target: 'node20', emptyOutDir: true },
};
