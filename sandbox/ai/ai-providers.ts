import type { Route } from '../wire/router.js';
import { anthropic, anthropicRoutes } from './anthropic/anthropic.js';
import type { SandboxAiConfig } from './ai.config.js';
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

export function servedProviders(world: AiWorld, config: SandboxAiConfig): readonly ServedProvider[] {
  const [gpt, router, claude, gemini] = [
    openai(world, config.openai),
    openrouter(world, config.openrouter),
    anthropic(world, config.anthropic),
    google(world, config.google),
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
