import { acceptsOf } from '../ai-providers.js';
import { openAiImageSizeOf } from './openai-images.js';

const sizeOf = (model: string, width: number, height: number): string => {
  const size = openAiImageSizeOf(acceptsOf('openai', model).imageSizes, { width, height });
  return `${size.width}x${size.height}`;
};

describe('the size of an image at OpenAI', () => {
  it.each([
    [1_024, 1_024, '1024x1024'],
    [1_536, 1_024, '1536x1024'],
    [3_840, 2_160, '3840x2160'],
    [1_080, 1_080, '1088x1088'],
    [1_080, 1_350, '1088x1344'],
    [1_080, 1_920, '1088x1920'],
    [1_200, 630, '1200x624'],
    [1_080, 566, '1120x592'],
    [64, 64, '816x816'],
    [4_096, 4_096, '2880x2880'],
    [1_024, 64, '1408x480'],
    [1_064, 355, '1408x480'],
  ])('is near the one of the request, %i × %i, in steps of 16', (width, height, expected) => {
    expect(sizeOf('gpt-image-2', width, height)).toBe(expected);
  });

  it('keeps to every limit for all sizes of the contract', () => {
    for (let width = 64; width <= 4_096; width += 7)
      for (let height = 64; height <= 4_096; height += 11) {
        const size = openAiImageSizeOf('steps', { width, height });
        const [short, long] = [size.width, size.height].sort((a, b) => a - b) as [number, number];
        const isKept =
          short % 16 === 0 &&
          long % 16 === 0 &&
          long <= 3_840 &&
          long <= 3 * short &&
          long * short >= 655_360 &&
          long * short <= 8_294_400 &&
          (width > height ? size.width >= size.height : width === height || size.width <= size.height);
        if (!isKept) throw new Error(`${width}x${height} becomes ${size.width}x${size.height}.`);
      }
  });

  it.each(['gpt-image-1', 'gpt-image-1-mini', 'gpt-image-1.5'])('is one of three for %s', (model) => {
    expect([
      sizeOf(model, 1_080, 1_080),
      sizeOf(model, 1_080, 1_350),
      sizeOf(model, 1_200, 630),
      sizeOf(model, 64, 64),
    ]).toEqual(['1024x1024', '1024x1536', '1536x1024', '1024x1024']);
  });
});
