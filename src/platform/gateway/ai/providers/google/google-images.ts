import { type Failure, failureOf, mayBeBilled } from '../wires/failure.js';
import type { Accepts, Attempted, GeneratedImage } from '../wires/wire.js';
import type { ImageRequest } from '../wires/requests.js';
import type { Reply } from '../wires/exchange.js';
import { googleImageSizeOf, imageOf } from '../wires/image-bytes.js';
import { record, text } from '../wires/values.js';
import { blockReasonOf, endOf, generatedIn, requestIdOf } from './generate-response.js';
import { googleFailure } from './google-failures.js';
import { googleUsage, sumOf } from './google-usage.js';

/** ai.google.dev/gemini-api/docs/image-generation. */
const RATIOS = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'] as const;

/** Output tokens per image, the most of its models. Source: ai.google.dev, pricing. */
const TOKENS = { '1K': 1_290, '2K': 1_680, '4K': 2_520 };

export const googleImageTokens = (request: ImageRequest, imageSizes: Accepts['imageSizes']): number =>
  TOKENS[googleImageSizeOf(request, imageSizes)];

export type OneImage = Attempted<readonly GeneratedImage[]>;

/** The body of `generateContent` for one image: a response has one. The format and quality are the model's choice. */
export function imageRequestOf(request: ImageRequest, { imageSizes }: Pick<Accepts, 'imageSizes'>): object {
  const { prompt, width, height } = request;
  const imageSize = googleImageSizeOf(request, imageSizes);
  return {
    contents: [{ role: 'user', parts: [{ text: prompt }] }],
    generationConfig: {
      responseModalities: ['TEXT', 'IMAGE'],
      // Models without a choice of size refuse `imageSize`; 1K is what the others draw without it.
      imageConfig: { aspectRatio: ratioOf(width, height), ...(imageSize !== '1K' && { imageSize }) },
    },
  };
}

/** The ratio that is nearest, by proportion: 2:1 and 1:2 are equally far from 1:1. */
export function ratioOf(width: number, height: number): (typeof RATIOS)[number] {
  const distance = (ratio: string) => {
    const [wide = 1, high = 1] = ratio.split(':').map(Number);
    return Math.abs(Math.log(width / height) - Math.log(wide / high));
  };
  return RATIOS.reduce((nearest, ratio) => (distance(ratio) < distance(nearest) ? ratio : nearest));
}

export async function imageResponseOf(reply: Reply, secret: string): Promise<OneImage> {
  const { status } = reply;
  const body = record(reply.body);
  const requestId = requestIdOf(reply);
  const generated = generatedIn(body);
  const data = generated?.images ?? [];
  const usage = googleUsage(body.usageMetadata, data.length);
  const failed = (failure: Failure): OneImage => ({ kind: 'failed', failure, usage, requestId });
  if ('error' in body || Array.isArray(reply.body)) return failed(googleFailure(reply, secret));
  const blocked = blockReasonOf(body);
  if (blocked !== null) return failed(failureOf('policy', { status, code: blocked, secret }));
  const reason = generated?.finishReason ?? null;
  const end = endOf(reason, { hasText: data.length > 0, hasCalls: false, hasUnread: false });
  if (end === 'policy' || end === 'content_filter')
    return failed(failureOf('policy', { status, code: reason, secret }));
  const images: GeneratedImage[] = [];
  for (const base64 of data) {
    const image = await imageOf(base64);
    if (image) images.push({ ...image, revisedPrompt: null });
  }
  if (end === 'unreadable' || images.length === 0)
    return failed(failureOf('unreadable', { status, code: reason, secret }));
  return { kind: 'answered', value: images, model: text(body.modelVersion), usage, requestId };
}

/**
 * One outcome of several responses. Images that were drawn, and billed, are given to the caller also when some are missing.
 * @param parts at least one
 */
export function together(parts: readonly OneImage[]): OneImage {
  const counted = parts.filter((part) => part.kind === 'answered' || part.usage !== null);
  const usage = counted.length > 0 ? sumOf(counted.map((part) => part.usage)) : null;
  const isUsagePartial = parts.some(isUncounted);
  const drawn = parts.filter((part) => part.kind === 'answered');
  const [first] = drawn;
  if (first) return { ...first, value: drawn.flatMap(({ value }) => value), usage, isUsagePartial };
  return { ...(parts[0] as OneImage), usage, isUsagePartial };
}

const isUncounted = (part: OneImage) =>
  part.kind === 'failed' && part.usage === null && mayBeBilled(part.failure);
