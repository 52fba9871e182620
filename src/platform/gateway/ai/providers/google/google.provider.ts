import { ACCEPTS, type AiProviderDeclaration, OTHER_KINDS } from '../ai-provider.types.js';
import { googleImageTokens } from './google-images.js';
import { GoogleWire } from './google-wire.js';

export const google: AiProviderDeclaration = {
  name: 'google',
  address: {
    variable: 'GOOGLE_AI_URL',
    description: 'Base address of the Gemini API, without /v1beta.',
    default: 'https://generativelanguage.googleapis.com',
  },
  wire: GoogleWire,
  accepts: { ...ACCEPTS, maxTemperature: 2, imageSizes: 'ratio-and-size', signatures: true },
  maxTemperature: 2,
  acceptsByName: [
    [/^gemini-[12]\b/, { signatures: false }],
    [/^gemini-2.*-image/, { imageSizes: 'ratio' }],
  ],
  serves: [
    [OTHER_KINDS, null],
    [/^gemini.*-image/, ['images']],
    [/audio|omni/, null],
    [/^(gemini|gemma)-/, ['completions']],
    [/^claude/, null],
  ],
  withoutReasoning: /^(gemini-1|gemini-2\.0|gemma-[123])/,
  imageTokens: googleImageTokens,
  audioTokensPerSecond: 32,
  // It lists the price of audio only where it differs from that of text.
  pricedAs: [{ quantity: 'inputAudioTokens', as: 'inputTokens' }],
};
