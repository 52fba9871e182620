/** Providers that credentials can be stored for. Their addresses are configuration and never part of a record. */
export const CREDENTIAL_PROVIDERS = [
  'openai',
  'openrouter',
  'anthropic',
  'google',
  'resend',
  'smtp',
  'stripe',
  'youtube',
] as const;
export type CredentialProvider = (typeof CREDENTIAL_PROVIDERS)[number];
