import { defineConfig } from '@playwright/test';

/** Times are those of a busy machine with two cores: a step that passes takes a fraction of them. */
export default defineConfig({
  testDir: 'tests',
  outputDir: 'test-results',
  workers: 2,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    actionTimeout: 15_000,
    launchOptions: { executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium' },
    screenshot: 'only-on-failure',
    // Rings that turn keep a machine without a graphics card busy; \`look.spec.ts\` sees them.
    contextOptions: { reducedMotion: 'reduce' },
  },
});
