import type { Environment } from '#libs/config';
import { loadConfig, processEnvironment } from '#libs/config';
import type { RunningService } from '#libs/http';
import { bootstrapHttpService, runEntry } from '#libs/http';
import { AddressesConfig } from './addresses.config.js';
import { apiDescription } from './api-description.js';
import { AppModule } from './app.module.js';

/** Starts the business API. Stateless: run as many as needed. */
export function startApi(environment: Environment = processEnvironment()): Promise<RunningService> {
  const { apiPort, apiManagementPort } = loadConfig(AddressesConfig, environment);
  return bootstrapHttpService(AppModule.forApi(environment), {
    service: 'api',
    environment,
    port: apiPort,
    managementPort: apiManagementPort,
    api: apiDescription,
  });
}

if (import.meta.main) await runEntry('The business API', startApi);
