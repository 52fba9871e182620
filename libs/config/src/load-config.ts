import type { Provider } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import type { ValidationError } from 'class-validator';
import { validateSync } from 'class-validator';
import type { ConfigClass } from './env.js';
import type { Variable } from './env.js';
import { variablesOf } from './env.js';
import { CIRCUMSTANCES } from './is-secure-in-production.js';
import type { Circumstances } from './is-secure-in-production.js';

/** The environment is wrong; says everything that is wrong, so that one look is enough. */
export class ConfigIsInvalid extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The environment is not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigIsInvalid';
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads a config class from the environment, once, at boot. An empty variable counts as not set.
 * @throws ConfigIsInvalid with every problem found, by variable name, one per variable; values are never repeated.
 */
export function loadConfig<T extends object>(
  config: ConfigClass<T>,
  environment: Environment = process.env,
): T {
  const variables = variablesOf(config);
  const plain: Record<string, unknown> = {};
  for (const variable of variables) {
    const value = environment[variable.name]?.trim() || variable.default;
    if (value !== undefined) plain[variable.property] = asWritten(value);
  }
  const loaded = plainToInstance(config, plain, { enableImplicitConversion: true });
  Object.defineProperty(loaded, CIRCUMSTANCES, { value: circumstancesOf(environment, variables) });
  const problems = validateSync(loaded, { skipUndefinedProperties: false }).map((error) => {
    const name = variables.find(({ property }) => property === error.property)?.name ?? error.property;
    return `${name}: ${sayingWhat(error, plain)}`;
  });
  report(problems);
  return Object.freeze(loaded);
}

function circumstancesOf(environment: Environment, variables: readonly Variable[]): Circumstances {
  const isSet = (name: string) => Boolean(environment[name]?.trim());
  const hosts = (environment.IN_CLUSTER_HTTP_HOSTS ?? '').split(',').map((host) => host.trim().toLowerCase());
  return {
    isProduction: environment.NODE_ENV?.trim() === 'production',
    httpHosts: new Set(hosts),
    given: new Set(variables.filter(({ name }) => isSet(name)).map(({ property }) => property)),
  };
}

/**
 * What the process of `environment` cannot do without in production and only guesses elsewhere: variables that have a
 * default, or are optional, in config classes shared with processes that can.
 * @throws ConfigIsInvalid where NODE_ENV is production and one of them is not set
 */
export function requireInProduction(names: readonly string[], environment: Environment): void {
  if (environment.NODE_ENV?.trim() !== 'production') return;
  const missing = names.filter((name) => !environment[name]?.trim());
  report(missing.map((name) => `${name}: must be set in production`));
}

function report(problems: readonly string[]): void {
  if (problems.length > 0 && together) together.push(...problems);
  else if (problems.length > 0) throw new ConfigIsInvalid(problems);
}

/** Decorators apply from the last to the first, so the last rule is the one written first: of which type it is at all. */
function sayingWhat(
  { property, constraints }: ValidationError,
  plain: Readonly<Record<string, unknown>>,
): string {
  if (plain[property] === undefined) return 'must be set';
  return (
    Object.values(constraints ?? {})
      .at(-1)
      ?.replace(`${property} `, '') ?? 'is not valid'
  );
}

/** What is wrong in all that is being loaded together; undefined while each config is loaded for itself. */
let together: string[] | undefined;

/**
 * Several config classes, and what is made of them, reported on as one. While `load` runs, `loadConfig` gives back what is
 * not valid as if it were; nothing of it gets out.
 * @throws ConfigIsInvalid with every problem of all of them, each once
 */
export function loadTogether<T>(load: () => T): T {
  if (together) return load();
  const problems: string[] = (together = []);
  try {
    return load();
  } finally {
    together = undefined;
    // Also instead of what was thrown: it comes of a config that is not valid.
    if (problems.length > 0) throw new ConfigIsInvalid([...new Set(problems)]);
  }
}

/** The environment of this process, for handing on to services started in it. */
export function processEnvironment(): Environment {
  return process.env;
}

/** Injection token of the environment a service was started with; see EnvironmentModule. */
export const ENVIRONMENT = Symbol('environment');

/** A Nest provider for a config class, read from the one given, else the service's, else the process's environment. */
export function provideConfig<T extends object>(
  config: ConfigClass<T>,
  environment?: Environment,
): Provider<T> {
  return {
    provide: config,
    inject: [{ token: ENVIRONMENT, optional: true }],
    useFactory: (ofService?: Environment) => loadConfig(config, environment ?? ofService),
  };
}

/** Booleans are words in the environment; class-transformer would take the word "false" for true. */
function asWritten(value: string): unknown {
  if (value === 'true') return true;
  if (value === 'false') return false;
  return value;
}
