import type { CompletionRequest } from '../requests.js';
import type { AiHttp } from '../ai-http.js';
import {
  exchange,
  type Exchanged,
  isSuccess,
  JSON_TYPE,
  jsonBody,
  type Reply,
  type WireRequest,
} from '../exchange.js';
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
import { chatRequestOf } from './chat-request.js';
import { chatResponseOf, requestIdOf } from './chat-response.js';
import { ChatStream } from './chat-stream.js';
import { openAiFailure } from './openai-failures.js';
import { modelsIn } from './openai-models.js';

/** What every provider with OpenAI's wire has: chat completions and a list of models. */
export class OpenAiChatWire implements AiWire {
  constructor(protected readonly http: AiHttp) {}

  async complete(call: WireCall, request: CompletionRequest): Promise<Attempted<Completion>> {
    const problem = unsendable(request, { takesAssistantImages: false, call });
    if (problem) return problem;
    return this.attempt(call, chatCall(call, request, {}), (reply) => chatResponseOf(reply, call.secret));
  }

  async *streamCompletion(
    call: WireCall,
    request: CompletionRequest,
  ): AsyncGenerator<CompletionPart, void, undefined> {
    const problem = unsendable(request, { takesAssistantImages: false, call });
    if (problem) return yield problem;
    const streamed = chatCall(call, request, { stream: true, stream_options: { include_usage: true } });
    yield* streamParts(this.http, call, streamed, {
      fold: (headers) => new ChatStream(headers, call.secret),
      failure: (reply) => openAiFailure(reply, call.secret),
      requestId: requestIdOf,
    });
  }

  async listModels(call: Calling): Promise<Asked<readonly ListedModel[]>> {
    const exchanged = await this.askForModels(call);
    return exchanged.kind === 'failed' ? exchanged : listIn(exchanged.reply, call.secret);
  }

  protected askForModels(call: Calling): Promise<Exchanged> {
    return exchange(this.http, call, { method: 'GET', path: '/v1/models', headers: authorized(call) });
  }

  protected async attempt<T>(
    call: WireCall,
    request: WireRequest,
    read: (reply: Reply) => Attempted<T> | Promise<Attempted<T>>,
  ): Promise<Attempted<T>> {
    const exchanged = await exchange(this.http, call, request);
    if (exchanged.kind === 'failed') return { ...exchanged, usage: null, requestId: null };
    const { reply } = exchanged;
    if (isSuccess(reply.status)) return read(reply);
    const failure = openAiFailure(reply, call.secret);
    return { kind: 'failed', failure, usage: null, requestId: requestIdOf(reply) };
  }
}

export function listIn(reply: Reply, secret: string): Asked<readonly ListedModel[]> {
  const models = isSuccess(reply.status) ? modelsIn(reply.body) : null;
  return models
    ? { kind: 'answered', value: models }
    : { kind: 'failed', failure: openAiFailure(reply, secret) };
}

export const authorized = ({ secret }: Pick<WireCall, 'secret'>) => ({ authorization: `Bearer ${secret}` });

const chatCall = (call: WireCall, request: CompletionRequest, options: object): WireRequest => ({
  method: 'POST',
  path: '/v1/chat/completions',
  headers: { ...authorized(call), ...JSON_TYPE },
  ...jsonBody({ model: call.model, ...chatRequestOf(request, call.accepts), ...options }),
});
