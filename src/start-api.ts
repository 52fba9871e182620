import type { Environment } from '#libs/config';
import { loadConfig, processEnvironment } from '#libs/config';
import { DatabaseConfig } from '#libs/database';
import type { DescribedService, RunningService } from '#libs/http';
import { describeService, runEntry, startHttpService } from '#libs/http';
import { AddressesConfig } from './api/addresses.config.js';
import { apiDescription } from './api/api-description.js';
import { AppModule } from './app.module.js';

/** Upload routes, which read their bodies themselves. Ignores case like the router. */
const UPLOADS = /^\/api\/contacts\/(import|[^/]+\/attachments)\/?$/i;
/** Callbacks that a network signs, and the form that confirms a connect. */
const FORMS = /^\/api\/integrations\/[^/]+\/(deauthorize|data-deletion|connect\/start)\/?$/i;

/** The business API as an environment describes it. */
export function describeApi(environment: Environment): DescribedService {
  return describeService(environment, () => {
    const { apiPort, apiManagementPort } = loadConfig(AddressesConfig, environment);
    return {
      module: AppModule.forApi(environment),
      database: loadConfig(DatabaseConfig, environment),
      requiredInProduction: [
        'PUBLIC_URL',
        'IDENTITY_URL',
        'IDENTITY_SERVICE_TOKEN',
        'API_INTERNAL_URL',
        'INTERNAL_SERVICE_TOKEN',
      ],
      service: 'api',
      port: apiPort,
      managementPort: apiManagementPort,
      api: apiDescription,
      bodies: {
        unparsed: (path, type) => type === 'multipart/form-data' && UPLOADS.test(path),
        form: (path) => FORMS.test(path),
      },
    };
  });
}

/** Starts the business API. Stateless: run any number of replicas. */
export function startApi(environment: Environment = processEnvironment()): Promise<RunningService> {
  return startHttpService(environment, describeApi);
}

/** For the entry file: runs until a signal. */
export const runApi = (): Promise<void> => runEntry('The business API', describeApi);
