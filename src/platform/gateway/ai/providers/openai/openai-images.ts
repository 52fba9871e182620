import type { Accepts, Attempted, GeneratedImage, WireCall } from '../wires/wire.js';
import type { Reply } from '../wires/exchange.js';
import { failureOf } from '../wires/failure.js';
import { imageOf } from '../wires/image-bytes.js';
import { LongString } from '../wires/long-strings.js';
import type { ImageRequest } from '../wires/requests.js';
import { list, record, text } from '../wires/values.js';
import { requestIdOf } from './chat-response.js';
import { openAiFailure } from './openai-failures.js';
import { imageUsage } from './openai-usage.js';

type ImageSize = Pick<ImageRequest, 'width' | 'height'>;

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

const MEGAPIXEL = 1024 * 1024;
/** Output tokens of a megapixel, in proportion to the area. Source: developers.openai.com, image generation, cost. */
const TOKENS = { low: 272, medium: 1_056, high: 4_160 };

export function openAiImageTokens(request: ImageRequest, imageSizes: Accepts['imageSizes']): number {
  const { width, height } = openAiImageSizeOf(imageSizes, request);
  return Math.ceil((TOKENS[request.quality ?? 'high'] * width * height) / MEGAPIXEL);
}

/** The body of `POST /v1/images/generations`. GPT image models take no `response_format`. */
export function imageRequestOf(
  { model, accepts }: Pick<WireCall, 'model' | 'accepts'>,
  request: ImageRequest,
) {
  const { prompt, count, quality, format } = request;
  const { width, height } = openAiImageSizeOf(accepts.imageSizes, request);
  return {
    model,
    prompt,
    n: count,
    size: `${width}x${height}`,
    ...(quality !== null && { quality }),
    output_format: format,
  };
}

/** A successful response: `{data: [{b64_json, revised_prompt?}], usage}`. */
export async function imageResponseOf(
  reply: Reply,
  secret: string,
): Promise<Attempted<readonly GeneratedImage[]>> {
  const body = record(reply.body);
  const data = list(body.data);
  const usage = imageUsage(body.usage, data.length);
  const requestId = requestIdOf(reply);
  if ((body.error ?? null) !== null)
    return { kind: 'failed', failure: openAiFailure(reply, secret), usage, requestId };
  const images: GeneratedImage[] = [];
  for (const one of data) {
    const { b64_json: base64, revised_prompt: prompt } = record(one);
    const isText = typeof base64 === 'string' || base64 instanceof LongString;
    const image = isText ? await imageOf(base64) : null;
    if (image) images.push({ ...image, revisedPrompt: text(prompt) });
  }
  if (images.length > 0)
    return { kind: 'answered', value: images, model: text(body.model), usage, requestId };
  const failure = failureOf('unreadable', { status: reply.status, code: 'IMAGE_NOT_WHOLE', secret });
  return { kind: 'failed', failure, usage, requestId };
}
