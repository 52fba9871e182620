import { execFile, spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';

const versionOf = (node: string) => spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim() ?? '';

/** The machine's own Node, where it is too old for the product. */
const oldNode = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .map((folder) => join(folder, 'node'))
  .find((node) => /^v(1\d|2[0-3])\./.test(versionOf(node)));

const run = (entry: string) =>
  new Promise<{ code: unknown; output: string; complaints: string }>((resolve) => {
    execFile(oldNode ?? '', [`dist/${entry}.js`], { env: {} }, (error, output, complaints) =>
      resolve({ code: error?.code, output, complaints }),
    );
  });

const ENTRIES = [
  ...['src/main', 'src/worker', 'src/operator/main', 'src/platform/identity/main'],
  ...['local/main', 'local/operator', 'sandbox/main'],
];

describe('an entry of the build on a Node that is too old', () => {
  if (!oldNode) {
    it.skip('is not tested: PATH holds no Node before 24', () => undefined);
    return;
  }

  it.each(ENTRIES)('%s names the version of Node that it needs', async (entry) => {
    const sentence = `Node 24.16 or newer is needed; this is Node ${versionOf(oldNode).slice(1)}.`;
    const { code, output, complaints } = await run(entry);
    expect([code, output]).toEqual([1, '']);
    expect(complaints).toMatch(sentence);
    expect(complaints.trimEnd().split('\n')).toHaveLength(1);
  });
});
