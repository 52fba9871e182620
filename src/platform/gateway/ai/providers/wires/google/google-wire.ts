import type { CompletionRequest, ImageRequest } from '../requests.js';
import type { AiHttp } from '../ai-http.js';
import { exchange, isSuccess, JSON_TYPE, jsonBody, type Reply, type WireRequest } from '../exchange.js';
import { maxBytesOfImage, mostImagesOf } from '../image-bytes.js';
import { allModels } from '../model-pages.js';
import { streamParts } from '../stream-completion.js';
import { unsendable } from '../unsendable.js';
import type {
  AiWire,
  Asked,
  Attempted,
  Calling,
  Completion,
  CompletionPart,
  GeneratedImage,
  ListedModel,
  WireCall,
} from '../wire.js';
import { generateRequestOf } from './generate-request.js';
import { completionOf, requestIdOf } from './generate-response.js';
import { GenerateStream } from './generate-stream.js';
import { googleFailure } from './google-failures.js';
import { imageRequestOf, imageResponseOf, together } from './google-images.js';
import { modelsPageIn } from './google-models.js';

/** Google's Gemini API (ai.google.dev/api/generate-content). Keys are in a header: an address gets into logs. */
export class GoogleWire implements AiWire {
  constructor(private readonly http: AiHttp) {}

  async complete(call: WireCall, request: CompletionRequest): Promise<Attempted<Completion>> {
    const { secret } = call;
    const problem = unsendable(request, { takesAssistantImages: true, call });
    if (problem) return problem;
    const body = generateRequestOf(request, call.accepts);
    return this.attempt(call, body, {}, (reply) => completionOf(reply, secret));
  }

  async *streamCompletion(
    call: WireCall,
    request: CompletionRequest,
  ): AsyncGenerator<CompletionPart, void, undefined> {
    const { secret } = call;
    const problem = unsendable(request, { takesAssistantImages: true, call });
    if (problem) return yield problem;
    const body = generateRequestOf(request, call.accepts);
    yield* streamParts(this.http, call, modelCall(call, 'streamGenerateContent?alt=sse', body), {
      fold: (headers) => new GenerateStream(headers, secret),
      failure: (reply) => googleFailure(reply, secret),
      requestId: requestIdOf,
    });
  }

  /** A response has one image, so several are several requests at a time: as many as all of the images certainly fit. */
  async generateImages(call: WireCall, request: ImageRequest): Promise<Attempted<readonly GeneratedImage[]>> {
    const maxBytes = maxBytesOfImage(request);
    const draw = () =>
      this.attempt(call, imageRequestOf(request, call.accepts), { maxBytes, hasLongStrings: true }, (reply) =>
        imageResponseOf(reply, call.secret),
      );
    return together(await Promise.all(Array.from({ length: mostImagesOf(request) }, draw)));
  }

  listModels(call: Calling): Promise<Asked<readonly ListedModel[]>> {
    return allModels(this.http, call, {
      headers: authorized(call),
      path: (after) =>
        `/v1beta/models?pageSize=1000${after === null ? '' : `&pageToken=${encodeURIComponent(after)}`}`,
      read: modelsPageIn,
      failure: (reply) => googleFailure(reply, call.secret),
    });
  }

  private async attempt<T>(
    call: WireCall,
    body: object,
    options: Pick<WireRequest, 'maxBytes' | 'hasLongStrings'>,
    read: (reply: Reply) => Attempted<T> | Promise<Attempted<T>>,
  ): Promise<Attempted<T>> {
    const request = { ...modelCall(call, 'generateContent', body), ...options };
    const exchanged = await exchange(this.http, call, request);
    if (exchanged.kind === 'failed') return { ...exchanged, usage: null, requestId: null };
    const { reply } = exchanged;
    if (isSuccess(reply.status)) return read(reply);
    const failure = googleFailure(reply, call.secret);
    return { kind: 'failed', failure, usage: null, requestId: requestIdOf(reply) };
  }
}

const authorized = ({ secret }: Calling) => ({ 'x-goog-api-key': secret });

const modelCall = (call: WireCall, method: string, body: object): WireRequest => ({
  method: 'POST',
  path: `/v1beta/models/${encodeURIComponent(call.model)}:${method}`,
  headers: { ...authorized(call), ...JSON_TYPE },
  ...jsonBody(body),
});
