/** Generous limits: on a busy machine the embedded database takes seconds to open. */
export default {
  test: {
    name: 'db',
    include: ['test/**/*.test.ts'],
    globalSetup: ['./test/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
};
