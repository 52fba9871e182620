import type { CompletionRequest } from '../requests.js';
import type { AiHttp } from '../ai-http.js';
import { exchange, isSuccess, JSON_TYPE, jsonBody, type WireRequest } from '../exchange.js';
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
  ListedModel,
  WireCall,
} from '../wire.js';
import { anthropicFailure } from './anthropic-failures.js';
import { modelsPageIn } from './anthropic-models.js';
import { messagesRequestOf } from './messages-request.js';
import { messagesResponseOf, requestIdOf } from './messages-response.js';
import { MessagesStream } from './messages-stream.js';

const VERSION = '2023-06-01';

/** Anthropic's messages (platform.claude.com/docs/en/api/messages). It has neither images nor transcriptions. */
export class AnthropicWire implements AiWire {
  constructor(private readonly http: AiHttp) {}

  async complete(call: WireCall, request: CompletionRequest): Promise<Attempted<Completion>> {
    const { secret } = call;
    const problem = unsendable(request, { takesAssistantImages: false, call });
    if (problem) return problem;
    const exchanged = await exchange(this.http, call, messagesCall(call, request, {}));
    if (exchanged.kind === 'failed') return { ...exchanged, usage: null, requestId: null };
    const { reply } = exchanged;
    if (isSuccess(reply.status)) return messagesResponseOf(reply, secret);
    const failure = anthropicFailure(reply, secret);
    return { kind: 'failed', failure, usage: null, requestId: requestIdOf(reply) };
  }

  async *streamCompletion(
    call: WireCall,
    request: CompletionRequest,
  ): AsyncGenerator<CompletionPart, void, undefined> {
    const { secret } = call;
    const problem = unsendable(request, { takesAssistantImages: false, call });
    if (problem) return yield problem;
    yield* streamParts(this.http, call, messagesCall(call, request, { stream: true }), {
      fold: (headers) => new MessagesStream(headers, secret),
      failure: (reply) => anthropicFailure(reply, secret),
      requestId: requestIdOf,
    });
  }

  listModels(call: Calling): Promise<Asked<readonly ListedModel[]>> {
    return allModels(this.http, call, {
      headers: authorized(call),
      path: (after) =>
        `/v1/models?limit=1000${after === null ? '' : `&after_id=${encodeURIComponent(after)}`}`,
      read: modelsPageIn,
      failure: (reply) => anthropicFailure(reply, call.secret),
    });
  }
}

const authorized = ({ secret }: Calling) => ({ 'x-api-key': secret, 'anthropic-version': VERSION });

const messagesCall = (call: WireCall, request: CompletionRequest, options: object): WireRequest => ({
  method: 'POST',
  path: '/v1/messages',
  headers: { ...authorized(call), ...JSON_TYPE },
  ...jsonBody({ model: call.model, ...messagesRequestOf(request, call.accepts), ...options }),
});
