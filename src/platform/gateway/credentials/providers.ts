/** AI providers, as credentials, models and routes name them. Each has a declaration in `ai/providers/ai-providers.ts`. */
export const AI_PROVIDER_NAMES = ['openai', 'openrouter', 'anthropic', 'google'] as const;
export type AiProviderName = (typeof AI_PROVIDER_NAMES)[number];

/** Providers that credentials can be stored for. Their addresses are configuration and never part of a record. */
export const CREDENTIAL_PROVIDERS = [...AI_PROVIDER_NAMES, 'resend', 'smtp', 'stripe', 'youtube'] as const;
export type CredentialProvider = (typeof CREDENTIAL_PROVIDERS)[number];
