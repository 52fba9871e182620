import type { OutboundHeaders } from '#libs/outbound-http';
import { ACCEPTS, type AiProviderDeclaration } from '../ai-provider.types.js';
import { CompletionWire } from '../wires/completion-wire.js';
import { posted, type WireRequest } from '../wires/exchange.js';
import { allModels, type ModelsPage } from '../wires/model-pages.js';
import type { CompletionRequest } from '../wires/requests.js';
import { count, list, type Members, record, text } from '../wires/values.js';
import type { Asked, Calling, ListedModel, WireCall } from '../wires/wire.js';
import { anthropicFailure, messagesResponseOf, requestIdOf } from './messages-response.js';
import { messagesRequestOf } from './messages-request.js';
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
    return posted('/v1/messages', authorized(call), { ...body, ...(isStreamed && { stream: true }) });
  }
}

const authorized = ({ secret }: Calling) => ({ 'x-api-key': secret, 'anthropic-version': VERSION });

export const anthropic: AiProviderDeclaration = {
  name: 'anthropic',
  address: {
    variable: 'ANTHROPIC_URL',
    description: 'Base address of the Anthropic API, without /v1.',
    default: 'https://api.anthropic.com',
  },
  wire: AnthropicWire,
  accepts: { ...ACCEPTS, schema: 'closed' },
  maxTemperature: 1,
  acceptsByName: [
    [/^claude-([23]|instant|(opus|sonnet|haiku)-4(-[0-6])?(-latest|-\d{8})?$)/, { temperature: true }],
    [/^claude-(opus-4-([7-9]|\d\d(?!\d))|[a-z]+-([5-9]|\d\d(?!\d)))/, { temperature: false }],
    [/^claude-([23]|instant|(opus|sonnet)-4(-0)?(-latest|-\d{8})?$)/, { schema: 'never' }],
  ],
  serves: [[/^claude-/, ['completions']]],
  withoutReasoning: /^claude-([23]|instant|(opus|sonnet|haiku)-4(-[0-5])?(-latest|-\d{8})?$)/,
};
