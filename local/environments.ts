import { join } from 'node:path';
import type { Environment } from '#libs/config';
import { addressOf } from './addresses.js';
import type { EmbeddedConfig } from './embedded.config.js';
import { networkAddresses, sandboxedNetworks, usesSandbox } from './networks.js';
import { providerAddresses } from './providers.js';
import { Refusal } from './refusal.js';
import type { Secrets } from './secrets.js';

/** Variables that production must set; the embedded start generates them. */
export const productionNeeds = (): string[] => [
  'DATABASE_URL',
  'IDENTITY_URL',
  'IDENTITY_SERVICE_TOKEN',
  'PUBLIC_URL',
  'API_INTERNAL_URL',
  'INTERNAL_SERVICE_TOKEN',
  'CURSOR_SECRET',
  'TRUST_PROXY_HOPS',
  'ENCRYPTION_KEYS',
  'MEDIA_ADDRESS_KEYS',
  'S3_BUCKET',
  ...networkAddresses(),
];

/** @throws Refusal with all missing variables, so that production never uses generated values */
export function requireProductionSettings(environment: Environment): void {
  if (environment.NODE_ENV?.trim() !== 'production') return;
  const missing = productionNeeds().filter((name) => !isSet(environment, name));
  if (missing.length === 0) return;
  throw new Refusal(
    `NODE_ENV is production, where nothing is generated. Set ${missing.join(', ')}, or unset NODE_ENV to try things out.`,
  );
}

export function isSet(environment: Environment, name: string): boolean {
  return Boolean(environment[name]?.trim());
}

/** Origins of pages that use the local services: the API and CORS_ORIGINS. */
export const pageOrigins = (
  { CORS_ORIGINS = '' }: Environment,
  { host, apiPort }: EmbeddedConfig,
): string[] => [
  addressOf(host, apiPort),
  ...CORS_ORIGINS.split(',')
    .map((origin) => origin.trim())
    .filter((origin) => origin !== ''),
];

export const startsSandbox = (given: Environment): boolean => usesSandbox(given);
export const startsIdentity = (given: Environment): boolean => !isSet(given, 'IDENTITY_URL');
/** In production nothing is generated for it, and what needs it is not set up without its address. */
export const startsGateway = (given: Environment): boolean =>
  !isSet(given, 'GATEWAY_URL') && given.NODE_ENV?.trim() !== 'production';

/**
 * The environment of every local service: the given variables, with addresses and secrets for missing ones. Only these values
 * differ from production.
 */
export function localEnvironment(
  given: Environment,
  config: EmbeddedConfig,
  secrets: Secrets,
  stores: Environment,
): Environment {
  const { INTERNAL_SERVICE_TOKEN, CURSOR_SECRET, ENCRYPTION_KEYS, MEDIA_ADDRESS_KEYS } = secrets;
  const { IDENTITY_PEPPERS, IDENTITY_SERVICE_TOKEN } = secrets;
  const set = valuesIn(given);
  const api = addressOf(config.host, config.apiPort);
  const defaults = {
    INTERNAL_SERVICE_TOKEN,
    CURSOR_SECRET,
    ENCRYPTION_KEYS,
    MEDIA_ADDRESS_KEYS,
    IDENTITY_PEPPERS,
    IDENTITY_SERVICE_TOKEN,
    IDENTITY_SERVICE_TOKENS: `local:${set.IDENTITY_SERVICE_TOKEN ?? IDENTITY_SERVICE_TOKEN}`,
    ...(startsGateway(given) ? gatewayEnvironment(set, config, secrets, api) : {}),
    ...stores,
    DEPLOY_ENV: 'local',
    LOG_LEVEL: 'error',
    PUBLIC_URL: api,
    MEDIA_PUBLIC_URL: set.PUBLIC_URL ?? api,
    IDENTITY_URL: addressOf(config.host, config.identityPort),
    API_INTERNAL_URL: addressOf(config.host, config.apiManagementPort),
    ...(startsSandbox(given) ? sandboxEnvironment(set, config, secrets, api) : {}),
  };
  return { ...defaults, ...set };
}

/** The gateway's address for the services, and what it needs itself. */
function gatewayEnvironment(
  set: Environment,
  config: EmbeddedConfig,
  secrets: Secrets,
  api: string,
): Environment {
  const { GATEWAY_SERVICE_TOKEN, GATEWAY_ENCRYPTION_KEYS } = secrets;
  const caller = set.SERVICE_SLUG ?? 'social-publishing';
  return {
    GATEWAY_URL: addressOf(config.host, config.gatewayPort),
    GATEWAY_SERVICE_TOKEN,
    GATEWAY_SERVICE_TOKENS: `${caller}:${set.GATEWAY_SERVICE_TOKEN ?? GATEWAY_SERVICE_TOKEN}`,
    GATEWAY_ENCRYPTION_KEYS,
    PAYMENT_RETURN_ORIGINS: set.PUBLIC_URL === undefined ? api : new URL(set.PUBLIC_URL).origin,
  };
}

/** The sandbox's address for the services and its clients. Never used with a real network. */
function sandboxEnvironment(
  set: Environment,
  config: EmbeddedConfig,
  secrets: Secrets,
  api: string,
): Environment {
  const sandbox = `http://127.0.0.1:${config.sandboxPort}`;
  return {
    ...sandboxedNetworks(set, sandbox, secrets, set.PUBLIC_URL ?? api),
    ...providerAddresses(set, config),
    SANDBOX_PAYMENTS_WEBHOOK_URL: `${addressOf(config.host, config.gatewayPort)}/api/payments/webhooks/stripe`,
    SANDBOX_DATA: join(config.dataDirectory, 'sandbox'),
    SANDBOX_DURABLE: 'true',
    // Any other deployment does not start with an address that is exempt from checks.
    ...((set.DEPLOY_ENV ?? 'local') === 'local' && { FETCH_ALLOWED_ORIGINS: sandbox }),
  };
}

/** Without empty variables, which count as not set. */
export function valuesIn(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
}
