import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * What .ci/run reads of Jest's JSON report, in one line: passed, failed, skipped, then the files that failed. A file that
 * could not run counts as one failure.
 */
const report = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const failures = report.testResults.filter(({ status }) => status === 'failed');
const failed = failures.reduce((sum, { assertionResults }) => {
  return sum + Math.max(1, assertionResults.filter(({ status }) => status === 'failed').length);
}, 0);
const files = failures.map(({ name }) => relative(process.cwd(), name));
console.log([report.numPassedTests, failed, report.numPendingTests ?? 0, ...files].join(' '));
