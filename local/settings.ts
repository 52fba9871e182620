import { Logger } from '@nestjs/common';
import { type Environment, loadAll, loadConfig } from '#libs/config';
import { loadService } from '#libs/http';
import { SandboxConfig } from '../sandbox/sandbox.config.js';
import { SERVICES } from '../src/services.js';
import { EmbeddedConfig } from './embedded.config.js';
import { environmentOf, localEnvironment, startsHere, valuesIn } from './environments.js';
import { usesSandbox } from './networks.js';
import { hasObjectStorage } from './local-stores.js';
import { generateSecrets } from './secrets.js';

/** Placeholders for values that are known after the start. */
const DATABASE = { DATABASE_URL: 'postgresql://127.0.0.1/not-started-yet' };
const OBJECTS = { S3_BUCKET: 'not-started-yet' };

/**
 * Validates the configuration of the start and of all its services before anything starts.
 * @throws ConfigIsInvalid with the problems of all of them
 */
export async function readSettings(given: Environment): Promise<EmbeddedConfig> {
  // Modules complain that there is more than one of them, which is what is wanted here. Each service brings a logger of its own.
  Logger.overrideLogger(false);
  const services = SERVICES.filter((service) => startsHere(given, service));
  const described = await Promise.all(
    services.map(async (service) => ({ service, describe: await loadService(service) })),
  );
  return loadAll(() => {
    const config = loadConfig(EmbeddedConfig, given);
    const environment = withDefaults(given);
    if (usesSandbox(given)) loadConfig(SandboxConfig, environment);
    for (const { service, describe } of described) describe(environmentOf(service, environment));
    return config;
  });
}

/** Addresses come from defaults, so that an invalid port is reported once and not again for each address. */
function withDefaults(given: Environment): Environment {
  const stores = { ...DATABASE, ...(hasObjectStorage(given) ? {} : OBJECTS) };
  const filled = localEnvironment({}, loadConfig(EmbeddedConfig, {}), generateSecrets(), stores);
  return { ...filled, ...valuesIn(given) };
}
