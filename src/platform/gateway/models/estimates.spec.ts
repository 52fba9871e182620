import type { CompletionRequest, ImageRequest, TranscriptionRequest } from '../ai-providers/requests.js';
import { estimateOf } from './estimates.js';
import type { Prices } from './prices.js';
import { dollarsOf } from './prices.js';

const text = (content: string): CompletionRequest => ({
  system: null,
  messages: [{ role: 'user', content: [{ type: 'text', text: content }] }],
  maxTokens: 1_000,
  temperature: null,
  stop: [],
  tools: [],
  toolChoice: null,
  responseSchema: null,
});
const image: ImageRequest = {
  prompt: 'a lighthouse',
  count: 2,
  width: 1024,
  height: 1536,
  quality: 'high',
  format: 'png',
};
const audio = (bytes: number, mediaType: string): TranscriptionRequest => ({
  file: { name: 'a', mediaType, bytes: Buffer.alloc(bytes) },
  language: null,
  prompt: null,
});

describe('the estimate of a request', () => {
  const prices: Prices = { inputTokens: '1', outputTokens: '10', outputImageTokens: '40' };

  it('of a completion is its text and as many tokens as the response may have', () => {
    const estimate = estimateOf(prices, { capability: 'completions', request: text('x'.repeat(276)) });
    expect(estimate).toBe(100_000n + 10_000_000n);
  });

  it('of a completion counts images, tools and the schema of the response', () => {
    const plain = estimateOf(prices, { capability: 'completions', request: text('x') }) ?? 0n;
    const parts: Partial<CompletionRequest>[] = [
      { system: 'Be brief.' },
      { tools: [{ name: 'find', description: 'Finds.', parameters: { type: 'object' } }] },
      { responseSchema: { name: 'result', schema: { type: 'object' } } },
      { messages: [{ role: 'user', content: [{ type: 'image', mediaType: 'image/png', data: '' }] }] },
    ];
    for (const part of parts)
      expect(
        estimateOf(prices, { capability: 'completions', request: { ...text('x'), ...part } }),
      ).toBeGreaterThan(plain);
  });

  it.each<[string, Partial<ImageRequest>, string]>([
    ['openai', {}, '0.499212'],
    ['openai', { quality: null }, '0.499212'],
    ['openai', { quality: 'low', count: 1 }, '0.016332'],
    ['google', {}, '0.134412'],
  ])('of an image at %s with %j is its tokens by size and quality', (provider, changes, expected) => {
    const request = { ...image, ...changes };
    expect(dollarsOf(estimateOf(prices, { capability: 'images', provider, request }) ?? -1n)).toBe(expected);
  });

  it('of an image with a price per image is that price', () => {
    const perImage: Prices = { inputTokens: '0', images: '0.04' };
    expect(estimateOf(perImage, { capability: 'images', provider: 'openai', request: image })).toBe(
      80_000_000n,
    );
  });

  it.each<[string, number, Prices, string]>([
    ['audio/wav', 320_000, { audioHours: '0.36' }, '0.001'],
    ['audio/mpeg', 320_000, { audioHours: '0.36' }, '0.008'],
    ['audio/wav', 320_000, { inputTokens: '1', inputAudioTokens: '6', outputTokens: '10' }, '0.00122'],
  ])('of %s with %i bytes is its longest duration', (type, bytes, list, expected) => {
    const request = audio(bytes, type);
    const estimate = estimateOf(list, { capability: 'transcriptions', provider: 'openai', request });
    expect(dollarsOf(estimate ?? -1n)).toBe(expected);
  });

  it('is null without a price of something that the request will consume', () => {
    const request = text('x');
    expect(estimateOf(null, { capability: 'completions', request })).toBeNull();
    expect(estimateOf({ inputTokens: '1' }, { capability: 'completions', request })).toBeNull();
    expect(
      estimateOf({ inputTokens: '1' }, { capability: 'images', provider: 'openai', request: image }),
    ).toBeNull();
  });
});
