/** Providers whose models the gateway can call. */
export const AI_PROVIDERS = ['openai', 'openrouter', 'anthropic', 'google'] as const;
export type AiProviderName = (typeof AI_PROVIDERS)[number];
