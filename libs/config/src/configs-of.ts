import type { DynamicModule, Type } from '@nestjs/common';
import type { ConfigClass } from './env.js';
import { variablesOf } from './env.js';

type AnyModule = Type | DynamicModule;

/** The config classes that a module and all it imports will inject through `provideConfig`, found before any is made. */
export function configsOf(module: AnyModule): readonly ConfigClass<object>[] {
  return [...new Set(modulesUnder(module).flatMap(providersOf).flatMap(configProvidedBy))];
}

function modulesUnder(root: AnyModule): readonly AnyModule[] {
  const found = new Set<AnyModule>([root]);
  // A set is walked in order and grows while it is.
  for (const module of found)
    for (const imported of partsOf(module, 'imports')) found.add(imported as AnyModule);
  return [...found];
}

const providersOf = (module: AnyModule) => partsOf(module, 'providers');

/** What `@Module` says of it, under the names by which Nest keeps that, and what it was given when it was made. */
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
