import type { ImageRequest } from '../../providers/wires/requests.js';
import type { AiCapability } from '../../../access/attribution.js';
import { googleUsage } from '../../providers/google/google-usage.js';
import { imageUsage, transcriptionUsage } from '../../providers/openai/openai-usage.js';
import type { Usage } from '../../usage/spend/quantities.js';
import { estimateOf } from './estimates.js';
import { isPricedFor, pricesFor } from './priced-for.js';
import { costOf, type Prices } from './prices.js';

const BY_TOKENS = { inputAudioTokens: '6', outputTokens: '10' };
const BY_HOUR = { audioHours: '0.36' };

describe('a model is priced', () => {
  it.each<[AiCapability, string, Prices | null, boolean]>([
    ['completions', 'a-model', { inputTokens: '1', outputTokens: '2' }, true],
    ['completions', 'a-model', { inputTokens: '1' }, false],
    ['completions', 'a-model', { inputTokens: '0', outputTokens: '0' }, false],
    ['completions', 'a-model', { inputTokens: '0', outputTokens: '0', images: '0.04' }, false],
    ['completions', 'a-model', { inputTokens: '0', outputTokens: '2' }, true],
    ['completions', 'a-model', null, false],
    ['images', 'a-model', { inputTokens: '1', outputTokens: '2' }, false],
    ['images', 'a-model', { inputTokens: '1', outputImageTokens: '30' }, true],
    ['images', 'a-model', { images: '0.04' }, true],
    ['images', 'a-model', { inputTokens: '0', outputTokens: '0', images: '0.04' }, true],
    ['images', 'a-model', { inputTokens: '0', outputImageTokens: '0', outputTokens: '5' }, false],
    ['transcriptions', 'a-model', BY_HOUR, true],
    ['transcriptions', 'a-model', BY_TOKENS, true],
    ['transcriptions', 'a-model', { inputTokens: '1', outputTokens: '2' }, false],
    ['transcriptions', 'openai/whisper-1', BY_HOUR, true],
    ['transcriptions', 'openai/whisper-1', BY_TOKENS, false],
    ['transcriptions', 'gpt-transcribe', BY_HOUR, true],
    ['transcriptions', 'gpt-4o-mini-transcribe', BY_TOKENS, true],
    ['transcriptions', 'gpt-4o-mini-transcribe', BY_HOUR, false],
    ['transcriptions', 'gpt-4o-transcribe', { ...BY_HOUR, ...BY_TOKENS }, true],
  ])('for %s of %s with %j: %s', (capability, model, prices, expected) => {
    expect(isPricedFor(capability, model, prices)).toBe(expected);
    expect(pricesFor(capability, model, prices) !== null).toBe(expected);
  });
});

/** What the wires read from responses. */
const drawn = { input_tokens: 20, output_tokens: 1_056, input_tokens_details: { text_tokens: 20 } };
const USAGES: readonly [AiCapability, string, Prices, Usage | null, bigint][] = [
  ['images', 'gpt-image-2', { images: '0.04' }, imageUsage(drawn, 1), 40_000_000n],
  ['images', 'gpt-image-2', { images: '0.04', inputTokens: '1' }, imageUsage(drawn, 2), 80_020_000n],
  [
    ...(['images', 'gemini-3.1-flash-image', { images: '0.04' }] as const),
    googleUsage({ promptTokenCount: 9, candidatesTokenCount: 1_300, thoughtsTokenCount: 80 }, 1),
    40_000_000n,
  ],
  [
    ...(['images', 'gemini-3.1-flash-image', { images: '0.04' }] as const),
    googleUsage({ promptTokenCount: 9 }, 0),
    0n,
  ],
  [
    ...(['transcriptions', 'whisper-1', BY_HOUR] as const),
    transcriptionUsage({ type: 'duration', seconds: 10 }),
    1_000_000n,
  ],
  [
    ...(['transcriptions', 'gpt-4o-transcribe', { ...BY_TOKENS, ...BY_HOUR }] as const),
    transcriptionUsage({ type: 'tokens', input_tokens: 100, output_tokens: 10 }),
    700_000n,
  ],
];

describe('a list that prices a model', () => {
  it.each(USAGES)('for %s of %s, %j, gives responses a cost', (capability, model, prices, usage, cost) => {
    expect(usage).not.toBeNull();
    expect(costOf(pricesFor(capability, model, prices), usage as Usage)).toBe(cost);
  });

  it('per image alone gives requests an estimate', () => {
    const request: ImageRequest = {
      prompt: 'a lighthouse',
      count: 2,
      width: 1024,
      height: 1024,
      quality: 'high',
      format: 'png',
    };
    const prices = pricesFor('images', 'gpt-image-2', { images: '0.04' });
    expect(
      estimateOf(prices, { capability: 'images', provider: 'openai', imageSizes: 'steps', request }),
    ).toBe(80_000_000n);
  });

  it('by tokens does not include text that an image model writes', () => {
    const prices = { inputTokens: '1', outputImageTokens: '30', images: '0.04' };
    expect(pricesFor('images', 'a-model', prices)).toEqual(prices);
  });
});
