import type { AskedCompletion } from '../completions/completion.js';
import { asList, asObject, asText, type Members } from '../provider/body.js';
import { invalid } from '../provider/problem.js';

/** Pixels of the size `1K`. @see https://ai.google.dev/gemini-api/docs/image-generation */
const SIZES: Readonly<Record<string, readonly [width: number, height: number]>> = {
  '1:1': [1_024, 1_024],
  '2:3': [848, 1_264],
  '3:2': [1_264, 848],
  '3:4': [896, 1_200],
  '4:3': [1_200, 896],
  '4:5': [928, 1_152],
  '5:4': [1_152, 928],
  '9:16': [768, 1_376],
  '16:9': [1_376, 768],
  '21:9': [1_584, 672],
};

const FACTORS: Readonly<Record<string, number>> = { '512': 0.5, '1K': 1, '2K': 2, '4K': 4 };

/** The picture that a model for pictures is asked for; null: text alone. @throws ProviderRefuses */
export function pictureIn({ responseModalities, imageConfig }: Members): AskedCompletion['picture'] {
  const modalities = asList(responseModalities).map((modality) => asText(modality).toUpperCase());
  if (modalities.length > 0 && !modalities.includes('IMAGE')) return null;
  const { aspectRatio = '1:1', imageSize = '1K' } = asObject(imageConfig);
  const size = SIZES[asText(aspectRatio)];
  const factor = FACTORS[asText(imageSize)];
  if (!size || factor === undefined)
    return invalid('The aspect ratio or the image size is not supported.', 'generationConfig.imageConfig');
  return { width: size[0] * factor, height: size[1] * factor, format: 'png' };
}
