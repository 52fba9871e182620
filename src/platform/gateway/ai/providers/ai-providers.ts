import type { AiProviderName } from '../../credentials/providers.js';
import type { AiProviderDeclaration } from './ai-provider.types.js';
import { anthropic } from './anthropic/anthropic.provider.js';
import { google } from './google/google.provider.js';
import { openai } from './openai/openai.provider.js';
import { openrouter } from './openrouter/openrouter.provider.js';

/** The AI providers by name. Another one is its folder, a line here and its name in `credentials/providers.ts`. */
export const AI_PROVIDERS: Readonly<Record<AiProviderName, AiProviderDeclaration>> = {
  openai,
  openrouter,
  anthropic,
  google,
};

/** Of a name that is stored, or that a request has. */
export const aiProviderNamed = (name: string): AiProviderDeclaration | undefined =>
  Object.hasOwn(AI_PROVIDERS, name) ? AI_PROVIDERS[name as AiProviderName] : undefined;
