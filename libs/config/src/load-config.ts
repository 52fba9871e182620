import { type DynamicModule, Global, Module, type Provider } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { type ConfigClass, foreignValuesOf, type Variable, variablesOf } from './env.js';
import { LOAD_CONTEXT, type LoadContext } from './is-base-url.js';

/** The environment is invalid. Lists all problems at once. */
export class ConfigIsInvalid extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The environment is not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigIsInvalid';
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads a config class from the environment, once, at boot. An empty variable counts as not set.
 * @param given in place of defaults of properties that have no variable
 * @throws ConfigIsInvalid with every problem found, by variable name, one per variable; values are never repeated.
 */
export function loadConfig<T extends object>(
  config: ConfigClass<T>,
  environment: Environment = process.env,
  given: Partial<T> = {},
): T {
  const variables = variablesOf(config);
  const plain: Record<string, unknown> = {};
  for (const variable of variables) {
    const value = environment[variable.name]?.trim() || variable.default;
    if (value !== undefined) plain[variable.property] = parseBoolean(value);
  }
  for (const { property, owner, ofOwner, default: fallback } of foreignValuesOf(config)) {
    const owned = loadConfig(owner, environment) as Record<string, unknown>;
    plain[property] = owned[ofOwner] ?? fallback;
  }
  const loaded = Object.assign(plainToInstance(config, plain, { enableImplicitConversion: true }), given);
  Object.defineProperty(loaded, LOAD_CONTEXT, { value: loadContextOf(environment, variables) });
  const problems = validateSync(loaded, { skipUndefinedProperties: false, forbidUnknownValues: false }).map(
    (error) => {
      const name = variables.find(({ property }) => property === error.property)?.name ?? error.property;
      return `${name}: ${describeProblem(error, plain)}`;
    },
  );
  report(problems);
  return Object.freeze(loaded);
}

/** Empty variables count as not set. */
export const isSet = (environment: Environment, name: string): boolean => Boolean(environment[name]?.trim());

export const isProduction = (environment: Environment): boolean =>
  environment.NODE_ENV?.trim() === 'production';

function loadContextOf(environment: Environment, variables: readonly Variable[]): LoadContext {
  const hosts = (environment.IN_CLUSTER_HTTP_HOSTS ?? '').split(',').map((host) => host.trim().toLowerCase());
  return {
    isProduction: isProduction(environment),
    httpHosts: new Set(hosts),
    given: new Set(variables.filter(({ name }) => isSet(environment, name)).map(({ property }) => property)),
  };
}

/**
 * For variables that this process needs in production, but that are optional or have a default in a shared config class.
 * @throws ConfigIsInvalid where NODE_ENV is production and one of them is not set
 */
export function requireInProduction(names: readonly string[], environment: Environment): void {
  if (!isProduction(environment)) return;
  const missing = names.filter((name) => !isSet(environment, name));
  report(missing.map((name) => `${name}: must be set in production`));
}

function report(problems: readonly string[]): void {
  if (problems.length > 0 && collectedProblems) collectedProblems.push(...problems);
  else if (problems.length > 0) throw new ConfigIsInvalid(problems);
}

/** Decorators run from last to first, so the last constraint is the one written first: the type of the value. */
function describeProblem(
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

/** The problems of all configs in a running `loadAll`; undefined outside of it. */
let collectedProblems: string[] | undefined;

/**
 * Loads several config classes and reports their problems in one error. While `load` runs, `loadConfig` returns invalid
 * configs instead of throwing; `loadAll` never returns them.
 * @throws ConfigIsInvalid with every problem of all configs, each once
 */
export function loadAll<T>(load: () => T): T {
  if (collectedProblems) return load();
  const problems: string[] = (collectedProblems = []);
  try {
    return load();
  } finally {
    collectedProblems = undefined;
    // Replaces an error of `load`, because an invalid config caused it.
    if (problems.length > 0) throw new ConfigIsInvalid([...new Set(problems)]);
  }
}

/** The environment of this process, for services started in it. */
export function processEnvironment(): Environment {
  return process.env;
}

/** Injection token of the environment a service was started with; see EnvironmentModule. */
export const ENVIRONMENT = Symbol('environment');

/** Injection token of values for properties without a variable, by config class; see `withSettings` for tests. */
export const SETTINGS = Symbol('settings');

/** A Nest provider for a config class. Reads `environment`, else that of the service, else that of the process. */
export function provideConfig<T extends object>(
  config: ConfigClass<T>,
  environment?: Environment,
): Provider<T> {
  return {
    provide: config,
    inject: [
      { token: ENVIRONMENT, optional: true },
      { token: SETTINGS, optional: true },
    ],
    useFactory: (ofService?: Environment, settings?: ReadonlyMap<ConfigClass<T>, Partial<T>>) =>
      loadConfig(config, environment ?? ofService, settings?.get(config)),
  };
}

/** class-transformer would convert the text "false" to true. */
function parseBoolean(value: string): unknown {
  if (value === 'true') return true;
  if (value === 'false') return false;
  return value;
}

/**
 * The environment of one service. Services in one process have one each. Without this module,
 * `provideConfig` reads the environment of the process.
 */
@Global()
@Module({})
export class EnvironmentModule {
  static forRoot(environment: Environment): DynamicModule {
    return {
      module: EnvironmentModule,
      providers: [{ provide: ENVIRONMENT, useValue: environment }],
      exports: [ENVIRONMENT],
    };
  }
}
