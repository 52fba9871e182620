import type { Environment } from '#libs/config';
import { loadConfig, processEnvironment } from '#libs/config';
import type { DescribedService, RunningService } from '#libs/http';
import { describeService, runEntry, startHttpService } from '#libs/http';
import { identityApi } from './api-description.js';
import { IdentityProcessConfig } from './identity-process.config.js';
import { identityDatabase, IdentityModule } from './identity.module.js';

/** The identity service for an environment. */
export function describeIdentity(environment: Environment): DescribedService {
  return describeService(environment, () => {
    const { port, managementPort } = loadConfig(IdentityProcessConfig, environment);
    return {
      module: IdentityModule.forRoot(environment),
      database: identityDatabase(environment),
      requiredInProduction: ['PUBLIC_URL'],
      service: 'identity',
      port,
      managementPort,
      api: identityApi,
      bodies: { form: (path) => path === '/api/auth/revoke' },
    };
  });
}

/** Starts identity. The service is stateless and can have any number of replicas. */
export function startIdentity(environment: Environment = processEnvironment()): Promise<RunningService> {
  return startHttpService(environment, describeIdentity);
}

/** For the entry file: runs until a signal. */
export const runIdentity = (): Promise<void> => runEntry('The identity service', describeIdentity);
