import { globSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';

/** Written by `npm run docs:codes`; in every other run the files are compared with it. */
const writes = process.env.WRITE_CODES === 'yes';

const SHARED = /^libs\//;
/** The sources of each service beside the shared ones, and the file with its codes. */
const SERVICES = {
  'business-api': [/^src\/(?!platform\/|sandbox\/|embedded\/)/, 'src/api/problem-codes.ts'],
  identity: [/^src\/platform\/identity\//, 'src/platform/identity/problem-codes.ts'],
  gateway: [/^src\/platform\/gateway\//, 'src/platform/gateway/problem-codes.ts'],
} as const;

interface ErrorClass {
  readonly file: string;
  readonly name: string;
  readonly parent: string;
  readonly codes: readonly string[];
}

const matchesIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, code = '']) => code);

const sources = new Map(
  globSync('{src,libs}/**/*.ts')
    .filter((file) => !/spec\.ts$|\/testing\//.test(file))
    .map((file): [string, string] => [file, readFileSync(file, 'utf8')]),
);

/** The codes that a class states; of one that states none by itself, those in its file. */
function codesOf(body: string, text: string): string[] {
  const [, stated] = /readonly code\b([^;]*);/.exec(body) ?? [];
  if (stated === undefined) return [];
  const own = matchesIn(stated, /'(\w+)'/g);
  return own.length > 0 ? own : matchesIn(text, /\bcode(?: =|:) '(\w+)'/g);
}

const classes = [...sources].flatMap(([file, text]): ErrorClass[] =>
  [...text.matchAll(/^(?:export )?(?:abstract )?class (\w+)[^{]*? extends (\w+)[^{]*\{(.*?)^\}/gms)].map(
    ([, name = '', parent = '', body = '']) => ({ file, name, parent, codes: codesOf(body, text) }),
  ),
);

/** Those that descend from `DomainError`. */
function errors(): ErrorClass[] {
  const known = new Set(['DomainError']);
  for (let before = 0; before < known.size;) {
    before = known.size;
    for (const { name, parent } of classes) if (known.has(parent)) known.add(name);
  }
  return classes.filter(({ parent }) => known.has(parent));
}

/** Refusals of the HTTP layer itself. */
const ofHttp = [...sources]
  .filter(([file]) => SHARED.test(file))
  .flatMap(([, text]) => [
    ...matchesIn(text, /\bwords\(\s*'(\w+)'/g),
    ...matchesIn(text, /new HttpProblem\(\{[^}]*?\bcode: '(\w+)'/g),
  ]);

function problemCodesOf(isOwn: RegExp): string[] {
  const own = errors().filter(({ file }) => isOwn.test(file) || SHARED.test(file));
  return [...new Set([...own.flatMap(({ codes }) => codes), ...ofHttp])].sort();
}

const moduleOf = (codes: readonly string[]): string =>
  [
    '/** The codes of the problems of this service. Written by `npm run docs:codes` from the classes of its errors. */',
    'export const PROBLEM_CODES = [',
    ...codes.map((code) => `  '${code}',`),
    '] as const;',
    '',
  ].join('\n');

interface Schema {
  readonly description?: string;
  readonly 'x-extensible-enum'?: readonly string[];
}

interface Document {
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties?: Readonly<Record<string, Schema>> }>>;
  };
}

/** docs/codes.md: every open enumeration of the committed documents. */
function page(): string {
  const sections = Object.keys(SERVICES).map((service) => {
    const text = readFileSync(`docs/openapi/${service}.json`, 'utf8');
    const { schemas } = (JSON.parse(text) as Document).components;
    const enumerations = Object.entries(schemas).flatMap(([schema, { properties = {} }]) =>
      Object.entries(properties).flatMap(([property, { description = '', 'x-extensible-enum': codes }]) =>
        codes
          ? [
              `### \`${schema}.${property}\`\n\n${description}\n\n${codes.map((code) => `- \`${code}\``).join('\n')}\n`,
            ]
          : [],
      ),
    );
    return [`## ${service}`, '', ...enumerations].join('\n');
  });
  const head =
    'Written by `npm run docs:codes` from `docs/openapi`: the words that programs compare. The enumerations are open: a later release adds to them, so that a client needs a default.';
  return ['# Codes', '', head, '', ...sections].join('\n');
}

describe('codes', () => {
  it('are stated by each class of errors, or by its parent', () => {
    const stated = new Set(classes.filter(({ codes }) => codes.length > 0).map(({ name }) => name));
    const silent = errors().filter(({ name, parent }) => !stated.has(name) && !stated.has(parent));
    const parents = new Set(classes.map(({ parent }) => parent));
    expect(silent.filter(({ name }) => !parents.has(name)).map(({ name }) => name)).toEqual([]);
  });

  it.each(Object.entries(SERVICES))('of the problems of %s are in its document', async (_, [isOwn, file]) => {
    const codes = problemCodesOf(isOwn);
    expect(codes.length).toBeGreaterThan(50);
    if (writes) await writeFile(file, moduleOf(codes));
    expect(readFileSync(file, 'utf8')).toBe(moduleOf(codes));
  });

  it('are listed on one page (npm run docs:codes writes it)', async () => {
    if (writes) await writeFile('docs/codes.md', page());
    expect(readFileSync('docs/codes.md', 'utf8')).toBe(page());
  });
});
