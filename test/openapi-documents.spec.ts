import { globSync, readFileSync } from 'node:fs';
import { PLATFORMS } from '../src/integrations/index.js';
import { inlined } from './support/inlined.js';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly example?: unknown;
  readonly schema: Record<string, unknown> & { readonly items?: Record<string, unknown> };
}

interface DocumentedResponse {
  readonly description?: string;
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>;
  readonly content?: Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>>;
}

interface Described {
  readonly operationId: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly enum?: readonly unknown[];
}

interface Document {
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<string, { readonly description?: string }>>;
  };
}

const read = (name: string) => JSON.parse(readFileSync(`docs/openapi/${name}.json`, 'utf8')) as Document;
const readInlined = (name: string) => inlined(read(name));
const PROBE = /^\/(health|healthz|readyz)$/;

/** Every operation with its name, but for the probes. */
const operationsOf = ({ paths }: Document): [string, Described][] =>
  Object.entries(paths)
    .filter(([path]) => !PROBE.test(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]): [string, Described] => [
        `${method} ${path}`,
        described,
      ]),
    );

const takes = ({ parameters = [] }: Described, header: string): boolean =>
  parameters.some(({ in: place, name }) => place === 'header' && name === header);

/** Every value inside, with the path to it. */
function* within(value: unknown, path = ''): Generator<[string, unknown]> {
  yield [path, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, part] of Object.entries(value)) yield* within(part, `${path}/${name}`);
}

const ROUTE = /^ *@(?:Get|Post|Put|Patch|Delete)\(/gm;

/** How many routes the controllers of a service declare, without those of its management address. */
const routesIn = (isOwn: RegExp): number =>
  globSync('src/**/*.controller.ts')
    .filter((file) => isOwn.test(file) && !file.includes('/internal-'))
    .flatMap((file) => readFileSync(file, 'utf8').match(ROUTE) ?? []).length;

/** Names of classes that are schemas: of two with one name a document has one. */
const repeatedSchemas = (isOwn: RegExp): string[] => {
  const names = globSync('{src,libs}/**/*.ts')
    .filter((file) => isOwn.test(file) || file.startsWith('libs/'))
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^export class (\w+Dto)\b/gm)].map(([, name]) => name),
    );
  return names.filter((name, index) => names.indexOf(name) !== index).map(String);
};

