import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * What .ci/run reads of Jest's JSON report, in one line: passed, failed, skipped, then each file that failed as
 * `failures:file`. A file that could not run counts as one failure.
 */
const report = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const files = report.testResults
  .filter(({ status }) => status === 'failed')
  .map(({ name, assertionResults }) => ({
    name: relative(process.cwd(), name),
    failures: Math.max(1, assertionResults.filter(({ status }) => status === 'failed').length),
  }));
const failed = files.reduce((sum, { failures }) => sum + failures, 0);
const named = files.map(({ name, failures }) => `${failures}:${name}`);
console.log([report.numPassedTests, failed, report.numPendingTests ?? 0, ...named].join(' '));
