import { jest } from '@jest/globals';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  contactManagement,
  CREDENTIALS,
  namedOnly,
  socialPublishing,
  statedOperations,
  statusesToReach,
} from './support/stated-operations.js';

interface Reporter {
  isWholeRun(globalConfig: object, contexts: Iterable<object>, results: object): boolean;
  default: new (globalConfig: object) => {
    onRunComplete(contexts: object[], results: object): Promise<void>;
  };
}

const whole = { testPathPatterns: { patterns: [] } };
const contexts = ['unit', 'integration', 'e2e', 'chaos'].map((name) => ({
  config: { displayName: { name } },
}));

describe('the operations of documents 1 and 2', () => {
  interface Documented {
    readonly responses: Readonly<Record<string, unknown>>;
    readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  }

  let documented: Readonly<Record<string, Readonly<Record<string, Documented>>>>;
  beforeAll(async () => {
    const text = await readFile('docs/openapi/business-api.json', 'utf8');
    documented = (JSON.parse(text) as { paths: typeof documented }).paths;
  });

  it('are all in the table: 24 and three further ones, 23, and seven named without a path', () => {
    expect([socialPublishing, contactManagement, namedOnly].map(({ length }) => length)).toEqual([27, 23, 7]);
    const names = new Set(statedOperations.map(([method, path]) => `${method} ${path}`));
    // Both documents state GET /health.
    expect(names.size).toBe(56);
  });

  it.each(statedOperations)(
    '%s %s is documented with %s and each of %j',
    (method, path, credentials, statuses) => {
      const operation = documented[path]?.[method.toLowerCase()];
      const schemes = CREDENTIALS[credentials];
      if (!schemes) return expect(operation).toBeUndefined();
      const { responses = {}, security } = operation ?? {};
      expect(Object.keys(responses).map(Number)).toEqual(expect.arrayContaining([...statuses]));
      // One of the schemes, each without scopes.
      expect(security).toEqual(schemes.map((scheme) => ({ [scheme]: [] })));
    },
  );
});

describe('the check of tested statuses after a whole run', () => {
  let reporter: Reporter;
  beforeAll(async () => {
    reporter = await import(pathToFileURL(join('test', 'runner', 'stated-statuses-reporter.mjs')).href);
  });

  const counts = () => ({
    testResults: [] as { testResults: { title: string; status: string }[] }[],
    ...{ numTotalTestSuites: 0, numTotalTests: 0, numPassedTests: 0, numFailedTests: 0 },
    ...{ numPassedTestSuites: 0, numFailedTestSuites: 0, wasInterrupted: false },
  });

  /** @param reached what two workers noted */
  async function complete(reached: readonly string[], globalConfig: object = whole) {
    const { REACHED_STATUSES: outer } = process.env;
    const printed = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    try {
      const one = new reporter.default(globalConfig);
      const half = Math.ceil(reached.length / 2);
      for (const [worker, lines] of [reached.slice(0, half), reached.slice(half)].entries())
        await writeFile(join(process.env.REACHED_STATUSES ?? '', `${worker}`), `${lines.join('\n')}\n`);
      const results = counts();
      await one.onRunComplete(contexts, results);
      return { results, printed: printed.mock.calls.join('') };
    } finally {
      if (outer === undefined) delete process.env.REACHED_STATUSES;
      else process.env.REACHED_STATUSES = outer;
      printed.mockRestore();
    }
  }

  it('passes when tests reached all of them', async () => {
    const { results, printed } = await complete(statusesToReach);
    expect(results).toMatchObject({ numFailedTests: 0, numPassedTests: statusesToReach.length });
    expect(printed).toBe('');
  });

  it.each(statusesToReach.filter((_, index) => index % 20 === 0))(
    'fails when no test reached %s',
    async (missing) => {
      const { results, printed } = await complete(statusesToReach.filter((line) => line !== missing));
      expect(results).toMatchObject({ numFailedTests: 1, numFailedTestSuites: 1 });
      const [file] = results.testResults;
      expect(file?.testResults.filter(({ status }) => status === 'failed')).toMatchObject([
        { title: missing },
      ]);
      expect(printed).toContain(`No test made the business API answer ${missing}.`);
    },
  );

  it.each([
    ['of one path', { testPathPatterns: { patterns: ['posts'] } }],
    ['of one name', { ...whole, testNamePattern: 'x' }],
    ['of a shard', { ...whole, shard: { shardIndex: 1, shardCount: 2 } }],
    ['of what changed', { ...whole, onlyChanged: true }],
  ])('reports nothing after a run %s', async (_, globalConfig) => {
    expect((await complete([], globalConfig)).results).toEqual(counts());
  });

  it('reports nothing after a partial or interrupted run', () => {
    expect(reporter.isWholeRun(whole, contexts, counts())).toBe(true);
    expect(reporter.isWholeRun(whole, contexts.slice(1), counts())).toBe(false);
    expect(reporter.isWholeRun(whole, contexts, { ...counts(), wasInterrupted: true })).toBe(false);
  });
});
