import { type Environment, isSet, loadConfig, variablesOf } from '#libs/config';
import { AiAddressesConfig } from '../src/platform/gateway/ai/providers/ai.config.js';
import type { AiProviderName, DefaultModels, PlatformDefault } from '../src/platform/gateway/operator.js';
import { QuotaConfig } from '../src/platform/gateway/video/quota/quota.config.js';
import {
  SANDBOX_AI_KEYS,
  SANDBOX_MAILBOX,
  SANDBOX_PAYMENTS,
  SANDBOX_RESEND,
} from '../sandbox/credentials.js';
import type { EmbeddedConfig } from './embedded.config.js';

/** A provider that the sandbox stands in for, unless its address is set. */
interface SandboxedProvider {
  /** Variable of the address. */
  readonly variable: string;
  readonly address: (config: EmbeddedConfig) => string;
  /** The default of the platform that works there. */
  readonly credential: Omit<PlatformDefault, 'label'>;
}

const LOOPBACK = '127.0.0.1';
const LABEL = 'Sandbox';

const inSandbox =
  (path: string) =>
  ({ sandboxPort }: EmbeddedConfig): string =>
    `http://${LOOPBACK}:${sandboxPort}${path}`;

/** The sandbox serves an AI provider at the path that its variable names: GOOGLE_AI_URL is /google-ai. */
const AI_PROVIDERS = variablesOf(AiAddressesConfig).map(({ name: variable, property }): SandboxedProvider => {
  const provider = property as AiProviderName;
  return {
    variable,
    address: inSandbox(`/${variable.replace(/_URL$/, '').replaceAll('_', '-').toLowerCase()}`),
    credential: { provider, secret: SANDBOX_AI_KEYS[provider] },
  };
});

const withWebhooks = ({ key, webhookSecret }: { readonly key: string; readonly webhookSecret: string }) => ({
  secret: { key, webhookSecrets: [webhookSecret] },
});

const PROVIDERS: readonly SandboxedProvider[] = [
  ...AI_PROVIDERS,
  {
    variable: 'RESEND_URL',
    address: inSandbox('/resend'),
    credential: { provider: 'resend', ...withWebhooks(SANDBOX_RESEND) },
  },
  {
    variable: 'STRIPE_URL',
    address: ({ sandboxPaymentsPort }) => `http://${LOOPBACK}:${sandboxPaymentsPort}`,
    credential: { provider: 'stripe', ...withWebhooks(SANDBOX_PAYMENTS) },
  },
];

const isInSandbox = (given: Environment, { variable }: SandboxedProvider): boolean => !isSet(given, variable);

/** Addresses of providers in the sandbox, for the gateway. */
export const providerAddresses = (given: Environment, config: EmbeddedConfig): Environment => ({
  MODEL_CATALOG_URL: inSandbox('/model-catalog')(config),
  DNS_QUERY_URL: inSandbox('/dns/resolve')(config),
  EMAIL_PLATFORM_SENDER: 'Content Operations <no-reply@platform.invalid>',
  ...Object.fromEntries(
    PROVIDERS.filter((provider) => isInSandbox(given, provider)).map(({ variable, address }) => [
      variable,
      address(config),
    ]),
  ),
});

/** Credentials that work in the sandbox, as defaults of the platform. Never for a provider whose address is set. */
export function sandboxCredentials(
  given: Environment,
  environment: Environment,
  config: EmbeddedConfig,
): PlatformDefault[] {
  const smtp = { host: LOOPBACK, port: config.sandboxMailPort, secure: false, ...SANDBOX_MAILBOX };
  return [
    ...PROVIDERS.filter((provider) => isInSandbox(given, provider)).map(({ credential }) => ({
      ...credential,
      label: LABEL,
    })),
    { provider: 'smtp', secret: smtp, label: LABEL },
    { provider: 'youtube', project: loadConfig(QuotaConfig, environment).project, label: LABEL },
  ];
}

/** Models that the sandbox answers as, with fallbacks at other providers. */
export const SANDBOX_MODELS: readonly DefaultModels[] = [
  {
    capability: 'completions',
    defaultModel: 'openai/gpt-5.4-mini',
    fallbackChain: ['anthropic/claude-haiku-4-5', 'google/gemini-3.5-flash'],
  },
  {
    capability: 'images',
    defaultModel: 'openai/gpt-image-2',
    fallbackChain: ['google/gemini-3.1-flash-lite-image'],
  },
  {
    capability: 'transcriptions',
    defaultModel: 'openai/gpt-transcribe',
    fallbackChain: ['openai/whisper-1'],
  },
];
