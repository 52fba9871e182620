import type { OutboundHeaders } from '#libs/outbound-http';
import { CompletionWire } from '../wires/completion-wire.js';
import { JSON_TYPE, jsonBody, type WireRequest } from '../wires/exchange.js';
import { allModels, type ModelsPage } from '../wires/model-pages.js';
import type { CompletionRequest } from '../wires/requests.js';
import { count, list, type Members, record, text } from '../wires/values.js';
import type { Asked, Calling, ListedModel, WireCall } from '../wires/wire.js';
import { anthropicFailure } from './anthropic-failures.js';
import { messagesRequestOf } from './messages-request.js';
import { messagesResponseOf, requestIdOf } from './messages-response.js';
import { MessagesStream } from './messages-stream.js';

/** `GET /v1/models`: `{data: [{id, display_name, max_input_tokens, max_tokens}], has_more, last_id}`. null: not readable. */
function modelsPageIn(body: unknown): ModelsPage | null {
  const { data, has_more: hasMore, last_id: last } = record(body);
  if (!Array.isArray(data)) return null;
  const next = hasMore === true ? text(last) : null;
  if (hasMore === true && next === null) return null;
  return { models: list(data).map(record).map(modelOf), next };
}

const modelOf = (item: Members): ListedModel => ({
  id: text(item.id) ?? '',
  name: text(item.display_name),
  contextWindow: count(item.max_input_tokens),
  maxOutputTokens: count(item.max_tokens),
  retiresAt: null,
});

const VERSION = '2023-06-01';

/** Anthropic's messages (platform.claude.com/docs/en/api/messages). It has neither images nor transcriptions. */
export class AnthropicWire extends CompletionWire {
  override readonly requestId = requestIdOf;
  override readonly failure = anthropicFailure;
  protected override readonly completionIn = messagesResponseOf;

  override fold(headers: OutboundHeaders, secret: string): MessagesStream {
    return new MessagesStream(headers, secret);
  }

  listModels(call: Calling): Promise<Asked<readonly ListedModel[]>> {
    return allModels(this.http, call, {
      headers: authorized(call),
      path: (after) =>
        `/v1/models?limit=1000${after === null ? '' : `&after_id=${encodeURIComponent(after)}`}`,
      read: modelsPageIn,
      failure: anthropicFailure,
    });
  }

  protected completionCall(call: WireCall, request: CompletionRequest, isStreamed: boolean): WireRequest {
    const body = { model: call.model, ...messagesRequestOf(request, call.accepts) };
    return {
      method: 'POST',
      path: '/v1/messages',
      headers: { ...authorized(call), ...JSON_TYPE },
      ...jsonBody({ ...body, ...(isStreamed && { stream: true }) }),
    };
  }
}

const authorized = ({ secret }: Calling) => ({ 'x-api-key': secret, 'anthropic-version': VERSION });
