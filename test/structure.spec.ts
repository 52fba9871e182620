import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const page = readFileSync('docs/structure.md', 'utf8');
/** Paths and names in the first column of its tables. */
const named = new Set([...page.matchAll(/^\| `([^`]+?)\/?`/gm)].map(([, name = '']) => name));

const foldersIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name));

const nameOf = (folder: string): string => folder.split('/').at(-1) ?? '';
const isNamed = (folder: string): boolean => named.has(folder) || named.has(nameOf(folder));

describe('docs/structure.md', () => {
  it.each(['src', 'libs', 'test', 'bench', 'scripts', 'deploy'])('names each folder of %s', (top) => {
    const folders = foldersIn(top);
    expect(folders.length).toBeGreaterThan(0);
    expect(folders.filter((folder) => !named.has(folder))).toEqual([]);
  });

  it('names each folder of a feature, of the sandbox and of the embedded start', () => {
    const folders = foldersIn('src')
      .filter((folder) => folder !== 'src/platform')
      .flatMap(foldersIn);
    expect(folders.length).toBeGreaterThan(20);
    expect(folders.filter((folder) => !isNamed(folder))).toEqual([]);
  });

  it('finds a folder that is not named', () => {
    expect(['src/novelties', 'src/posts/novelties'].filter(isNamed)).toEqual([]);
  });
});
