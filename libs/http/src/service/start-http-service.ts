import type { DynamicModule, Type } from '@nestjs/common';
import { configsOf, type Environment, loadAll, loadConfig, requireInProduction } from '#libs/config';
import type { DatabaseSettings } from '#libs/database';
import { bootstrapHttpService } from './bootstrap-http-service.js';
import { HttpConfig } from '../context/http.config.js';
import type { HttpServiceOptions, RunningService } from './running-service.js';

/** A service described from its environment. */
export interface DescribedService extends Omit<HttpServiceOptions, 'environment'> {
  readonly module: Type | DynamicModule;
  /** The service starts only when this database is reachable. */
  readonly database: DatabaseSettings;
  /** Variables that production must set although they have a default or are optional. */
  readonly requiredInProduction?: readonly string[];
}

/**
 * Reads the whole environment of the service and its feature modules before it creates anything.
 * @throws ConfigIsInvalid with all problems
 */
export function describeService(
  environment: Environment,
  describe: () => DescribedService,
): DescribedService {
  return loadAll(() => {
    loadConfig(HttpConfig, environment);
    const described = describe();
    for (const config of configsOf(described.module)) loadConfig(config, environment);
    requireInProduction(described.requiredInProduction ?? [], environment);
    return described;
  });
}

/** @throws ConfigIsInvalid with all problems, and the errors of `bootstrapHttpService` */
export async function startHttpService(
  environment: Environment,
  describe: (environment: Environment) => DescribedService,
): Promise<RunningService> {
  const { module, database: _database, ...options } = describe(environment);
  return bootstrapHttpService(module, { ...options, environment });
}
