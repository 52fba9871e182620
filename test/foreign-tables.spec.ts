import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { promisify } from 'node:util';
import { ScratchRepository } from './support/scratch-repository.js';

const MIGRATION = `
  const UP = [\`CREATE TABLE brands.brand_view (id uuid)\`, \`CREATE VIEW brands.brand_owner AS SELECT 1\`];`;

describe('the check of tables named in SQL', () => {
  let copy: ScratchRepository;

  beforeEach(async () => {
    copy = await ScratchRepository.build(['.dependency-cruiser.features.cjs']);
    await cp('scripts/check-sql.mjs', `${copy.folder}/scripts/check-sql.mjs`, { recursive: true });
    await copy.write('src/brands/migrations/1-brands.ts', MIGRATION);
  });
  afterEach(() => copy.tearDown());

  const problemsOf = async (file: string, source: string): Promise<string> => {
    await copy.write(file, source);
    const run = promisify(execFile)(process.execPath, ['scripts/check-sql.mjs'], { cwd: copy.folder });
    const { stdout, stderr } = await run.catch((error: { stdout: string; stderr: string }) => error);
    return `${stdout}${stderr}`.trimEnd();
  };

  it.each([
    ['a feature and its own table', 'src/brands/a.ts', "'SELECT FROM brands.brand_view'"],
    [
      'a published view, in the direction of imports',
      'src/posts/a.ts',
      '`JOIN brands.brand_owner b ON ${x}`',
    ],
    ['a comment', 'src/posts/a.ts', '1; // brands.brand_view'],
    ['a value of the same name', 'src/posts/a.ts', 'brands.brand_view'],
    ['a migration, for foreign keys', 'src/posts/migrations/2.ts', "'REFERENCES brands.brand_view'"],
  ])('accepts %s', async (_, file, value) => {
    expect(await problemsOf(file, `const sql = ${value};`)).toBe(
      'No SQL names a table of another feature; 2 are known.',
    );
  });

  it.each([
    ['a table of another feature', 'posts', "'SELECT FROM brands.brand_view'", 'is a table of brands'],
    ['one in a template', 'posts', '`${a} JOIN brands.brand_view b ${c}`', 'is a table of brands'],
    ['one of a service', 'platform/identity', "'FROM brands.brand_view'", 'is a table of brands'],
    [
      'a write',
      'posts',
      "'UPDATE brands.brand_owner SET id = $1'",
      'belongs to brands. Only brands writes it.',
    ],
    ['the other direction', 'contacts', "'FROM brands.brand_owner'", 'which contacts may not import.'],
  ])('refuses %s', async (_, folder, value, problem) => {
    const found = await problemsOf(`src/${folder}/a.ts`, `const sql = ${value};`);
    expect(found).toContain(`src/${folder}/a.ts: brands.brand_`);
    expect(found).toContain(problem);
  });
});
