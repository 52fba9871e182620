import { acceptedByName } from './accepts-by-name.js';
import type { Accepts, AcceptsFacts } from './accepts.types.js';
import type { AiProviderName } from './names.js';

const OPENAI: Accepts = {
  maxTemperature: null,
  stop: true,
  tools: 'always',
  schema: 'any',
  imageSizes: 'steps',
  signatures: false,
};
/** Of a model that nothing is known of. A request works without a temperature, so it is sent only where it is known to be taken. */
const BY_DEFAULT: Readonly<Record<AiProviderName, Accepts>> = {
  openai: OPENAI,
  // It leaves out what a model does not take (openrouter.ai/docs/api/reference/parameters).
  openrouter: { ...OPENAI, maxTemperature: 2 },
  anthropic: { ...OPENAI, schema: 'closed' },
  google: { ...OPENAI, maxTemperature: 2, imageSizes: 'ratio-and-size', signatures: true },
};
/** Of requests; Anthropic's range ends at 1. */
const MAX_TEMPERATURE: Readonly<Record<AiProviderName, number>> = {
  openai: 2,
  openrouter: 2,
  anthropic: 1,
  google: 2,
};

/** Rules by name count before sources of the catalog, which have been wrong about new models, and these before the default. */
export function acceptsOf(provider: string, model: string, facts: AcceptsFacts = {}): Accepts {
  const name = provider as AiProviderName;
  const { temperature: takesTemperature, ...named } = acceptedByName(name, model);
  const byDefault = BY_DEFAULT[name];
  const temperature = takesTemperature ?? facts.temperature;
  return {
    ...byDefault,
    ...(temperature !== undefined && { maxTemperature: temperature ? MAX_TEMPERATURE[name] : null }),
    ...(facts.stop === false && { stop: false }),
    ...(facts.tools === false && { tools: 'never' }),
    ...(facts.schema === false && { schema: 'never' }),
    ...named,
  };
}
