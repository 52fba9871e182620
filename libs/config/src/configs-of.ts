import type { DynamicModule, Type } from '@nestjs/common';
import { type ConfigClass, variablesOf } from './env.js';

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
