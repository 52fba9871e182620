import { glob, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { allowedImports, brokenImports, folderCycle, neighbours } from './support/broken-imports.js';
import { brokenLines, impureLines } from './support/broken-lines.js';
import { KNOWN_PAIRS, parentPairs } from './support/parent-pairs.js';
import { ScratchRepository } from './support/scratch-repository.js';

interface CruiseResult {
  readonly summary: {
    readonly violations: readonly { readonly from: string; readonly rule: { readonly name: string } }[];
  };
}

const { forbidden } = createRequire(join(process.cwd(), 'package.json'))(
  join(process.cwd(), '.dependency-cruiser.cjs'),
) as {
  forbidden: readonly { readonly name: string }[];
};

const violationsIn = async (repository: ScratchRepository, config: string): Promise<ReadonlySet<string>> => {
  const tool = 'dependency-cruiser/bin/dependency-cruiser.mjs';
  const output = await repository.run(tool, [
    '--config',
    config,
    '--output-type',
    'json',
    'src',
    'libs',
    'local',
    'sandbox',
  ]);
  const { violations } = (JSON.parse(output) as CruiseResult).summary;
  return new Set(violations.map(({ rule, from }) => `${rule.name} in ${from}`));
};

describe('the import rules', () => {
  let repository: ScratchRepository;
  let found: ReadonlySet<string>;

  beforeAll(async () => {
    repository = await ScratchRepository.build([
      '.dependency-cruiser.cjs',
      '.dependency-cruiser.features.cjs',
      '.dependency-cruiser.folders.cjs',
      '.dependency-cruiser.resolve.cjs',
      'package.json',
      'tsconfig.json',
    ]);
    await repository.write('src/brands/other-half.ts', `import './circle.js';\nexport {};\n`);
    const lines = new Map(neighbours.map((file) => [file, ['export type Thing = string;']]));
    const add = (file: string, line: string) => lines.set(file, [...(lines.get(file) ?? []), line]);
    for (const [, from, target] of [...brokenImports, ...folderCycle.map((line) => ['', ...line] as const)])
      add(from, `import '${target}';`);
    for (const [from, statement] of allowedImports) add(from, statement);
    for (const [file, content] of lines) await repository.write(file, `${content.join('\n')}\nexport {};\n`);
    found = await violationsIn(repository, '.dependency-cruiser.cjs');
  });

  afterAll(() => repository.tearDown());

  it.each(brokenImports)('%s forbids %s to import %s', (rule, from) => {
    expect(found).toContain(`${rule} in ${from}`);
  });

  it.each(forbidden.map(({ name }) => name))('%s has been seen failing', (name) => {
    expect(brokenImports.map(([rule]) => rule)).toContain(name);
  });

  it.each(folderCycle)('no-folder-cycles forbids %s to import %s', async (from) => {
    const cycles = await violationsIn(repository, '.dependency-cruiser.folders.cjs');
    expect(cycles).toContain(`no-folder-cycles in ${dirname(from)}`);
    expect(cycles).not.toContain('no-folder-cycles in src/pipelines/http');
  });

  it('accepts allowed imports', () => {
    const broken = new Set(brokenImports.map(([, from]) => from));
    const withoutViolation = allowedImports.map(([from]) => from).filter((from) => !broken.has(from));
    expect(
      [...found].filter((violation) => withoutViolation.some((file) => violation.endsWith(` in ${file}`))),
    ).toEqual([]);
  });
});

interface LintResult {
  readonly filePath: string;
  readonly messages: readonly { readonly ruleId: string | null; readonly message: string }[];
}

/** As `eslint --print-config` says: a severity, then options. */
type Configured = readonly [severity: number, ...options: unknown[]];

/** An impure line in a domain folder, in a folder below one, and in a spec there, which may be impure. */
const impureFiles = (index: number): readonly string[] =>
  ['domain', 'csv/domain/rows', 'domain'].map(
    (folder, place) => `src/posts/${folder}/impure-${index}${place === 2 ? '.spec' : ''}.ts`,
  );

const PURE = `export const later = (at: string) => new Date(Math.max(0, Date.parse(at))).toISOString();\n`;

const namesIn = (printed: string): ReadonlySet<string> => {
  const { rules } = JSON.parse(printed) as { rules: Record<string, Configured> };
  const [, ...globals] = rules['no-restricted-globals'] ?? [];
  return new Set(globals.map((one) => (one as { name: string }).name));
};

describe('the lint rules', () => {
  let repository: ScratchRepository;
  let found: ReadonlyMap<string, readonly string[]>;
  let configured: ReadonlyMap<string, Configured>;
  let refusedGlobals: ReadonlySet<string>;

  beforeAll(async () => {
    repository = await ScratchRepository.build(['eslint.config.mjs', 'package.json', 'tsconfig.json']);
    await repository.write('src/shape.ts', 'export interface Shape {\n  readonly sides: number;\n}\n');
    for (const [index, [, code]] of brokenLines.entries())
      await repository.write(`src/broken-${index}.ts`, `${code}\n`);
    for (const [index, [, code]] of impureLines.entries())
      for (const file of impureFiles(index)) await repository.write(file, `${code}\n`);
    await repository.write('src/posts/domain/pure.ts', PURE);
    const eslint = 'eslint/bin/eslint.js';
    const [results, config, domainConfig] = await Promise.all([
      repository.run(eslint, ['--format', 'json', '.']),
      repository.run(eslint, ['--print-config', 'src/shape.ts']),
      repository.run(eslint, ['--print-config', 'src/posts/domain/pure.ts']),
    ]);
    refusedGlobals = namesIn(domainConfig);
    found = new Map(
      (JSON.parse(results) as LintResult[]).map(({ filePath, messages }) => [
        filePath.slice(repository.folder.length + 1),
        messages.map(({ ruleId, message }) => ruleId ?? message),
      ]),
    );
    const { rules } = JSON.parse(config) as { rules: Record<string, Configured> };
    configured = new Map(Object.entries(rules).filter(([, [severity]]) => severity > 0));
  });

  afterAll(() => repository.tearDown());

  it.each(brokenLines.map(([rule], index) => [rule, `src/broken-${index}.ts`]))(
    '%s is seen failing',
    (rule, file) => {
      const expected = rule === 'unused suppression' ? expect.stringMatching(/^Unused eslint-disable/) : rule;
      expect(found.get(file)).toContainEqual(expected);
    },
  );

  it.each(impureLines.map(([rule, code], index) => [rule, code, index] as const))(
    '%s is seen failing in a domain folder for: %s',
    (rule, _, index) => {
      const [domain = '', nested = '', spec = ''] = impureFiles(index);
      expect(found.get(domain)).toContainEqual(rule);
      expect(found.get(nested)).toContainEqual(rule);
      expect(found.get(spec)).not.toContainEqual(rule);
    },
  );

  it('every global that a domain folder refuses has a line that violates it', () => {
    expect(new Set(impureLines.flatMap(([, , name]) => name ?? []))).toEqual(refusedGlobals);
  });

  it('a domain folder accepts pure calculations', () => {
    expect(found.get('src/posts/domain/pure.ts')).toEqual([]);
  });

  it('every enabled rule has a line that violates it', () => {
    const seen = new Set(brokenLines.map(([rule]) => rule));
    expect(configured.size).toBeGreaterThan(50);
    expect([...configured.keys()].filter((rule) => !seen.has(rule))).toEqual([]);
  });

  it('every selector and every term has a line that violates it', () => {
    const partsOf = (rule: string) =>
      new Set(brokenLines.filter(([name]) => name === rule).map(([, , part]) => part));
    const [, ...syntax] = configured.get('no-restricted-syntax') ?? [];
    expect(partsOf('no-restricted-syntax')).toEqual(
      new Set(syntax.map((one) => (one as { selector: string }).selector)),
    );
    const [, globals] = configured.get('no-restricted-globals') ?? [];
    expect(partsOf('no-restricted-globals')).toEqual(
      new Set((globals as { globals: { name: string }[] }).globals.map(({ name }) => name)),
    );
    const [, comments] = configured.get('no-warning-comments') ?? [];
    expect(partsOf('no-warning-comments')).toEqual(new Set((comments as { terms: string[] }).terms));
  });

  it('finds nothing in a correct file', () => {
    expect(found.get('src/shape.ts')).toEqual([]);
  });
});

describe('the dead code rules', () => {
  let repository: ScratchRepository;
  const found: Record<string, readonly string[]> = {};

  beforeAll(async () => {
    repository = await ScratchRepository.build(['knip.json', 'tsconfig.json']);
    const manifest = {
      ...{ name: 'model', type: 'module', imports: { '#libs/*': './dist/libs/*/src/index.js' } },
      ...{
        dependencies: { pg: '*' },
        devDependencies: { supertest: '*' },
        scripts: { odd: 'oddly-named-tool' },
      },
    };
    await repository.write('package.json', JSON.stringify(manifest));
    await repository.write('src/alone.ts', 'export const alone = 1;\n');
    await repository.write(
      'src/used.ts',
      [
        'export const used = 1;',
        'export const unused = 2;',
        'export type Unused = string;',
        'export enum Level { Low, High }',
        'export default used;',
      ].join('\n'),
    );
    await repository.write(
      'src/main.ts',
      [
        `import twin, { Level, used } from './used.js';`,
        `import rxjs from 'rxjs';`,
        `import { lost } from './lost.js';`,
        `console.log(used, twin, Level.Low, rxjs, lost);`,
      ].join('\n'),
    );
    const output = await repository.run('knip/bin/knip.js', ['--reporter', 'json', '--no-progress']);
    const { issues } = JSON.parse(output) as { issues: (Record<string, unknown> & { file: string })[] };
    for (const { file, ...kinds } of issues)
      for (const [kind, list] of Object.entries(kinds))
        for (const issue of Array.isArray(list) ? (list as { name?: string }[][]).flat() : [])
          found[kind] = [...(found[kind] ?? []), `${file}: ${issue.name}`];
  });
  afterAll(() => repository.tearDown());

  it.each([
    ['files', 'src/alone.ts: src/alone.ts'],
    ['exports', 'src/used.ts: unused'],
    ['types', 'src/used.ts: Unused'],
    ['enumMembers', 'src/used.ts: High'],
    ['duplicates', 'src/used.ts: used'],
    ['dependencies', 'package.json: pg'],
    ['devDependencies', 'package.json: supertest'],
    ['unlisted', 'src/main.ts: rxjs'],
    ['unresolved', 'src/main.ts: ./lost.js'],
    ['binaries', 'package.json: oddly-named-tool'],
  ])('%s are seen failing', (kind, issue) => {
    expect(found[kind]).toContain(issue);
  });

  it('finds nothing else', () => {
    expect(
      Object.values(found)
        .flat()
        .filter((issue) => /: (used|Level|Low)$/.test(issue)),
    ).toEqual(['src/used.ts: used']);
  });
});

describe('rules without a tool', () => {
  const sources = async () => {
    const files: { readonly file: string; readonly text: string }[] = [];
    for await (const file of glob('{src,libs,local,sandbox,test,bench}/**/*.ts')) {
      files.push({ file, text: await readFile(file, 'utf8') });
    }
    return files;
  };

  it('a folder and its sub-folder do not import each other, apart from known pairs', async () => {
    const production = (await sources()).filter(
      ({ file }) => /^(src|libs|local|sandbox)\//.test(file) && !/[.-]spec\.ts$/.test(file),
    );
    expect(parentPairs(production)).toEqual(KNOWN_PAIRS);
  });

  it('finds a sub-folder that imports the folder above, which imports it', () => {
    const root = { file: 'src/a/a.module.ts', text: `import { B } from './b/b.js';` };
    const child = (imported: string) => ({
      file: 'src/a/b/c/b.ts',
      text: `import { A } from '${imported}';`,
    });
    expect(parentPairs([root, child('../../a.js')])).toEqual(['src/a/b']);
    expect(parentPairs([root, child('../../a.types.js')])).toEqual([]);
    expect(parentPairs([root, child('../../other/a.js')])).toEqual([]);
    expect(parentPairs([child('../../a.js')])).toEqual([]);
  });

  it('every lint suppression carries its reason', async () => {
    const suppression = /eslint-disable(?!.* -- \S)|@ts-(ignore|nocheck)|@ts-expect-error\s*$/m;
    const bare = (await sources()).filter(
      ({ file, text }) => suppression.test(text) && !/architecture\.spec|broken-lines/.test(file),
    );
    expect(bare.map(({ file }) => file)).toEqual([]);
  });

  it('no resource closes before the work that uses it ends: work stops in one hook, resources close in a later one', async () => {
    const early = (await sources())
      .filter(({ file }) => /^(src|libs|local|sandbox)\//.test(file))
      .filter(({ text }) => /\bonModuleDestroy\b/.test(text));
    expect(early.map(({ file }) => file)).toEqual([]);
  });

  it('every timer is a periodic sweep, so that it stops in the earlier hook', async () => {
    const timed = (await sources())
      .filter(({ file }) => /^(src|libs|local|sandbox)\//.test(file))
      .filter(
        ({ text }) =>
          /^ *@(Interval|Cron|Timeout)\(|\.add(Interval|CronJob|Timeout)\(/m.test(text) ||
          (/\bon(ApplicationBootstrap|ModuleInit)\b/.test(text) && /\bsetInterval\(/.test(text)),
      );
    expect(timed.map(({ file }) => file)).toEqual(['libs/due-work/src/periodic-sweep.ts']);
  });

  it('no production file is over 300 lines', async () => {
    const long = (await sources())
      .filter(({ file }) => /^(src|libs|local|sandbox)\//.test(file) && !/[.-]spec\.ts$/.test(file))
      .filter(({ text }) => text.split('\n').length > 301);
    expect(long.map(({ file }) => file)).toEqual([]);
  });
});
