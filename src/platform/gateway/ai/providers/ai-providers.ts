import type { AiProviderName } from '../../credentials/providers.js';
import type { AcceptedByName, AiProviderDeclaration } from './ai-provider.types.js';
import { anthropic } from './anthropic/anthropic.provider.js';
import { google } from './google/google.provider.js';
import { openai } from './openai/openai.provider.js';
import { openrouter } from './openrouter/openrouter.provider.js';
import type { Accepts, AcceptsFacts } from './wires/wire.js';

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

/** Rules by name count before sources of the catalog, which have been wrong about new models, and these before the default. */
export function acceptsOf(provider: string, model: string, facts: AcceptsFacts = {}): Accepts {
  const { accepts, maxTemperature, acceptsByName } = AI_PROVIDERS[provider as AiProviderName];
  const named = acceptsByName.filter(([pattern]) => pattern.test(model)).map(([, accepted]) => accepted);
  const { temperature = facts.temperature, ...others } = Object.assign({}, ...named) as AcceptedByName;
  return {
    ...accepts,
    ...(temperature !== undefined && { maxTemperature: temperature ? maxTemperature : null }),
    ...(facts.stop === false && { stop: false }),
    ...(facts.tools === false && { tools: 'never' }),
    ...(facts.schema === false && { schema: 'never' }),
    ...others,
  };
}
