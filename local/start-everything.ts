import { join, resolve } from 'node:path';
import { type Environment, isSet } from '#libs/config';
import { inSentence, type RunningService, startService } from '#libs/http';
import { migrate } from '../src/operator/apply-migrations.js';
import { ensurePlatformCredentials, ensurePlatformModels } from '../src/platform/gateway/operator.js';
import { gatewayService } from '../src/platform/gateway/service.js';
import { identityService } from '../src/platform/identity/service.js';
import { SERVICES } from '../src/services.js';
import { startSandbox } from '../sandbox/start.js';
import type { CliOptions } from './command-line.js';
import { ensureFolder } from './data-folder.js';
import { hasObjectStorage, startLocalDatabase, startLocalObjectStorage } from './local-stores.js';
import { ensureDemo } from './demo/ensure-demo.js';
import { prefillForms } from './demo/prefilled-forms.js';
import { writeShellFile } from './demo/shell-file.js';
import type { EmbeddedConfig } from './embedded.config.js';
import {
  addressesIn,
  environmentOf,
  localEnvironment,
  pageOrigins,
  requireProductionSettings,
  startsHere,
} from './environments.js';
import { usesSandbox } from './networks.js';
import { claim } from './data-folder-claim.js';
import type { Parts } from './parts.js';
import { assertPortsUsable } from './ports.js';
import { SANDBOX_MODELS, sandboxCredentials } from './providers.js';
import { removeData } from './reset.js';
import type { Everything } from './summary.js';
import { ensureSecrets, type Secrets } from './secrets.js';
import { readSettings } from './settings.js';

/** @param sentence what ended and what to do */
export type PartLost = (sentence: string) => void;

/**
 * Starts everything on one machine, except parts whose address is set (DATABASE_URL, S3_*, IDENTITY_URL, GATEWAY_URL, those of networks).
 * @param parts receives the started parts; stop them through it, also after an error
 * @param lost called when a required part ends unexpectedly
 * @throws Refusal, ConfigIsInvalid with the invalid settings of all parts, or the error of a part that does not start
 */
export async function startEverything(
  given: Environment,
  options: CliOptions,
  parts: Parts,
  lost: PartLost,
): Promise<Everything> {
  requireProductionSettings(given);
  const config = await readSettings(given);
  const environment = await prepare(given, config, options, parts, lost);
  await parts.run(() => migrate(environment));
  if (startsHere(given, gatewayService) && usesSandbox(given)) {
    const defaults = sandboxCredentials(given, environment, config);
    const platform = environmentOf(gatewayService, environment);
    await parts.run(() => ensurePlatformCredentials(platform, defaults));
    await parts.run(() => ensurePlatformModels(platform, SANDBOX_MODELS));
  }
  const services = await startServices(environment, given, parts);
  const addresses = addressesIn(environment);
  if (options.empty) return { addresses, withoutDemo: '--empty; one that is there already is kept' };
  if (!startsHere(given, identityService) || !usesSandbox(given))
    return { addresses, withoutDemo: 'it needs an identity and a sandbox that are started here' };
  const folder = resolve(config.dataDirectory);
  const outcome = await parts.run(() => ensureDemo(addresses, folder, given));
  if (outcome.demo) {
    await writeShellFile(join(folder, 'demo.env'), addresses, outcome.demo);
    prefillForms(services, addresses.identity, outcome.demo);
  }
  return { addresses, ...outcome };
}

/** Prepares the data folder, its secrets and its stores. */
async function prepare(
  given: Environment,
  config: EmbeddedConfig,
  options: CliOptions,
  parts: Parts,
  lost: PartLost,
): Promise<Environment> {
  const folder = resolve(config.dataDirectory);
  await ensureFolder(folder);
  await parts.start(
    'The claim on the data folder',
    () => claim(folder),
    (held) => held.release(),
  );
  await assertPortsUsable(given, config);
  if (options.reset) await removeData(folder, options, given);
  const secrets = await ensureSecrets(join(folder, 'secrets.json'));
  const stores = await startStores(given, config, secrets, parts, lost);
  return localEnvironment(given, config, secrets, stores);
}

/** @returns the variables with the addresses of the stores */
async function startStores(
  given: Environment,
  config: EmbeddedConfig,
  secrets: Secrets,
  parts: Parts,
  lost: PartLost,
): Promise<Environment> {
  const folder = resolve(config.dataDirectory);
  const found: Record<string, string> = {};
  if (!isSet(given, 'DATABASE_URL')) {
    const start = () => startLocalDatabase(folder, secrets.postgresPassword, lost);
    const { databaseUrl } = await parts.start('PostgreSQL', start, (server) => server.stop());
    found.DATABASE_URL = databaseUrl;
  }
  if (!hasObjectStorage(given)) {
    const origins = pageOrigins(given);
    const start = () => startLocalObjectStorage(folder, secrets.objectStorageSecret, origins);
    const { environment } = await parts.start('Object storage', start, (server) => server.stop());
    Object.assign(found, environment);
  }
  return found;
}

/** @returns the services with an API for callers */
async function startServices(
  environment: Environment,
  given: Environment,
  parts: Parts,
): Promise<RunningService[]> {
  if (usesSandbox(given)) {
    await parts.start(
      'The sandbox',
      () => startSandbox(environment),
      (sandbox) => sandbox.stop(),
    );
  }
  const services: RunningService[] = [];
  for (const service of SERVICES.toReversed().filter((each) => startsHere(given, each))) {
    const start = () => startService(service, environmentOf(service, environment));
    const running = await parts.start(`The ${inSentence(service)}`, start, (each) => each.close());
    if (service.port) services.push(running);
  }
  return services;
}
