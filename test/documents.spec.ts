import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const read = (path: string): string => readFileSync(path, 'utf8');
const countWords = (text: string): number => text.split(/\s+/).filter(Boolean).length;

const folder = 'docs/decisions';
const records = readdirSync(folder).filter((name) => name !== 'README.md');
const documents = [
  'README.md',
  'sandbox/README.md',
  'deploy/kubernetes/README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

it('README.md has at most 160 lines and 1 000 words', () => {
  const text = read('README.md');
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(160);
  expect(countWords(text)).toBeLessThanOrEqual(1000);
});

describe('decision records', () => {
  it('are at most 40, numbered, and listed in their index', () => {
    const numbers = records.map((name) => /^(\d{4})-[a-z-]+\.md$/.exec(name)?.[1]);
    const index = read(join(folder, 'README.md'));
    expect(records.length).toBeGreaterThan(30);
    expect(records.length).toBeLessThanOrEqual(40);
    expect(numbers).not.toContain(undefined);
    expect(new Set(numbers).size).toBe(records.length);
    expect(records.filter((name) => !index.includes(`(${name})`))).toEqual([]);
  });

  it.each(records)('%s has at most 300 words and states context, options, choice and consequence', (name) => {
    const text = read(join(folder, name));
    expect(countWords(text)).toBeLessThanOrEqual(300);
    expect([...text.matchAll(/^\*\*(\w+)\.\*\*/gm)].map(([, part]) => part)).toEqual([
      'Context',
      'Options',
      'Choice',
      'Consequence',
    ]);
  });
});

describe('links of the documentation', () => {
  it.each(documents)('%s names only files that exist', (document) => {
    const links = [...read(document).matchAll(/\]\(([^)#\s]+)/g)].map(([, link = '']) => link);
    const local = links.filter((link) => !/^[a-z]+:/.test(link));
    expect(local.filter((link) => !existsSync(join(dirname(document), link)))).toEqual([]);
  });

  it('the code names only documents that exist', () => {
    const named = ['src', 'libs', 'local', 'sandbox', 'bench', 'test'].flatMap((top) =>
      readdirSync(top, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => join(top, name))
        .flatMap((file) =>
          [...read(file).matchAll(/\bdocs\/[\w./-]+\.md/g)].map(([path]) => ({ file, path })),
        ),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(({ path }) => !existsSync(path))).toEqual([]);
  });
});
