export default {
  test: { name: 'db', include: ['test/**/*.test.ts'], globalSetup: ['./test/global-setup.ts'] },
};
