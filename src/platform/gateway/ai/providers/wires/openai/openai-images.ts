import type { ImageRequest } from '../requests.js';
import type { Reply } from '../exchange.js';
import { failureOf } from '../failures.js';
import { imageOf } from '../image-bytes.js';
import { LongString } from '../long-strings.js';
import { list, record, text } from '../values.js';
import type { Attempted, GeneratedImage, WireCall } from '../wire.js';
import { requestIdOf } from './chat-response.js';
import { openAiImageSizeOf } from './image-size.js';
import { openAiFailure } from './openai-failures.js';
import { imageUsage } from './openai-usage.js';

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
