import { globSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { FAILURE_CLASSES } from '#libs/content';

/** Written by `npm run docs:codes`; in every other run the files are compared with it. */
const writes = process.env.WRITE_CODES === 'yes';

const SHARED = /^libs\//;
/** The sources of each service, without the shared ones, and the file with its codes. */
const SERVICES = {
  'business-api': [/^src\/(?!platform\/)/, 'src/api/problem-codes.ts'],
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

const DECLARED = /^(?:export )?class (\w+) extends domainError\(\s*'[a-z-]+',\s*'(\w+)'/gm;
const OTHER_CLASS = /^(?:export )?(?:abstract )?class (\w+)\b(?! extends domainError\()([^{]*)\{(.*?)^\}/gms;

const classes = [...sources].flatMap(([file, text]): ErrorClass[] => [
  ...[...text.matchAll(DECLARED)].map(([, name = '', code = '']) => ({
    file,
    name,
    parent: 'DomainError',
    codes: [code],
  })),
  ...[...text.matchAll(OTHER_CLASS)].map(([, name = '', head = '', body = '']) => ({
    file,
    name,
    parent: /\bextends (\w+)/.exec(head)?.[1] ?? '',
    codes: codesOf(body, text),
  })),
]);

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

/** Of posts and of their holds: src/api/failure-codes.ts. */
const DELIVERY = /^(src\/(posts|integrations)|libs\/content)\//;
const FAILURES_FILE = 'src/api/failure-codes.ts';
const CODE = String.raw`(?:'([a-z][a-z\d_]*)'|([A-Z][A-Z_]{3,}))`;
const CLASS = `(?:${FAILURE_CLASSES.join('|')})`;
const FAILURE = new RegExp(
  String.raw`(?:\(\s*${CODE},|\[\s*${CODE},|\bcode: ${CODE},\s*(?:failureClass|class):)\s*'${CLASS}'|\b${CLASS}\(\s*${CODE},`,
  'g',
);
const REASON = new RegExp(String.raw`\breason: (?:\w+ \?\? )?${CODE}`, 'g');
/** Reasons that reach a hold by a parameter. */
const OF_PARAMETERS = ['RATE_LIMIT_REACHED', 'CLIENT_REFUSED', 'MEDIA_PROCESSING'];
const deliveries = [...sources].filter(([file]) => DELIVERY.test(file)).map(([, text]) => text);
/** Words that are constants, by their names; an import may rename one. */
const constants = new Map(
  deliveries.flatMap((text) =>
    [...text.matchAll(/\bconst ([A-Z_]+)(?:: \w+)? = '([a-z][a-z\d_]*)'/g)].map(
      ([, name = '', word = '']): [string, string] => [name, word],
    ),
  ),
);
const renamed = new Map(
  deliveries.flatMap((text) =>
    [...text.matchAll(/\b([A-Z_]+) as ([A-Z_]+)\b/g)].map(([, name = '', other = '']): [string, string] => [
      other,
      name,
    ]),
  ),
);

/** @throws Error for a constant without a readable value, so that none is left out */
function wordsOf(pattern: RegExp): string[] {
  const found = deliveries.flatMap((text) => [...text.matchAll(pattern)].map((match) => match.slice(1)));
  return found.flatMap((groups) => {
    const word = groups.find((group) => group !== undefined) ?? '';
    if ((FAILURE_CLASSES as readonly string[]).includes(word)) return [];
    const stated = /^[a-z]/.test(word) ? word : constants.get(renamed.get(word) ?? word);
    if (stated === undefined)
      throw new Error(`The value of ${word} is not readable. Write it as a constant.`);
    return stated;
  });
}

function failureModule(): string {
  const failures = new Set(wordsOf(FAILURE));
  const named = OF_PARAMETERS.map((name) => constants.get(name) ?? name);
  const pauses = new Set([...wordsOf(REASON), ...named]).difference(failures);
  const list = (name: string, words: ReadonlySet<string>) =>
    [`export const ${name} = [`, ...[...words].sort().map((word) => `  '${word}',`), '] as const;'].join(
      '\n',
    );
  return [
    '/** Why posts fail or wait. Written by `npm run docs:codes` from the failures that the code states. */',
    list('FAILURE_CODES', failures),
    '',
    list('PAUSES', pauses).replace('export ', ''),
    '',
    '/** The code of a failure that is tried again, or a pause. */',
    'export const HOLD_REASONS = [...FAILURE_CODES, ...PAUSES].sort();',
    '',
  ].join('\n');
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
          ? {
              place: `\`${schema}.${property}\``,
              description,
              list: codes.map((code) => `- \`${code}\``).join('\n'),
            }
          : [],
      ),
    );
    const sections = [...Map.groupBy(enumerations, ({ list }) => list)].map(([list, same]) => {
      const places = same.map(({ place }) => place).join(', ');
      return `### ${places}\n\n${same[0]?.description}\n\n${list}\n`;
    });
    return [`## ${service}`, '', ...sections].join('\n');
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

  it('of failures of posts and of their holds are in the document', async () => {
    if (writes) await writeFile(FAILURES_FILE, failureModule());
    expect(readFileSync(FAILURES_FILE, 'utf8')).toBe(failureModule());
  });

  it('are listed on one page (npm run docs:codes writes it)', async () => {
    if (writes) await writeFile('docs/codes.md', page());
    expect(readFileSync('docs/codes.md', 'utf8')).toBe(page());
  });
});
