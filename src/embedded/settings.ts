import { Logger } from '@nestjs/common';
import type { Environment } from '#libs/config';
import { loadConfig, loadAll } from '#libs/config';
import { describeApi } from '../start-api.js';
import { describeIdentity } from '../platform/identity/start.js';
import { readSandboxConfig } from '../sandbox/start.js';
import { describeWorker } from '../start-worker.js';
import { EmbeddedConfig } from './embedded.config.js';
import { localEnvironment, startsIdentity, startsSandbox, valuesIn } from './environments.js';
import { hasObjectStorage } from './object-storage.js';
import { inventSecrets } from './secrets.js';

/** In place of what is only known once it runs. */
const DATABASE = { DATABASE_URL: 'postgresql://127.0.0.1/not-started-yet' };
const OBJECTS = { S3_BUCKET: 'not-started-yet' };

/**
 * Reads what the start and every service that it will start read later, before anything is there that had to be taken down.
 * @throws ConfigIsInvalid with all that is wrong for any of them
 */
export function readSettings(given: Environment): EmbeddedConfig {
  // Modules complain that there is more than one of them, which is what is wanted here. Each service brings a logger of its own.
  Logger.overrideLogger(false);
  return loadAll(() => {
    const config = loadConfig(EmbeddedConfig, given);
    const environment = filledIn(given);
    if (startsSandbox(given)) readSandboxConfig(environment);
    if (startsIdentity(given)) describeIdentity(identityEnvironment(environment));
    describeApi(environment);
    describeWorker(environment);
    return config;
  });
}

/** From defaults, not from what is set: what is wrong with a port is said once, and not again of every address with it. */
function filledIn(given: Environment): Environment {
  const stores = { ...DATABASE, ...(hasObjectStorage(given) ? {} : OBJECTS) };
  const filled = localEnvironment({}, loadConfig(EmbeddedConfig, {}), inventSecrets(), stores);
  return { ...filled, ...valuesIn(given) };
}

/** PUBLIC_URL is the business API's. */
export const identityEnvironment = (environment: Environment): Environment => ({
  ...environment,
  PUBLIC_URL: '',
});
