import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const [introduction = '', ...sections] = readFileSync('docs/structure.md', 'utf8').split(/^## /m);
/** Paths or names in the first column of the tables of a section. */
const firstColumn = (text: string): string[] =>
  [...text.matchAll(/^\| `([^`]+?)\/?`/gm)].map(([, name = '']) => name);

const [general = '', ...tables] = sections;
/** Folder names with one meaning in every feature or lib. */
const names = new Set(firstColumn(general));
const paths = new Set(tables.flatMap(firstColumn));

const foldersIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name));

/** All folders below `top` with at least one source file, at every depth. */
const sourceFolders = (top: string): string[] => [
  ...new Set(
    readdirSync(top, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => dirname(join(top, path))),
  ),
];

/** A general name does not describe a feature or lib itself, such as `libs/http`. */
const isNamed = (folder: string): boolean =>
  paths.has(folder) || (folder.split('/').length > 2 && names.has(basename(folder)));
const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

describe('docs/structure.md', () => {
  it.each(['src', 'libs', 'local', 'sandbox', 'test', 'bench', 'scripts', 'deploy'])(
    'names each folder of %s',
    (top) => {
      const folders = foldersIn(top);
      expect(folders.length).toBeGreaterThan(0);
      expect(folders.filter((folder) => !paths.has(folder))).toEqual([]);
    },
  );

  it.each(['src', 'libs', 'local', 'sandbox'])(
    'names each folder of %s with source files, at every depth',
    (top) => {
      const folders = sourceFolders(top);
      expect(folders.length).toBeGreaterThan(5);
      expect(folders.filter((folder) => !isNamed(folder))).toEqual([]);
    },
  );

  it('names only folders that exist', () => {
    expect(introduction).toContain('One line per folder');
    expect([...paths].filter((path) => !isFolder(path))).toEqual([]);
    const used = new Set(
      ['src', 'libs', 'local', 'sandbox'].flatMap(sourceFolders).flatMap((path) => path.split('/')),
    );
    expect([...names].filter((name) => !used.has(name))).toEqual([]);
  });

  it('finds a folder that is not named', () => {
    const unnamed = ['src/novelties', 'src/posts/novelties', 'libs/http/src/novelties', 'src/http'];
    expect(unnamed.filter(isNamed)).toEqual([]);
  });
});
