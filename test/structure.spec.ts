import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const [, general = '', ...tables] = readFileSync('docs/structure.md', 'utf8').split(/^## /m);
/** Paths or names in the first column of the tables of a section. */
const firstColumn = (text: string): string[] =>
  [...text.matchAll(/^\| `([^`]+?)\/?`/gm)].map(([, name = '']) => name);

/** Folder names with one meaning in every feature or lib. */
const names = firstColumn(general);
const paths = new Set(tables.flatMap(firstColumn));
const ignored = new Set(['.git', ...readFileSync('.gitignore', 'utf8').split(/\/?\n/)]);

const foldersIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !ignored.has(entry.name))
    .map(({ name }) => join(folder, name));
const unnamed = (folders: readonly string[]): string[] => folders.filter((folder) => !paths.has(folder));
const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

describe('docs/structure.md', () => {
  it.each(['.', 'src', 'src/platform', 'libs', 'test'])('names each folder of %s', (top) => {
    const folders = foldersIn(top);
    expect(folders.length).toBeGreaterThan(1);
    expect(unnamed(folders)).toEqual([]);
  });

  it('names only folders that exist', () => {
    expect(paths.size).toBeGreaterThan(40);
    expect([...paths].filter((path) => !isFolder(path))).toEqual([]);
    const used = new Set(
      ['src', 'libs']
        .flatMap((top) =>
          readdirSync(top, { recursive: true, encoding: 'utf8' }).map((path) => join(top, path)),
        )
        .filter((path) => path.endsWith('.ts'))
        .flatMap((path) => path.split('/')),
    );
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !used.has(name))).toEqual([]);
  });

  it('fits on a page', () => {
    expect(readFileSync('docs/structure.md', 'utf8').split('\n').length).toBeLessThanOrEqual(110);
  });

  it('finds a folder that is not named', () => {
    expect(unnamed(['src/novelties', 'libs/novelties', 'src/posts'])).toEqual([
      'src/novelties',
      'libs/novelties',
    ]);
  });
});

describe('.ci/run', () => {
  it('names only files that exist', () => {
    const named = readFileSync('.ci/run', 'utf8').match(/test\/[\w/.-]+\.ts/g) ?? [];
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((path) => !statSync(path, { throwIfNoEntry: false })?.isFile())).toEqual([]);
  });
});
