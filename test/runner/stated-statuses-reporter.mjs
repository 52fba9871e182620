import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { importTypescript } from './load-typescript.mjs';

const KINDS = ['unit', 'integration', 'e2e', 'chaos'];
const TABLE = resolve(import.meta.dirname, '../support/stated-operations.ts');

/**
 * After a run of all tests: one more test for each status of each operation that documents 1 and 2 state. It passes when
 * some test made the business API answer so. Workers note what they see, see test/support/reached-statuses.ts. A run of a
 * part of the tests says nothing about it.
 */
export default class StatedStatusesReporter {
  constructor(globalConfig) {
    this.globalConfig = globalConfig;
    this.folder = mkdtempSync(join(tmpdir(), 'reached-statuses-'));
    process.env.REACHED_STATUSES = this.folder;
  }

  async onRunComplete(contexts, results) {
    const files = readdirSync(this.folder).map((file) => readFileSync(join(this.folder, file), 'utf8'));
    rmSync(this.folder, { recursive: true, force: true });
    if (!isWholeRun(this.globalConfig, contexts, results)) return;
    const reached = new Set(files.flatMap((text) => text.split('\n')));
    const { statusesToReach } = await importTypescript(TABLE);
    const result = fileResult(statusesToReach, reached);
    if (result.failureMessage) process.stderr.write(`FAIL ${result.failureMessage}\n`);
    add(results, result);
  }
}

/** Whether nothing was left out: by path, name, kind, shard, what changed, or an interruption. */
export function isWholeRun(globalConfig, contexts, results) {
  const { testPathPatterns, testNamePattern, onlyChanged, onlyFailures, findRelatedTests, shard } =
    globalConfig;
  const isPart = [testNamePattern, onlyChanged, onlyFailures, findRelatedTests, shard].some(Boolean);
  const kinds = new Set([...contexts].map(({ config }) => config.displayName?.name));
  const hasAll = KINDS.every((kind) => kinds.has(kind)) && (testPathPatterns?.patterns.length ?? 0) === 0;
  return hasAll && !isPart && !results.wasInterrupted;
}

/** As the result of a test file, of which each line is a test. */
export function fileResult(lines, reached) {
  const testResults = lines.map((title) => ({
    title,
    fullName: `a test reaches ${title}`,
    ancestorTitles: ['a test reaches'],
    status: reached.has(title) ? 'passed' : 'failed',
    failureMessages: reached.has(title) ? [] : [`No test made the business API answer ${title}.`],
    failureDetails: [],
    numPassingAsserts: 1,
    duration: 0,
    location: null,
  }));
  const messages = testResults.flatMap(({ failureMessages }) => failureMessages);
  return {
    testFilePath: TABLE,
    testResults,
    failureMessage: messages.length > 0 ? ['stated statuses', ...messages].join('\n  ● ') : undefined,
    numFailingTests: messages.length,
    numPassingTests: lines.length - messages.length,
    numPendingTests: 0,
    numTodoTests: 0,
    openHandles: [],
    perfStats: { start: 0, end: 0, runtime: 0, slow: false },
    skipped: false,
    leaks: false,
    snapshot: {
      added: 0,
      fileDeleted: false,
      matched: 0,
      unchecked: 0,
      uncheckedKeys: [],
      unmatched: 0,
      updated: 0,
    },
  };
}

function add(results, result) {
  results.testResults.push(result);
  results.numTotalTestSuites += 1;
  results.numTotalTests += result.testResults.length;
  results.numPassedTests += result.numPassingTests;
  results.numFailedTests += result.numFailingTests;
  if (result.numFailingTests > 0) results.numFailedTestSuites += 1;
  else results.numPassedTestSuites += 1;
}
