// The walls of the architecture. `scripts/walls.mjs` runs them, asserts that every package was really read, and
// plants one violation per rule to see it caught. Patterns see resolved paths: a workspace import is packages/*/src/….

const TESTS = '(\\.test\\.tsx?$|^packages/[^/]+/(test|bench)/|^apps/[^/]+/(test|bench)/)';
const ATTESTATION = '^packages/liveness/src/attestation\\.ts$';
// Adapters with recordings or conformance fixtures (S24). Adding one here is a review decision.
const ATTESTING = '^packages/acp/src/adapters/(claude|acp-v2|hermes|mock)[^/]*\\.ts$';

/** A package, tests apart, sees itself and the packages named. */
const only = (name, from, allowed) => ({
  name,
  severity: 'error',
  from: { path: `^${from}/`, pathNot: TESTS },
  to: { path: '^(packages|apps)/', pathNot: `^(${[from, ...allowed].join('|')})/` },
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'liveness-imports-nothing',
      comment: 'The core is pure: it sees only itself, not even node:*.',
      severity: 'error',
      from: { path: '^packages/liveness/src/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^packages/liveness/src/' },
    },
    {
      name: 'liveness-tests-import-only-test-tools',
      comment: 'Tests and benches of the core see the core, node, vitest and fast-check.',
      severity: 'error',
      from: { path: '^packages/liveness/' },
      to: { pathNot: '^packages/liveness/|node_modules/(vitest|fast-check)/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'liveness-shell-on-top',
      comment: 'Nothing pure knows the tracker or its outbox; only the front door and tests do.',
      severity: 'error',
      from: {
        path: '^packages/liveness/src/',
        pathNot: '^packages/liveness/src/(index|tracker|outbox)\\.ts$|\\.test\\.ts$',
      },
      to: { path: '^packages/liveness/src/(tracker|outbox)\\.ts$' },
    },
    {
      name: 'front-doors',
      comment: 'Packages import each other only by their exports: no relative path and no deep path into another one.',
      severity: 'error',
      from: { path: '^(packages|apps)/([^/]+)/' },
      to: {
        path: '^(packages|apps)/[^/]+/',
        pathNot: [
          '^$1/$2/',
          '^packages/[^/]+/src/index\\.ts$',
          ATTESTATION,
          '^packages/db/src/testing\\.ts$',
          '^packages/client/src/react\\.tsx$',
          '^apps/[^/]+/package\\.json$',
        ],
      },
    },
    {
      name: 'no-relative-way-into-a-package',
      severity: 'error',
      from: { path: '^(packages|apps)/([^/]+)/' },
      to: { path: '^(packages|apps)/[^/]+/', pathNot: '^$1/$2/', dependencyTypes: ['local'] },
    },
    {
      name: 'attestation-is-an-import-right',
      comment: 'Only adapters with recordings or conformance fixtures may attest (S23, S24).',
      severity: 'error',
      from: {
        pathNot: [
          ATTESTING,
          '^packages/liveness/',
          '^packages/acp/src/(adapters/[^/]+\\.test|testing/[^/]+)\\.ts$',
          // The provider of the simulated world stands for an adapter.
          '^packages/runtime/test/world/evidence\\.ts$',
        ],
      },
      to: { path: ATTESTATION },
    },
    only('acp-sees-liveness', 'packages/acp', ['packages/liveness']),
    only('db-sees-no-package', 'packages/db', []),
    // The mock cannot cheat: it only speaks ACP.
    only('mock-agent-sees-no-package', 'packages/mock-agent', []),
    only('runtime-sees-liveness-acp-db', 'packages/runtime', ['packages/liveness', 'packages/acp', 'packages/db']),
    only('api-sees-runtime', 'packages/api', ['packages/runtime']),
    only('client-sees-api', 'packages/client', ['packages/api']),
    only('ui-sees-no-package', 'packages/ui', []),
    {
      name: 'e2e-sees-client',
      comment: 'Browser tests are black boxes.',
      severity: 'error',
      from: { path: '^e2e/' },
      to: { path: '^(packages|apps)/', pathNot: '^packages/client/' },
    },
    only('web-sees-client-and-ui', 'apps/web', ['packages/client', 'packages/ui']),
    {
      name: 'client-takes-only-types-from-api',
      severity: 'error',
      from: { path: '^packages/client/', pathNot: TESTS },
      to: { path: '^packages/api/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-package-imports-an-app',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^apps/' },
    },
    {
      name: 'tests-are-not-imported',
      severity: 'error',
      from: { pathNot: '\\.test\\.tsx?$|\\.spec\\.ts$|/(test|bench)/' },
      to: { path: '\\.test\\.tsx?$|\\.spec\\.ts$|^packages/[^/]+/test/' },
    },
    { name: 'no-undeclared', severity: 'error', from: {}, to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] } },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|\\.next[^/]*|coverage|migrations|fixtures|recordings)/|next-env\\.d\\.ts$|\\.css$' },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'node', 'default', 'require'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.cjs', '.json', '.d.ts'],
    },
  },
};
