import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const JEST = 'node_modules/jest/bin/jest.js';

describe('The script of one kind of test', () => {
  it.each([
    ['test:unit', 'brand.spec', /src\/brands\/domain\/brand\.spec\.ts$/],
    ['test:int', 'database.int', /test\/integration\/database\.int-spec\.ts$/],
    ['test:e2e', 'brands', /test\/e2e\/brands\.e2e-spec\.ts$/],
    ['test:chaos', 'failover', /test\/chaos\/failover\.chaos-spec\.ts$/],
  ])('%s runs only the files that a word names: %s', async (name, word, file) => {
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as {
      scripts: Record<string, string>;
    };
    const [npm, test, separator, ...args] = scripts[name]?.split(' ') ?? [];
    expect([npm, test, separator]).toEqual(['npm', 'test', '--']);
    const { stdout } = await run(process.execPath, [JEST, '--listTests', ...args, word]);
    const files = stdout.split('\n').filter((line) => line.endsWith('.ts'));
    expect(files).toEqual([expect.stringMatching(file)]);
  });
});
