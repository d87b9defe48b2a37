export default { test: { name: 'liveness', include: ['{src,test}/**/*.test.ts'] } };
