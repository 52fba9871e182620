import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { ScratchRepository } from './support/scratch-repository.js';

interface Result {
  readonly file: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped?: number;
}

/**
 * Stands in for npm: tests end as told, those on the oldest PostgreSQL have no results, nor have those through the pooler unless
 * told, and every other script succeeds.
 */
const NPM = `#!/usr/bin/env node
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const args = process.argv.slice(2);
const [script] = args.filter((arg) => /^test(:|$)/.test(arg));
if (!script) process.exit(args.includes(process.env.BROKEN_CHECK) ? 1 : 0);
if (args.includes('--runTestsByPath')) {
  console.log('Alone: ' + script);
  process.exit(Number(process.env.ALONE));
}
if (process.env.RESULTS === 'none' && script === 'test') process.exit(1);
const given = { test: process.env.RESULTS, 'test:pooler': process.env.POOLED };
const results = JSON.parse(given[script] ?? '[]');
const sum = (name) => results.reduce((total, result) => total + (result[name] ?? 0), 0);
const report = args.find((arg) => arg.startsWith('--outputFile=')).split('=')[1];
writeFileSync(report, JSON.stringify({
  numPassedTests: sum('passed'),
  numPendingTests: sum('skipped'),
  testResults: results.map(({ file, passed, failed }) => ({
    name: join(process.cwd(), file),
    status: failed ? 'failed' : 'passed',
    assertionResults: [...Array(passed).fill({ status: 'passed' }), ...Array(failed).fill({ status: 'failed' })],
  })),
}));
process.exit(sum('failed') || (process.env.STATUS === '1' && script === 'test') ? 1 : 0);
`;

describe('what continuous integration runs', () => {
  let repository: ScratchRepository;

  beforeAll(async () => {
    repository = await ScratchRepository.build([]);
    await cp('.ci', join(repository.folder, '.ci'), { recursive: true });
    for (const [name, script] of [
      ['npm', NPM],
      ['chromium', '#!/bin/sh\n'],
      ['pgbouncer', '#!/bin/sh\n'],
    ] as const) {
      await repository.write(`bin/${name}`, script);
      await chmod(join(repository.folder, 'bin', name), 0o755);
    }
  });
  afterAll(() => repository.tearDown());

  /** @param environment ALONE: exit status of files that run alone; STATUS: 1 when npm fails though the tests passed */
  async function run(results: readonly Result[] | 'none', environment: Record<string, string> = {}) {
    const path = [join(repository.folder, 'bin'), dirname(process.execPath), process.env.PATH].join(
      delimiter,
    );
    const child = spawn('bash', [join(repository.folder, '.ci/run')], {
      env: {
        PATH: path,
        RESULTS: results === 'none' ? results : JSON.stringify(results),
        ALONE: '0',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [status] = (await once(child, 'close')) as [number | null];
    return { status, last: output.trimEnd().split('\n').at(-1), output };
  }

  const unit = { file: 'src/a.spec.ts', passed: 5, failed: 0 };
  const slow = { file: 'test/e2e/slow.e2e-spec.ts', passed: 3, failed: 2 };
  const others = ['b', 'c', 'd'].map((name) => ({ file: `src/${name}.spec.ts`, passed: 0, failed: 1 }));

  it('counts the tests and the checks', async () => {
    expect(await run([unit])).toMatchObject({ status: 0, last: '13 passed, 0 failed' });
    expect(await run([{ ...unit, skipped: 2 }])).toMatchObject({
      status: 0,
      last: '13 passed, 0 failed, 2 skipped',
    });
  });

  it('counts a flaky file separately, and names it before the last line', async () => {
    const { output, ...end } = await run([unit, slow]);
    expect(end).toEqual({ status: 0, last: '16 passed, 0 failed' });
    expect(output.trimEnd().split('\n').at(-2)).toBe(
      'Flaky, neither passed nor failed: 2 of test/e2e/slow.e2e-spec.ts, which passed alone. Find the race and fix it.',
    );
  });

  it('does not count a file as flaky that fails again', async () => {
    const { output, ...end } = await run([unit, slow], { ALONE: '1' });
    expect(end).toEqual({ status: 1, last: '16 passed, 2 failed' });
    expect(output).not.toContain('Flaky');
  });

  it('counts tests through the pooler, and runs a failed file once more through the pooler', async () => {
    const { output, ...end } = await run([unit], { POOLED: JSON.stringify([slow]) });
    expect(end).toEqual({ status: 0, last: '16 passed, 0 failed' });
    expect(output.match(/^Alone: .*/gm)).toEqual(['Alone: test:pooler']);
  });

  it('repeats nothing when many files failed', async () => {
    const { output, ...end } = await run([slow, ...others]);
    expect(end).toEqual({ status: 1, last: '11 passed, 5 failed' });
    expect(output).not.toContain('Once more');
  });

  it('fails when the tests did not run, when npm fails without a failed test, and when a check fails', async () => {
    expect(await run('none')).toMatchObject({ status: 1, last: '8 passed, 1 failed' });
    expect(await run([unit], { STATUS: '1' })).toMatchObject({ status: 1, last: '13 passed, 1 failed' });
    const broken = { BROKEN_CHECK: 'check:dead' };
    expect(await run([unit], broken)).toMatchObject({ status: 1, last: '12 passed, 1 failed' });
  });
});
