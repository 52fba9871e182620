import { ACCEPTS, type AiProviderDeclaration, OTHER_KINDS } from '../ai-provider.types.js';
import { openAiImageTokens } from './openai-images.js';
import { OpenAiWire } from './openai-wire.js';

export const openai: AiProviderDeclaration = {
  name: 'openai',
  address: {
    variable: 'OPENAI_URL',
    description: 'Base address of the OpenAI API, without /v1.',
    default: 'https://api.openai.com',
  },
  wire: OpenAiWire,
  accepts: ACCEPTS,
  maxTemperature: 2,
  acceptsByName: [
    [/^(gpt-3\.5|gpt-4|chatgpt-4|gpt-5\.[1-4](?!\d)|gpt-5.*-chat)/, { temperature: true }],
    [/^(o\d|gpt-5(?![.\d])(?!.*-chat)|gpt-5\.([5-9]|\d\d)|gpt-([6-9]|\d\d)(?!\d))/, { temperature: false }],
    [/^gpt-(5\.([5-9]|\d\d)|([6-9]|\d\d)(?!\d))/, { tools: 'without-reasoning' }],
    [/^(o3|o4-mini|gpt-5(?![.\d])(?!.*-chat))/, { stop: false }],
    [/^gpt-image-1(?!\d)/, { imageSizes: 'three' }],
  ],
  // `-pro`, codex and research models are served by the route for responses only (developers.openai.com, models).
  serves: [
    [/^(gpt-image|chatgpt-image|dall-e)/, ['images']],
    [/^whisper|transcribe/, ['transcriptions']],
    [OTHER_KINDS, null],
    [
      /-pro(-|$)|codex|deep-research|audio|instruct|-image|^(ada|babbage|curie|davinci|text-|ft:)|\.ft-/,
      null,
    ],
    [/^(gpt-|chatgpt-|o\d)/, ['completions']],
  ],
  withoutReasoning: /^(gpt-3\.5|gpt-4|chatgpt-4)/,
  imageTokens: openAiImageTokens,
  // The price per minute of its token models is that of 17, text included.
  audioTokensPerSecond: 12,
  // Its image models answer with images only.
  pricedAs: [{ quantity: 'outputImageTokens', as: 'outputTokens', capability: 'images' }],
};
