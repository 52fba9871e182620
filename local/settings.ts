import { Logger } from '@nestjs/common';
import type { Environment } from '#libs/config';
import { loadConfig, loadAll } from '#libs/config';
import { describeApi } from '../src/start-api.js';
import { describeGateway } from '../src/platform/gateway/start.js';
import { describeIdentity } from '../src/platform/identity/start.js';
import { readSandboxConfig } from '../sandbox/start.js';
import { describeWorker } from '../src/start-worker.js';
import { EmbeddedConfig } from './embedded.config.js';
import { localEnvironment, startsGateway, startsIdentity, startsSandbox, valuesIn } from './environments.js';
import { hasObjectStorage } from './object-store/local-object-storage.js';
import { generateSecrets } from './secrets.js';

/** Placeholders for values that are known after the start. */
const DATABASE = { DATABASE_URL: 'postgresql://127.0.0.1/not-started-yet' };
const OBJECTS = { S3_BUCKET: 'not-started-yet' };

/**
 * Validates the configuration of the start and of all its services before anything starts.
 * @throws ConfigIsInvalid with the problems of all of them
 */
export function readSettings(given: Environment): EmbeddedConfig {
  // Modules complain that there is more than one of them, which is what is wanted here. Each service brings a logger of its own.
  Logger.overrideLogger(false);
  return loadAll(() => {
    const config = loadConfig(EmbeddedConfig, given);
    const environment = withDefaults(given);
    if (startsSandbox(given)) readSandboxConfig(environment);
    if (startsIdentity(given)) describeIdentity(platformEnvironment(environment));
    if (startsGateway(given)) describeGateway(platformEnvironment(environment));
    describeApi(environment);
    describeWorker(environment);
    return config;
  });
}

/** Addresses come from defaults, so that an invalid port is reported once and not again for each address. */
function withDefaults(given: Environment): Environment {
  const stores = { ...DATABASE, ...(hasObjectStorage(given) ? {} : OBJECTS) };
  const filled = localEnvironment({}, loadConfig(EmbeddedConfig, {}), generateSecrets(), stores);
  return { ...filled, ...valuesIn(given) };
}

/** PUBLIC_URL is the business API's. */
export const platformEnvironment = (environment: Environment): Environment => ({
  ...environment,
  PUBLIC_URL: '',
});