/** Each with the controllers of its service and the least number of its lists. */
const DOCUMENTS = [
  ['business-api', /^src\/(?!platform\/)/, 12],
  ['identity', /^src\/platform\/identity\//, 7],
  ['gateway', /^src\/platform\/gateway\//, 11],
] as const;

describe.each(DOCUMENTS)('the committed document of %s', (name, isOwn, listCount) => {
  const document = readInlined(name);
  const operations = operationsOf(document);
  const without = (isRight: (operation: Described) => boolean) =>
    operations.filter(([, operation]) => !isRight(operation)).map(([operation]) => operation);

  it('has each repeated header, parameter and problem once', () => {
    const { paths } = read(name);
    const described = Object.values(paths).flatMap((methods) => Object.values(methods));
    const responses = described.flatMap((one) => Object.entries(one.responses));
    const problems = responses.filter(([status]) => status >= '400').map(([, response]) => response);
    const parts = [
      ...described.flatMap(({ parameters = [] }) => parameters),
      ...problems,
      ...responses.flatMap(([, { headers = {} }]) => Object.values(headers)),
    ];
    const written = parts.filter((part) => !('$ref' in part)).map((part) => JSON.stringify(part));
    expect(written.filter((part, index) => written.indexOf(part) !== index)).toEqual([]);
  });

  it('has a schema for each class', () => expect(repeatedSchemas(isOwn)).toEqual([]));

  it('holds every route of the controllers', () => expect(operations.length).toBe(routesIn(isOwn)));

  it('names If-Match exactly where 412 is documented', () =>
    expect(without((one) => takes(one, 'If-Match') === '412' in one.responses)).toEqual([]));

  it('names If-None-Match exactly where 304 is documented', () =>
    expect(without((one) => takes(one, 'If-None-Match') === '304' in one.responses)).toEqual([]));

  it.each(['408', '429', '431', '503'])('has %s everywhere', (status) =>
    expect(without(({ responses }) => status in responses)).toEqual([]),
  );

  it('documents WWW-Authenticate with every 401, and Retry-After with every 429 and 503', () => {
    const mustHave = (status: string, header: string) =>
      without(({ responses }) => {
        const answer = responses[status];
        return !answer || answer.headers?.[header]?.required === true;
      });
    expect(mustHave('401', 'WWW-Authenticate')).toEqual([]);
    // A provider without money, or one that states no time, gives none to pass on.
    const routes: Readonly<Record<string, readonly string[]>> = {
      gateway: ['completions', 'images', 'transcriptions'],
      'business-api': ['generate-image'],
    };
    const mayLackIt = (routes[name] ?? []).map((route) => `post /api/ai/${route}`);
    expect(mustHave('429', 'Retry-After')).toEqual(mayLackIt);
    expect(mustHave('503', 'Retry-After')).toEqual([]);
  });

  it('has warnings in every list', () => {
    const lists = Object.entries(document.components.schemas).filter(
      ([, { properties = {} }]) => 'data' in properties && 'pagination' in properties,
    );
    expect(lists.length).toBeGreaterThanOrEqual(listCount);
    expect(lists.filter(([, { properties = {} }]) => !('warnings' in properties))).toEqual([]);
    const cursors = operations.filter(([, { parameters = [] }]) =>
      parameters.some((parameter) => parameter.name === 'cursor'),
    );
    const answered = cursors.map(([, { responses }]) =>
      responses['200']?.content?.['application/json']?.schema.$ref?.split('/').at(-1),
    );
    for (const schema of answered)
      expect(document.components.schemas[schema ?? '']?.properties).toHaveProperty('warnings');
  });

  it('has no example in a parameter: Swagger UI would send it', () => {
    const filled = operations.flatMap(([operation, { parameters = [] }]) =>
      parameters
        .filter(({ example, schema }) =>
          [example, schema.example, schema.items?.example].some((one) => one !== undefined),
        )
        .map((parameter) => `${operation} ${parameter.name}`),
    );
    expect(filled).toEqual([]);
  });

  it('names the codes of a 503', () => {
    expect(
      without(({ responses }) => responses['503']?.description?.includes('`database_timeout`') === true),
    ).toEqual([]);
    const [, imports] = operations.find(([operation]) => operation === 'post /api/contacts/import') ?? [];
    if (name === 'business-api')
      expect(imports?.description).toMatch(/`import_running`.*`import_interrupted`/);
  });

  it('leaves credentials to the security schemes', () =>
    expect(without((one) => !takes(one, 'authorization') && !takes(one, 'Authorization'))).toEqual([]));

  it('has operation ids of a verb and a noun, each once in all documents', () => {
    const ids = operations.map(([, { operationId }]) => operationId);
    expect(ids.filter((id) => !/^[a-z]+[A-Z]/.test(id))).toEqual([]);
    const all = DOCUMENTS.flatMap(([one]) =>
      operationsOf(readInlined(one)).map(([, { operationId }]) => operationId),
    );
    expect(ids.filter((id) => all.filter((other) => other === id).length > 1)).toEqual([]);
  });

  it('says which credential counts when a service token is sent together with others', () => {
    const scheme = document.components.securitySchemes.ServiceTokenAuth;
    if (name !== 'business-api') expect(scheme?.description).toContain('It decides alone');
  });

  it('names the networks in one place', () => {
    const sets = [...within(document)].filter(
      ([, value]) => Array.isArray(value) && PLATFORMS.every((platform) => value.includes(platform)),
    );
    const named = name === 'business-api' ? ['/components/schemas/Platform/enum'] : [];
    expect(sets.map(([path]) => path)).toEqual(named);
  });

  it('has a relative server, and health as the last group', () => {
    expect(document.servers.map(({ url }) => url)).toEqual(['/']);
    expect(document.tags.at(-1)?.name).toBe('Health');
  });

  it('describes the members of problems', () => {
    const members = Object.keys(document.components.schemas.ProblemDto?.properties ?? {});
    const common = ['requiredScopes', 'currentVersion', 'violated-policies'];
    const own = [
      'otherPostId',
      'readiness',
      'maximum',
      'cards',
      'contactId',
      'maxBytes',
      'columns',
      'report',
    ];
    expect(members).toEqual(expect.arrayContaining(name === 'business-api' ? [...common, ...own] : common));
  });
});
