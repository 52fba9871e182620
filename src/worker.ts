import type { Environment } from '#libs/config';
import { loadConfig, processEnvironment } from '#libs/config';
import type { RunningService } from '#libs/http';
import { bootstrapHttpService, runEntry } from '#libs/http';
import { AddressesConfig } from './addresses.config.js';
import { AppModule } from './app.module.js';

/** Starts the worker: what is due, what follows from events, what must be swept. Run as many as needed; leases share the work out. */
export function startWorker(environment: Environment = processEnvironment()): Promise<RunningService> {
  const { workerManagementPort } = loadConfig(AddressesConfig, environment);
  return bootstrapHttpService(AppModule.forWorker(environment), {
    service: 'worker',
    environment,
    managementPort: workerManagementPort,
  });
}

if (import.meta.main) await runEntry('The worker', startWorker);
