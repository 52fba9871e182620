import { ACCEPTS, type AiProviderDeclaration, OTHER_KINDS } from '../ai-provider.types.js';
import { OpenRouterWire } from './openrouter-wire.js';

export const openrouter: AiProviderDeclaration = {
  name: 'openrouter',
  address: {
    variable: 'OPENROUTER_URL',
    description: 'Base address of the OpenRouter API, without /v1.',
    default: 'https://openrouter.ai/api',
  },
  wire: OpenRouterWire,
  // It leaves out what a model does not take (openrouter.ai/docs/api/reference/parameters).
  accepts: { ...ACCEPTS, maxTemperature: 2 },
  maxTemperature: 2,
  acceptsByName: [[/^anthropic\//, { schema: 'closed' }]],
  serves: [
    [OTHER_KINDS, null],
    [/whisper|transcribe|-image/, null],
    [/\//, ['completions']],
    [/^/, null],
  ],
  namesVendors: true,
};
