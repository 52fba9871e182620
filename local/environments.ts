import { join } from 'node:path';
import { type Environment, isProduction, isSet, loadConfig } from '#libs/config';
import { baseUrlOf, HttpConfig, processConfigOf, type ServiceDeclaration } from '#libs/http';
import { BUSINESS_API_SLUG } from '#libs/platform-client';
import { apiService } from '../src/api/service.js';
import { gatewayService } from '../src/platform/gateway/service.js';
import { SERVICES } from '../src/services.js';
import type { EmbeddedConfig } from './embedded.config.js';
import {
  networkAddresses,
  sandboxAddressIn,
  sandboxClients,
  sandboxedNetworks,
  usesSandbox,
} from './networks.js';
import { providerAddresses } from './providers.js';
import { Refusal } from './refusal.js';
import type { Secrets } from './secrets.js';

/** Addresses of the parts by slug, without a trailing slash; empty for a part that does not run. */
export interface Addresses extends Readonly<Record<string, string>> {
  readonly api: string;
  readonly identity: string;
  readonly gateway: string;
  readonly sandbox: string;
  /** The payment provider of the sandbox, or the real one. */
  readonly payments: string;
}

/** Callable addresses for wildcard hosts. */
const LOOPBACK_OF: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** The local addresses of a service for an environment. */
function addressesOf(
  service: ServiceDeclaration,
  environment: Environment,
): { readonly url: string; readonly managementUrl: string } {
  const { host } = loadConfig(HttpConfig, environment);
  const { port = 0, managementPort } = loadConfig(processConfigOf(service), environment);
  const at = (each: number) => baseUrlOf(LOOPBACK_OF[host] ?? host, each);
  return { url: at(port), managementUrl: at(managementPort) };
}

/** Variables that production must set; the embedded start generates them. */
export const productionNeeds = (): string[] => [
  'DATABASE_URL',
  'IDENTITY_URL',
  'IDENTITY_SERVICE_TOKEN',
  'PUBLIC_URL',
  'API_INTERNAL_URL',
  'TRUST_PROXY_HOPS',
  'S3_BUCKET',
  ...Object.keys(apiService.secrets),
  ...networkAddresses(),
];

/** @throws Refusal with all missing variables, so that production never uses generated values */
export function requireProductionSettings(environment: Environment): void {
  if (!isProduction(environment)) return;
  const missing = productionNeeds().filter((name) => !isSet(environment, name));
  if (missing.length === 0) return;
  throw new Refusal(
    `NODE_ENV is production, where nothing is generated. Set ${missing.join(', ')}, or unset NODE_ENV to try things out.`,
  );
}

/** Origins of pages that use the local services: the API and CORS_ORIGINS. */
export const pageOrigins = (given: Environment): string[] => [
  addressesOf(apiService, given).url,
  ...(given.CORS_ORIGINS ?? '')
    .split(',')
    .map((origin) => origin.trim())
    .filter((origin) => origin !== ''),
];

/**
 * Whether a service runs on this machine: its address is not set. In production nothing is generated for a platform service, and what
 * needs it is not set up without its address.
 */
export const startsHere = (given: Environment, { urlVariable }: ServiceDeclaration): boolean =>
  urlVariable === undefined || (!isSet(given, urlVariable) && !isProduction(given));

/** The environment of one service: PUBLIC_URL is the business API's. */
export const environmentOf = ({ urlVariable }: ServiceDeclaration, environment: Environment): Environment =>
  urlVariable === undefined ? environment : { ...environment, PUBLIC_URL: '' };

/**
 * The environment of all local services: the given variables, with addresses and secrets for missing ones. Only these values differ
 * from production.
 */
export function localEnvironment(
  given: Environment,
  config: EmbeddedConfig,
  secrets: Secrets,
  stores: Environment,
): Environment {
  const set = valuesIn(given);
  const { url: api, managementUrl } = addressesOf(apiService, given);
  const defaults = {
    ...(Object.assign(
      {},
      ...SERVICES.filter((service) => startsHere(given, service)).map((service) => ({
        ...addressVariable(service, given),
        ...secretVariables(service, set, secrets),
      })),
    ) as Environment),
    ...stores,
    DEPLOY_ENV: 'local',
    LOG_LEVEL: 'error',
    PUBLIC_URL: api,
    MEDIA_PUBLIC_URL: set.PUBLIC_URL ?? api,
    API_INTERNAL_URL: managementUrl,
    PAYMENT_RETURN_ORIGINS: set.PUBLIC_URL === undefined ? api : new URL(set.PUBLIC_URL).origin,
    ...(usesSandbox(given) ? sandboxEnvironment(set, config, api) : {}),
  };
  // The sandbox knows its own app only.
  return { ...defaults, ...set, ...sandboxClients(given) };
}

const addressVariable = (service: ServiceDeclaration, given: Environment): Environment =>
  service.urlVariable === undefined ? {} : { [service.urlVariable]: addressesOf(service, given).url };

/** Its generated secrets, and the token that the business API sends to it. */
function secretVariables(
  { secrets: names, callers }: ServiceDeclaration,
  set: Environment,
  secrets: Secrets,
): Environment {
  const own = Object.fromEntries(Object.keys(names).map((name) => [name, secrets[name]]));
  if (!callers) return own;
  return { ...own, [callers.accept]: `${BUSINESS_API_SLUG}:${set[callers.send] ?? secrets[callers.send]}` };
}

/** The sandbox's address for the services and its clients. Never used with a real network. */
function sandboxEnvironment(set: Environment, config: EmbeddedConfig, api: string): Environment {
  const sandbox = `http://127.0.0.1:${config.sandboxPort}`;
  const gateway = addressesOf(gatewayService, set).url;
  return {
    ...sandboxedNetworks(set, sandbox, set.PUBLIC_URL ?? api),
    ...providerAddresses(set, config),
    SANDBOX_RESEND_WEBHOOK_URL: `${gateway}/api/email/webhooks/resend`,
    SANDBOX_PAYMENTS_WEBHOOK_URL: `${gateway}/api/payments/webhooks/stripe`,
    SANDBOX_DATA: join(config.dataDirectory, 'sandbox'),
    SANDBOX_DURABLE: 'true',
    // Any other deployment does not start with an address that is exempt from checks.
    ...((set.DEPLOY_ENV ?? 'local') === 'local' && { FETCH_ALLOWED_ORIGINS: sandbox }),
  };
}

/** The addresses of the parts in the environment of the local services. */
export function addressesIn(environment: Environment): Addresses {
  const { PUBLIC_URL: api = '', IDENTITY_URL: identity = '', GATEWAY_URL: gateway = '' } = environment;
  const others = SERVICES.flatMap(({ slug, urlVariable }) =>
    urlVariable === undefined ? [] : [[slug, environment[urlVariable] ?? ''] as const],
  );
  return {
    ...Object.fromEntries(others),
    api,
    identity,
    gateway,
    sandbox: sandboxAddressIn(environment),
    payments: environment.STRIPE_URL ?? '',
  };
}

/** Without empty variables, which count as not set. */
export function valuesIn(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
}
