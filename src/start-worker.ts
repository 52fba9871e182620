import type { Environment } from '#libs/config';
import { loadConfig, processEnvironment } from '#libs/config';
import { DatabaseConfig } from '#libs/database';
import type { DescribedService, RunningService } from '#libs/http';
import { describeService, runEntry, startHttpService } from '#libs/http';
import { AddressesConfig } from './api/addresses.config.js';
import { AppModule } from './app.module.js';

/** The worker as an environment describes it. */
export function describeWorker(environment: Environment): DescribedService {
  return describeService(environment, () => {
    const { workerManagementPort } = loadConfig(AddressesConfig, environment);
    return {
      module: AppModule.forWorker(environment),
      database: loadConfig(DatabaseConfig, environment),
      requiredInProduction: ['API_INTERNAL_URL', 'INTERNAL_SERVICE_TOKEN', 'MEDIA_PUBLIC_URL'],
      service: 'worker',
      managementPort: workerManagementPort,
    };
  });
}

/** Starts the worker: due posts, reactions and sweeps. Run any number of replicas; leases distribute the work. */
export function startWorker(environment: Environment = processEnvironment()): Promise<RunningService> {
  return startHttpService(environment, describeWorker);
}

/** For the entry file: runs until a signal. */
export const runWorker = (): Promise<void> => runEntry('The worker', describeWorker);
