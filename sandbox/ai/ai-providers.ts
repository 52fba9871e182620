import { SANDBOX_AI_KEYS } from '../credentials.js';
import type { Route } from '../wire/router.js';
import { anthropic, anthropicRoutes } from './anthropic/anthropic.js';
import { google, googleRoutes } from './google/google.js';
import { openai, openaiRoutes, openrouter, openrouterRoutes } from './openai/openai.js';
import type { AiProvider, AiWorld } from './provider/provider.js';

/** A provider with its address and its routes. */
export interface ServedProvider {
  readonly provider: AiProvider;
  /** First segment of its paths. */
  readonly prefix: string;
  readonly standsFor: string;
  readonly routes: readonly Route[];
}

export function servedProviders(world: AiWorld): readonly ServedProvider[] {
  const [gpt, router, claude, gemini] = [
    openai(world, SANDBOX_AI_KEYS.openai),
    openrouter(world, SANDBOX_AI_KEYS.openrouter),
    anthropic(world, SANDBOX_AI_KEYS.anthropic),
    google(world, SANDBOX_AI_KEYS.google),
  ];
  return [
    { provider: gpt, prefix: 'openai', standsFor: 'api.openai.com', routes: openaiRoutes(gpt) },
    {
      provider: router,
      prefix: 'openrouter',
      standsFor: 'openrouter.ai/api',
      routes: openrouterRoutes(router),
    },
    {
      provider: claude,
      prefix: 'anthropic',
      standsFor: 'api.anthropic.com',
      routes: anthropicRoutes(claude),
    },
    {
      provider: gemini,
      prefix: 'google-ai',
      standsFor: 'generativelanguage.googleapis.com',
      routes: googleRoutes(gemini),
    },
  ];
}
