import type { ImageRequest, TranscriptionRequest } from '../requests.js';
import { JSON_TYPE, jsonBody } from '../exchange.js';
import { maxBytesOfImages } from '../image-bytes.js';
import type { Asked, Attempted, Calling, GeneratedImage, Transcript, WireCall } from '../wire.js';
import { authorized, listIn, OpenAiChatWire } from './openai-chat-wire.js';
import { errorIn } from './openai-failures.js';
import { imageRequestOf, imageResponseOf } from './openai-images.js';
import { transcriptionRequestOf, transcriptionResponseOf } from './openai-transcriptions.js';

/** Of a restricted key without the permission to list models (developers.openai.com, API keys). */
const MAY_NOT_LIST =
  /^you have insufficient permissions for this operation\. missing scopes: api\.model\.read\b/i;

/** OpenAI itself: chat completions, images and transcriptions (developers.openai.com/api/reference). */
export class OpenAiWire extends OpenAiChatWire {
  /** A restricted key can use models that it may not list. */
  async checkCredential(call: Calling): Promise<Asked<null>> {
    const exchanged = await this.askForModels(call);
    if (exchanged.kind === 'failed') return exchanged;
    const { reply } = exchanged;
    const listed = listIn(reply, call.secret);
    const isAccepted = listed.kind === 'answered' || MAY_NOT_LIST.test(String(errorIn(reply.body).message));
    return isAccepted ? { kind: 'answered', value: null } : listed;
  }

  generateImages(call: WireCall, request: ImageRequest): Promise<Attempted<readonly GeneratedImage[]>> {
    return this.attempt(
      call,
      {
        method: 'POST',
        path: '/v1/images/generations',
        headers: { ...authorized(call), ...JSON_TYPE },
        ...jsonBody(imageRequestOf(call, request)),
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
