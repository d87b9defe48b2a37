// Everything that can be said about the code without running it. Each entry counts as one test.

import { checkHardCases } from './hard-cases.mjs';
import { checkLimits } from './limits.mjs';
import { capture, seconds } from './process.mjs';
import { checkSpecIds } from './spec-ids.mjs';
import { checkWalls, proveWalls } from './walls.mjs';

async function command(name, ...args) {
  const { code, output } = await capture(name, args);
  return { ok: code === 0, output };
}

const verdict = (problems, detail) => ({ ok: problems.length === 0, detail, output: problems.join('\n') });

const CHECKS = {
  types: () => command('turbo', 'run', 'typecheck', '--continue', '--concurrency=2', '--output-logs=errors-only'),
  lint: () => command('biome', 'check', '--error-on-warnings', '--max-diagnostics=100', '.'),
  walls: async () => {
    const { modules, problems } = await checkWalls();
    return verdict(problems, `${modules} modules read`);
  },
  'walls, proven': async () => {
    const { rules, problems } = await proveWalls();
    return verdict(problems, `${rules} planted violations are caught`);
  },
  limits: async () => {
    const { read, problems } = checkLimits();
    return verdict(problems, `${read} files`);
  },
  'spec ids': async () => {
    const { defined, untested, problems } = checkSpecIds();
    const silent = untested.length === 0 ? '' : `, ${untested.length} without a test: ${untested.join(' ')}`;
    return verdict(problems, `${defined.size} rules${silent}`);
  },
  'hard cases': async () => {
    const { cases, problems } = checkHardCases();
    return verdict(problems, `${cases} scripts`);
  },
};

const KNIP_LINES = 20;

/** Unused files, exports and dependencies. Told, not judged. */
async function knip() {
  const since = performance.now();
  const { code, output } = await capture('knip', ['--no-progress', '--no-config-hints']);
  const lines = output.trimEnd().split('\n');
  if (code === 0) console.log(`  note  unused code: none (${seconds(since)})`);
  else console.log(`  note  unused code, not judged (${seconds(since)}; all of it: pnpm exec knip)`);
  if (code !== 0) console.log(lines.slice(0, KNIP_LINES).join('\n').replace(/^/gm, '    '));
  if (lines.length > KNIP_LINES) console.log(`    … ${lines.length - KNIP_LINES} more lines`);
}

/** Runs all checks, also after one failed. */
export async function runCheckSteps(tally) {
  console.log('checks');
  for (const [name, check] of Object.entries(CHECKS)) await tally.step(name, check);
  await knip();
}
