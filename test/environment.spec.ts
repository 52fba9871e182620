import { globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ConfigClass, type Variable, variablesOf } from '#libs/config';
import { processConfigOf } from '#libs/http';
import { SERVICES } from '../src/services.js';

interface Declared extends Variable {
  readonly file: string;
}

const files = globSync('{src,libs,local,sandbox}/**/*.config.ts').sort();

async function declaredVariables(): Promise<Declared[]> {
  const declared: Declared[] = SERVICES.flatMap((service) =>
    variablesOf(processConfigOf(service)).map((variable) => ({ ...variable, file: service.slug })),
  );
  for (const file of files) {
    const exported = (await import(join(process.cwd(), file))) as Record<string, unknown>;
    for (const value of Object.values(exported)) {
      if (typeof value !== 'function') continue;
      declared.push(...variablesOf(value as ConfigClass<object>).map((variable) => ({ ...variable, file })));
    }
  }
  return declared;
}

/** `# NAME=default`, or `# NAME=` where no service assumes anything. */
function expectedLines(declared: readonly Declared[]): string[] {
  const defaults = new Map(declared.map(({ name }) => [name, '']));
  for (const variable of declared) if (variable.default) defaults.set(variable.name, variable.default);
  return [...defaults].map(([name, value]) => `# ${name}=${value}`);
}

describe('.env.example', () => {
  let declared: Declared[];
  let example: readonly string[];

  beforeAll(async () => {
    declared = await declaredVariables();
    example = (await readFile('.env.example', 'utf8')).split('\n');
  });

  it('is compared with the variables of every config class', () => {
    expect(files.length).toBeGreaterThan(3);
    expect(declared.map(({ name }) => name)).toEqual(expect.arrayContaining(['DATABASE_URL', 'API_PORT']));
  });

  it('is compared with every place that reads a variable', () => {
    const elsewhere = globSync('{src,libs,local,sandbox}/**/*.ts').filter(
      (file) => !/\.(config|spec)\.ts$/.test(file) && /^\s*@Env\(/m.test(readFileSync(file, 'utf8')),
    );
    expect(elsewhere).toEqual([]);
  });

  it('lists every variable with its default', () => {
    expect(expectedLines(declared).filter((expected) => !example.includes(expected))).toEqual([]);
  });

  it('lists no variable that nothing reads', () => {
    const known = new Set(declared.map(({ name }) => name));
    const listed = example.flatMap((text) => /^# ([A-Z][A-Z0-9_]+)=/.exec(text)?.[1] ?? []);
    expect(listed.filter((name) => !known.has(name))).toEqual([]);
    expect(new Set(listed).size).toBe(listed.length);
  });

  it('finds at most 150: what only tests set is a value of a config class', () => {
    expect(new Set(declared.map(({ name }) => name)).size).toBeLessThanOrEqual(150);
  });

  it('finds each variable declared once; other configs take its value with FromConfig', () => {
    expect(declaredTwice(declared)).toEqual([]);
    const second = { ...(declared.find(({ name }) => name === 'HOST') as Declared), file: 'src/a.config.ts' };
    expect(declaredTwice([...declared, second])).toEqual([
      'HOST: libs/http/src/context/http.config.ts, src/a.config.ts',
    ]);
  });

  it('finds no other file that reads the value of one', () => {
    const read = globSync('{src,libs,local,sandbox}/**/*.ts')
      .filter((file) => !file.endsWith('.spec.ts') && !MAY_READ.includes(file))
      .flatMap((file) => readsOf(readFileSync(file, 'utf8')).map((name) => `${name}: ${file}`));
    expect(read).toEqual([]);
    expect(readsOf('const port = environment.API_PORT ?? env.HOST;')).toEqual(['API_PORT', 'HOST']);
  });
});

/**
 * The mode of the process is needed to load any config, before there is one. The embedded start has no typed value for what
 * it hands to its services.
 */
const MAY_READ = ['libs/config/src/load-config.ts', 'local/environments.ts'];

const readsOf = (source: string): string[] =>
  [...source.matchAll(/\b(?:environment|env)\??\.([A-Z][A-Z0-9_]+)\b/g)].map(([, name = '']) => name);

function declaredTwice(declared: readonly Declared[]): string[] {
  const files = Map.groupBy(declared, ({ name }) => name);
  return [...files]
    .filter(([, places]) => places.length > 1)
    .map(([name, places]) => `${name}: ${places.map(({ file }) => file).join(', ')}`);
}
