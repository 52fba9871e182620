import type { DynamicModule, Type } from '@nestjs/common';
import 'reflect-metadata';

/** One variable of the environment. */
export interface Variable {
  readonly property: string;
  readonly name: string;
  /** What the variable is for, in one sentence; also the comment in .env.example. */
  readonly description: string;
  /** Text as in the environment. Without it, the validators decide whether the variable is required. */
  readonly default?: string;
}

const VARIABLES = Symbol('environment variables');
const FOREIGN = Symbol('values of other configs');

/** A value that another config class owns. */
export interface ForeignValue {
  readonly property: string;
  readonly owner: ConfigClass<object>;
  readonly ofOwner: string;
  readonly default?: unknown;
}

/** Binds a property of a config class to an environment variable. Conversion follows the property's type. */
export function Env(name: string, options: { description: string; default?: string }): PropertyDecorator {
  return (target, property) => {
    const known = variablesOf(target.constructor as ConfigClass<object>);
    const variable = { property: String(property), name, ...options };
    Reflect.defineMetadata(VARIABLES, [...known, variable], target.constructor);
  };
}

/**
 * Binds a property to the validated value of another config class, so that each variable is declared and read by one class.
 * @param options.default where the owner's value is undefined
 */
export function FromConfig<T extends object>(
  owner: ConfigClass<T>,
  ofOwner: keyof T & string,
  options: { default?: unknown } = {},
): PropertyDecorator {
  return (target, property) => {
    const known = foreignValuesOf(target.constructor as ConfigClass<object>);
    const value = { property: String(property), owner, ofOwner, ...options };
    Reflect.defineMetadata(FOREIGN, [...known, value], target.constructor);
  };
}

export type ConfigClass<T extends object> = new () => T;

export function variablesOf(config: ConfigClass<object>): readonly Variable[] {
  return (Reflect.getMetadata(VARIABLES, config) as Variable[] | undefined) ?? [];
}

export function foreignValuesOf(config: ConfigClass<object>): readonly ForeignValue[] {
  return (Reflect.getMetadata(FOREIGN, config) as ForeignValue[] | undefined) ?? [];
}

/** The variables of a config and those behind its values of other configs, with the properties of this one. */
export function allVariablesOf(config: ConfigClass<object>): readonly Variable[] {
  const foreign = foreignValuesOf(config).flatMap(({ property, owner, ofOwner }) =>
    variablesOf(owner)
      .filter((variable) => variable.property === ofOwner)
      .map((variable) => ({ ...variable, property })),
  );
  return [...variablesOf(config), ...foreign];
}

type AnyModule = Type | DynamicModule;

/** The config classes that a module and its imports inject through `provideConfig`, without creating any. */
export function configsOf(module: AnyModule): readonly ConfigClass<object>[] {
  return [...new Set(modulesUnder(module).flatMap(providersOf).flatMap(configProvidedBy))];
}

function modulesUnder(root: AnyModule): readonly AnyModule[] {
  const found = new Set<AnyModule>([root]);
  // A Set iterates in insertion order and includes what is added meanwhile.
  for (const module of found)
    for (const imported of partsOf(module, 'imports')) found.add(imported as AnyModule);
  return [...found];
}

const providersOf = (module: AnyModule) => partsOf(module, 'providers');

/** The metadata of `@Module` and the members of a dynamic module. */
function partsOf(module: AnyModule, key: 'imports' | 'providers'): readonly unknown[] {
  if ('module' in module) return [...partsOf(module.module, key), ...((module[key] ?? []) as unknown[])];
  return (Reflect.getMetadata(key, module) as unknown[] | undefined) ?? [];
}

function configProvidedBy(provider: unknown): readonly ConfigClass<object>[] {
  const { provide, useFactory } = provider as { provide?: unknown; useFactory?: unknown };
  if (typeof provide !== 'function' || !useFactory) return [];
  const config = provide as ConfigClass<object>;
  return variablesOf(config).length > 0 ? [config] : [];
}
