// Reads the JSON reports of the test runners. A runner that crashed, or wrote no report, counts as one failure.
import { existsSync, readFileSync } from 'node:fs';

function read(file) {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** An exit code says that something failed which no counted test did: an unhandled error, a hook, a crash. */
function atLeastOne(counts, code) {
  return code === 0 || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}

export function vitestCounts(file, code) {
  const report = read(file);
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  );
  const counts = {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
  const none = counts.passed + counts.failed + counts.skipped === 0;
  return none ? { ...counts, failed: 1 } : atLeastOne(counts, code);
}

export function playwrightCounts(file, code) {
  const report = read(file);
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const { expected, unexpected, flaky, skipped } = report.stats;
  const counts = { passed: expected + flaky, failed: unexpected, skipped };
  const none = expected + unexpected + flaky + skipped === 0;
  return none ? { ...counts, failed: 1 } : atLeastOne(counts, code);
}
