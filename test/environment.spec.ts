import { globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConfigClass, Variable } from '#libs/config';
import { variablesOf } from '#libs/config';

interface Declared extends Variable {
  readonly file: string;
}

const files = globSync('{src,libs}/**/*.config.ts').sort();

async function declaredVariables(): Promise<Declared[]> {
  const declared: Declared[] = [];
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
    const elsewhere = globSync('{src,libs}/**/*.ts').filter(
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

  it('finds each variable with one default at most, whichever services read it', () => {
    const defaults = new Map<string, Set<string>>();
    for (const variable of declared) {
      const known = defaults.get(variable.name) ?? new Set();
      if (variable.default) defaults.set(variable.name, known.add(variable.default));
    }
    expect([...defaults].filter(([, values]) => values.size > 1).map(([name]) => name)).toEqual([]);
  });
});
