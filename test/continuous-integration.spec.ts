import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { ModelHouse } from './support/model-house.js';

interface Result {
  readonly file: string;
  readonly passed: number;
  readonly failed: number;
}

/** Stands in for npm: the tests end as told, every other script succeeds. */
const NPM = `#!/usr/bin/env node
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const args = process.argv.slice(2);
if (args[0] !== 'test') process.exit(0);
if (args.includes('--runTestsByPath')) process.exit(Number(process.env.ALONE));
const results = JSON.parse(process.env.RESULTS);
const sum = (name) => results.reduce((total, result) => total + result[name], 0);
const report = args.find((arg) => arg.startsWith('--outputFile=')).split('=')[1];
writeFileSync(report, JSON.stringify({
  numPassedTests: sum('passed'),
  testResults: results.map(({ file, passed, failed }) => ({
    name: join(process.cwd(), file),
    status: failed ? 'failed' : 'passed',
    assertionResults: [...Array(passed).fill({ status: 'passed' }), ...Array(failed).fill({ status: 'failed' })],
  })),
}));
process.exit(sum('failed') ? 1 : 0);
`;

describe('what continuous integration runs', () => {
  let house: ModelHouse;

  beforeAll(async () => {
    house = await ModelHouse.build([]);
    await cp('.ci', join(house.folder, '.ci'), { recursive: true });
    for (const [name, script] of [
      ['npm', NPM],
      ['chromium', '#!/bin/sh\n'],
    ] as const) {
      await house.write(`bin/${name}`, script);
      await chmod(join(house.folder, 'bin', name), 0o755);
    }
  });
  afterAll(() => house.tearDown());

  /** @param alone whether the second try, of the failed files alone, passes */
  async function run(results: readonly Result[], alone = true) {
    const path = [join(house.folder, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter);
    const child = spawn('bash', [join(house.folder, '.ci/run')], {
      env: { PATH: path, RESULTS: JSON.stringify(results), ALONE: alone ? '0' : '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [status] = (await once(child, 'close')) as [number | null];
    return { status, last: output.trimEnd().split('\n').at(-1), output };
  }

  const unit = { file: 'src/a.spec.ts', passed: 5, failed: 0 };
  const slow = { file: 'test/e2e/slow.e2e-spec.ts', passed: 3, failed: 2 };
  const chaos = { file: 'test/chaos/killed.chaos-spec.ts', passed: 1, failed: 1 };

  it('counts the tests and the five checks', async () => {
    expect(await run([unit])).toMatchObject({ status: 0, last: '10 passed, 0 failed' });
  });

  it('lets few files that failed pass alone, and names them', async () => {
    const { output, ...end } = await run([unit, slow]);
    expect(end).toEqual({ status: 0, last: '15 passed, 0 failed' });
    expect(output).toContain('Passed only when run alone: test/e2e/slow.e2e-spec.ts');
    expect(await run([unit, slow], false)).toMatchObject({ status: 1, last: '13 passed, 2 failed' });
  });

  it('has failed when a chaos test failed, whatever would pass alone', async () => {
    const { output, ...end } = await run([unit, slow, chaos]);
    expect(end).toEqual({ status: 1, last: '14 passed, 3 failed' });
    expect(output).not.toContain('Once more');
  });
});
