import type { AiProviderName } from '../../credentials/providers.js';
import type { AcceptedByName } from './ai-provider.types.js';
import { AI_PROVIDERS } from './ai-providers.js';
import type { Accepts, AcceptsFacts } from './wires/wire.js';

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
