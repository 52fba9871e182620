import type { ImageRequest, TranscriptionRequest } from '../../requests.js';
import { JSON_TYPE, jsonBody } from '../exchange.js';
import { maxBytesOfImages } from '../image-bytes.js';
import type { Attempted, GeneratedImage, Transcript, WireCall } from '../wire.js';
import { authorized, OpenAiChatWire } from './openai-chat-wire.js';
import { imageRequestOf, imageResponseOf } from './openai-images.js';
import { transcriptionRequestOf, transcriptionResponseOf } from './openai-transcriptions.js';

/** OpenAI itself: chat completions, images and transcriptions (developers.openai.com/api/reference). */
export class OpenAiWire extends OpenAiChatWire {
  generateImages(call: WireCall, request: ImageRequest): Promise<Attempted<readonly GeneratedImage[]>> {
    return this.attempt(
      call,
      {
        method: 'POST',
        path: '/v1/images/generations',
        headers: { ...authorized(call), ...JSON_TYPE },
        ...jsonBody({ model: call.model, ...imageRequestOf(request) }),
        hasLongStrings: true,
        maxBytes: maxBytesOfImages(request),
      },
      (reply) => imageResponseOf(reply, call.secret),
    );
  }

  async transcribe(call: WireCall, request: TranscriptionRequest): Promise<Attempted<Transcript>> {
    const { contentType, body } = await transcriptionRequestOf(call.model, request);
    return this.attempt(
      call,
      {
        method: 'POST',
        path: '/v1/audio/transcriptions',
        headers: { ...authorized(call), 'content-type': contentType },
        body,
      },
      (reply) => transcriptionResponseOf(reply, call.secret),
    );
  }
}
