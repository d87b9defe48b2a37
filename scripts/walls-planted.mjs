// A scratch workspace that breaks every wall once, for the self-test of scripts/walls.mjs.

const packages = ['acp', 'api', 'client', 'db', 'liveness', 'mock-agent', 'runtime', 'ui'];
const thing = 'export const thing = 1;\nexport type Thing = number;\n';
const take = (path) => `import { thing } from '${path}';\nexport const used = thing;\n`;
const takeType = (path) => `import type { Thing } from '${path}';\nexport type Used = Thing;\n`;

/** path → text and, where it breaks walls, which. */
const planted = {
  // The pure core.
  'packages/liveness/src/attestation.ts': [thing],
  'packages/liveness/src/tracker.ts': [take('./outbox.ts')],
  'packages/liveness/src/outbox.ts': [thing],
  'packages/liveness/src/decide.ts': [takeType('./tracker.ts'), 'liveness-shell-on-top'],
  'packages/liveness/src/clock.ts': [
    "import { hrtime } from 'node:process';\nexport const now = hrtime;\n",
    'liveness-imports-nothing',
  ],
  'packages/liveness/src/greedy.ts': [takeType('@vigil/db'), 'liveness-imports-nothing'],
  'packages/liveness/src/decide.test.ts': [take('./tracker.ts')],
  'packages/liveness/test/fake.ts': [take('@vigil/acp'), 'liveness-tests-import-only-test-tools'],
  'packages/liveness/src/ring-a.ts': ["export { b } from './ring-b.ts';\nexport const a = 1;\n", 'no-cycles'],
  'packages/liveness/src/ring-b.ts': ["export { a } from './ring-a.ts';\nexport const b = 1;\n"],
  // Attestation.
  'packages/acp/src/adapters/claude-v1.ts': [takeType('@vigil/liveness/attestation')],
  'packages/acp/src/adapters/codex.ts': [takeType('@vigil/liveness/attestation'), 'attestation-is-an-import-right'],
  'packages/acp/src/adapters/generic.ts': [take('@vigil/liveness/attestation'), 'attestation-is-an-import-right'],
  'packages/runtime/src/attest.ts': [take('@vigil/liveness/attestation'), 'attestation-is-an-import-right'],
  // Front doors.
  'packages/runtime/src/deep.ts': [
    take('../../acp/src/adapters/codex.ts'),
    'front-doors',
    'no-relative-way-into-a-package',
  ],
  'packages/runtime/src/beside.ts': [take('../../db/src/index.ts'), 'no-relative-way-into-a-package'],
  'packages/runtime/src/closed.ts': [take('@vigil/liveness/src/tracker.ts'), 'no-unresolvable'],
  'packages/runtime/src/foreign.ts': [take('nowhere-to-be-found'), 'no-unresolvable'],
  'packages/runtime/src/undeclared.ts': [take('undeclared'), 'no-undeclared'],
  'node_modules/undeclared/package.json': ['{ "name": "undeclared", "main": "index.js" }'],
  'node_modules/undeclared/index.js': ['exports.thing = 1;\n'],
  // Who sees whom.
  'packages/acp/src/reach.ts': [take('@vigil/db'), 'acp-sees-liveness'],
  'packages/acp/src/drive.test.ts': [take('@vigil/mock-agent')],
  'packages/db/src/reach.ts': [takeType('@vigil/liveness'), 'db-sees-no-package'],
  'packages/mock-agent/src/cheat.ts': [takeType('@vigil/liveness'), 'mock-agent-sees-no-package'],
  'packages/runtime/src/reach.ts': [take('@vigil/api'), 'runtime-sees-liveness-acp-db'],
  'packages/runtime/src/fine.ts': [take('@vigil/db')],
  'packages/api/src/reach.ts': [take('@vigil/db'), 'api-sees-runtime'],
  'packages/client/src/reach.ts': [takeType('@vigil/runtime'), 'client-sees-api'],
  'packages/client/src/links.ts': [takeType('@vigil/api')],
  'packages/client/src/values.ts': [take('@vigil/api'), 'client-takes-only-types-from-api'],
  'packages/ui/src/reach.ts': [takeType('@vigil/client'), 'ui-sees-no-package'],
  'packages/ui/src/app.ts': [take('../../../apps/web/src/page.ts'), 'no-package-imports-an-app'],
  'packages/db/src/tested.ts': [take('./tested.test.ts'), 'tests-are-not-imported'],
  'packages/db/src/tested.test.ts': [thing],
  'apps/web/src/page.ts': [thing],
  'apps/web/src/board.ts': [take('@vigil/client')],
  'apps/web/src/reach.ts': [takeType('@vigil/api'), 'web-sees-client-and-ui'],
  'apps/server/src/main.ts': [take('@vigil/runtime')],
  'e2e/board.spec.ts': [take('@vigil/client')],
  'e2e/reach.spec.ts': [take('@vigil/runtime'), 'e2e-sees-client'],
};

const manifest = (name, exports = {}) => JSON.stringify({ name, type: 'module', exports });
const files = {
  'package.json': manifest('scratch'),
  'apps/web/package.json': manifest('@vigil/web'),
  'apps/server/package.json': manifest('@vigil/server'),
  'e2e/package.json': manifest('@vigil/e2e'),
};
for (const name of packages) {
  const exports = { '.': './src/index.ts', ...(name === 'liveness' && { './attestation': './src/attestation.ts' }) };
  files[`packages/${name}/package.json`] = manifest(`@vigil/${name}`, exports);
  files[`packages/${name}/src/index.ts`] = thing;
}
for (const [path, [text]] of Object.entries(planted)) files[path] = text;

export const PLANTED = {
  packages,
  files,
  /** `rule path` that must be reported. */
  violations: Object.entries(planted).flatMap(([path, [, ...rules]]) => rules.map((rule) => `${rule} ${path}`)),
  /** Paths of which nothing may be reported. */
  allowed: Object.keys(planted).filter((path) => planted[path].length === 1 && !path.endsWith('ring-b.ts')),
};
