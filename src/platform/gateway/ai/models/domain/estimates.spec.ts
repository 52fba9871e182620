import type {
  CompletionRequest,
  ImageRequest,
  TranscriptionRequest,
} from '../../providers/wires/requests.js';
import { imageRequestOf } from '../../providers/google/google-images.js';
import { estimateOf } from './estimates.js';
import { dollarsOf, type Prices } from './prices.js';

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
const audio = (bytes: number): TranscriptionRequest => ({
  file: { name: 'a', mediaType: 'audio/wav', bytes: Buffer.alloc(bytes) },
  language: null,
  prompt: null,
});

const IMAGE_SIZES: Readonly<Record<string, 'steps' | 'ratio-and-size'>> = { google: 'ratio-and-size' };

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

  it('of a completion has 5 000 tokens for each image', () => {
    const content = [1, 2].map(() => ({ type: 'image', mediaType: 'image/png', data: '' }) as const);
    const request = { ...text(''), messages: [{ role: 'user', content } as const], maxTokens: 1 };
    expect(estimateOf({ inputTokens: '1', outputTokens: '0' }, { capability: 'completions', request })).toBe(
      10_008_000n,
    );
  });

  it.each<[string, Partial<ImageRequest>, string]>([
    ['openai', {}, '0.499212'],
    ['openai', { quality: null }, '0.499212'],
    ['openai', { quality: 'low', count: 1 }, '0.016332'],
    ['google', {}, '0.103212'],
    ['google', { count: 1, height: 2048 }, '0.067212'],
  ])('of an image at %s with %j is its tokens by size and quality', (provider, changes, expected) => {
    const request = { ...image, ...changes };
    expect(
      dollarsOf(
        estimateOf(prices, {
          capability: 'images',
          provider,
          imageSizes: IMAGE_SIZES[provider] ?? 'steps',
          request,
        }) ?? -1n,
      ),
    ).toBe(expected);
  });

  it.each([
    [1536, 256, null, 1_290],
    [1537, 256, '2K', 1_680],
    [256, 3072, '2K', 1_680],
    [4096, 256, '4K', 2_520],
  ])(
    'of an image of %i × %i at google is that of the size that is requested',
    (width, height, size, tokens) => {
      const request = { ...image, prompt: '', count: 1, width, height };
      const { generationConfig } = imageRequestOf(request, { imageSizes: 'ratio-and-size' }) as {
        generationConfig: { imageConfig: object };
      };
      expect(generationConfig.imageConfig).toEqual({
        aspectRatio: expect.any(String) as string,
        ...(size && { imageSize: size }),
      });
      const list: Prices = { inputTokens: '0', outputImageTokens: '1' };
      expect(
        estimateOf(list, { capability: 'images', provider: 'google', imageSizes: 'ratio-and-size', request }),
      ).toBe(BigInt(tokens) * 1_000n);
    },
  );

  it('of an image with a price per image is that price', () => {
    const perImage: Prices = { inputTokens: '0', images: '0.04' };
    expect(
      estimateOf(perImage, {
        capability: 'images',
        provider: 'openai',
        imageSizes: 'steps',
        request: image,
      }),
    ).toBe(80_000_000n);
  });

  it.each<[number, Prices, string]>([
    [75_000, { audioHours: '0.36' }, '0.01'],
    [74_251, { audioHours: '0.36' }, '0.01'],
    [7_500, { inputTokens: '1', inputAudioTokens: '6', outputTokens: '10' }, '0.00122'],
  ])('of a recording is the longest duration of %i bytes, with %j', (bytes, list, expected) => {
    const request = audio(bytes);
    const estimate = estimateOf(list, { capability: 'transcriptions', provider: 'openai', request });
    expect(dollarsOf(estimate ?? -1n)).toBe(expected);
  });

  it('is null without a price of something that the request will consume', () => {
    const request = text('x');
    expect(estimateOf(null, { capability: 'completions', request })).toBeNull();
    expect(estimateOf({ inputTokens: '1' }, { capability: 'completions', request })).toBeNull();
    expect(
      estimateOf(
        { inputTokens: '1' },
        { capability: 'images', provider: 'openai', imageSizes: 'steps', request: image },
      ),
    ).toBeNull();
  });
});
