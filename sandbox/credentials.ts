/** The app that is registered with every network. */
export interface SandboxClient {
  readonly id: string;
  /** Null: a public client of X, which sends its id only. */
  readonly secret: string | null;
}

export const SANDBOX_CLIENT = { id: 'sandbox-client', secret: 'sandbox-secret' };

/** API keys that the AI providers of a new sandbox accept. */
export const SANDBOX_AI_KEYS: Readonly<Record<'openai' | 'openrouter' | 'anthropic' | 'google', string>> = {
  openai: 'sk-sandbox-openai',
  openrouter: 'sk-or-sandbox-openrouter',
  anthropic: 'sk-ant-sandbox-anthropic',
  google: 'AIza-sandbox-google',
};

/** Accepted by the AI gateway, in X-AI-Gateway-Token. */
export const SANDBOX_AI_GATEWAY_TOKEN = 'sandbox-ai-gateway-token';

/** Of the mail server. */
export const SANDBOX_MAILBOX = { user: 'sandbox', password: 'sandbox-mail-password' };

/** The first account at Resend, and the signing secret of its events. */
export const SANDBOX_RESEND = {
  key: 're_sandbox_0123456789abcdef',
  webhookSecret: `whsec_${Buffer.from('webhook secret of the sandbox').toString('base64')}`,
};

/** The first account at the payment provider, and the signing secret of its events. */
export const SANDBOX_PAYMENTS = {
  key: 'sk_test_sandboxPlatformAccount0000',
  webhookSecret: 'whsec_sandboxPlatformEndpoint00000',
};
