import type { DynamicModule, Type } from '@nestjs/common';
import type { Environment } from '#libs/config';
import type { DatabaseSettings } from '#libs/database';
import { configsOf, loadConfig, loadTogether, requireInProduction } from '#libs/config';
import { bootstrapHttpService } from './bootstrap-http-service.js';
import { HttpConfig } from './http.config.js';
import type { HttpServiceOptions } from './options.js';
import type { RunningService } from './running-service.js';

/** A service as its environment describes it. */
export interface DescribedService extends Omit<HttpServiceOptions, 'environment'> {
  readonly module: Type | DynamicModule;
  /** What the service cannot start without; its entry waits for it. */
  readonly database: DatabaseSettings;
  /** Variables that must be set in production, besides those that are without a default everywhere. */
  readonly productionNeeds?: readonly string[];
}

/**
 * Reads the whole environment of the service and its feature modules before it creates anything.
 * @throws ConfigIsInvalid with all problems
 */
export function describeService(
  environment: Environment,
  describe: () => DescribedService,
): DescribedService {
  return loadTogether(() => {
    loadConfig(HttpConfig, environment);
    const described = describe();
    for (const config of configsOf(described.module)) loadConfig(config, environment);
    requireInProduction(described.productionNeeds ?? [], environment);
    return described;
  });
}

/** @throws ConfigIsInvalid with all problems, and whatever `bootstrapHttpService` throws */
export async function startHttpService(
  environment: Environment,
  describe: (environment: Environment) => DescribedService,
): Promise<RunningService> {
  const { module, database: _database, ...options } = describe(environment);
  return bootstrapHttpService(module, { ...options, environment });
}
