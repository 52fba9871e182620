import type { OutboundHeaders } from '#libs/outbound-http';
import { CompletionWire } from '../wires/completion-wire.js';
import {
  exchange,
  type Exchanged,
  isSuccess,
  posted,
  type Reply,
  type WireRequest,
} from '../wires/exchange.js';
import { maxBytesOfImages } from '../wires/image-bytes.js';
import type { CompletionRequest, ImageRequest, TranscriptionRequest } from '../wires/requests.js';
import type {
  Asked,
  Attempted,
  Calling,
  GeneratedImage,
  ListedModel,
  Transcript,
  WireCall,
} from '../wires/wire.js';
import { chatRequestOf } from './chat-request.js';
import { chatResponseOf, requestIdOf } from './chat-response.js';
import { ChatStream } from './chat-stream.js';
import { errorIn, openAiFailure } from './openai-failures.js';
import { imageRequestOf, imageResponseOf } from './openai-images.js';
import { modelsIn } from './openai-models.js';
import { transcriptionRequestOf, transcriptionResponseOf } from './openai-transcriptions.js';

/** What every provider with OpenAI's wire has: chat completions and a list of models. */
export class OpenAiChatWire extends CompletionWire {
  override readonly requestId = requestIdOf;
  override readonly failure = openAiFailure;
  protected override readonly completionIn = chatResponseOf;

  override fold(headers: OutboundHeaders, secret: string): ChatStream {
    return new ChatStream(headers, secret);
  }

  async listModels(call: Calling): Promise<Asked<readonly ListedModel[]>> {
    const exchanged = await this.askForModels(call);
    return exchanged.kind === 'failed' ? exchanged : listIn(exchanged.reply, call.secret);
  }

  protected askForModels(call: Calling): Promise<Exchanged> {
    return exchange(this.http, call, { method: 'GET', path: '/v1/models', headers: authorized(call) });
  }

  protected completionCall(call: WireCall, request: CompletionRequest, isStreamed: boolean): WireRequest {
    return posted('/v1/chat/completions', authorized(call), {
      model: call.model,
      ...chatRequestOf(request, call.accepts),
      ...(isStreamed && { stream: true, stream_options: { include_usage: true } }),
    });
  }
}

function listIn(reply: Reply, secret: string): Asked<readonly ListedModel[]> {
  const models = isSuccess(reply.status) ? modelsIn(reply.body) : null;
  return models
    ? { kind: 'answered', value: models }
    : { kind: 'failed', failure: openAiFailure(reply, secret) };
}

export const authorized = ({ secret }: Pick<WireCall, 'secret'>) => ({ authorization: `Bearer ${secret}` });

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
    const drawing = {
      ...posted('/v1/images/generations', authorized(call), imageRequestOf(call, request)),
      hasLongStrings: true,
      maxBytes: maxBytesOfImages(request),
    };
    return this.attempt(call, drawing, (reply) => imageResponseOf(reply, call.secret));
  }

  async transcribe(call: WireCall, request: TranscriptionRequest): Promise<Attempted<Transcript>> {
    const { contentType, body } = await transcriptionRequestOf(call.model, request);
    const headers = { ...authorized(call), 'content-type': contentType };
    const asked = { method: 'POST', path: '/v1/audio/transcriptions', headers, body } as const;
    return this.attempt(call, asked, (reply) => transcriptionResponseOf(reply, call.secret));
  }
}
