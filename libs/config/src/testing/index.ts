import { type DynamicModule, Global, Module, type Type } from '@nestjs/common';
import type { ConfigClass } from '../env.js';
import { SETTINGS } from '../load-config.js';

/** Values for properties of a config class that have no variable. */
export type Setting = readonly [ConfigClass<object>, object];

export const setting = <T extends object>(config: ConfigClass<T>, values: Partial<T>): Setting => [
  config,
  values,
];

@Global()
@Module({})
class SettingsModule {}

/** A module whose configs have these values, also in the modules that it imports. A later value replaces an earlier one. */
export function withSettings(module: Type | DynamicModule, settings: readonly Setting[]): DynamicModule {
  const values = new Map<ConfigClass<object>, object>();
  for (const [config, given] of settings) values.set(config, { ...values.get(config), ...given });
  const provider = { provide: SETTINGS, useValue: values };
  return { module: SettingsModule, imports: [module], providers: [provider], exports: [provider] };
}
