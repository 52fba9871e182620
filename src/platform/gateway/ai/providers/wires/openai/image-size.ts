import type { Accepts } from '../../accepts.types.js';
import type { ImageRequest } from '../requests.js';

export type ImageSize = Pick<ImageRequest, 'width' | 'height'>;

/** developers.openai.com, guides/image-generation: what a stated size must keep to since gpt-image-2. */
const STEP = 16;
const MAX_SIDE = 3_840;
const MAX_RATIO = 3;
const PIXELS = { least: 655_360, most: 8_294_400 };

const THREE_SIZES: readonly ImageSize[] = [
  { width: 1_024, height: 1_024 },
  { width: 1_536, height: 1_024 },
  { width: 1_024, height: 1_536 },
];

/**
 * The size that is requested of OpenAI, and billed: near the one of the request, in its proportions where the model can. Other sizes
 * are refused.
 */
export const openAiImageSizeOf = (imageSizes: Accepts['imageSizes'], size: ImageSize): ImageSize =>
  imageSizes === 'three' ? nearestOf(THREE_SIZES, size) : inSteps(size);

function nearestOf(sizes: readonly ImageSize[], size: ImageSize): ImageSize {
  const ratioOf = ({ width, height }: ImageSize) => Math.log(width / height);
  const distance = (each: ImageSize) => Math.abs(ratioOf(each) - ratioOf(size));
  return sizes.reduce((nearest, each) => (distance(each) < distance(nearest) ? each : nearest));
}

interface Sides {
  readonly long: number;
  readonly short: number;
}

const pixelsOf = ({ long, short }: Sides): number => long * short;
const fits = (sides: Sides): boolean =>
  sides.long <= MAX_SIDE && pixelsOf(sides) >= PIXELS.least && pixelsOf(sides) <= PIXELS.most;

function inSteps({ width, height }: ImageSize): ImageSize {
  const sides = scaled(Math.max(width, height), Math.min(width, height));
  // To the nearest step, unless that leaves the limits which the exact size keeps.
  const { long, short } = stepsOf(sides).find(fits) ?? { long: 1_024, short: 1_024 };
  return width >= height ? { width: long, height: short } : { width: short, height: long };
}

/** Within the limits, of any number of pixels. */
function scaled(longest: number, shortest: number): Sides {
  const sides = { long: longest, short: Math.max(shortest, longest / MAX_RATIO) };
  const most = Math.min(MAX_SIDE / sides.long, Math.sqrt(PIXELS.most / pixelsOf(sides)));
  const least = Math.sqrt(PIXELS.least / pixelsOf(sides));
  const factor = Math.max(least, Math.min(most, 1));
  return { long: sides.long * factor, short: sides.short * factor };
}

const stepsOf = ({ long, short }: Sides): Sides[] =>
  [Math.round, Math.ceil, Math.floor].map((round) => {
    const steps = round(long / STEP);
    return { long: steps * STEP, short: Math.max(round(short / STEP), Math.ceil(steps / MAX_RATIO)) * STEP };
  });
