import { randomBytes } from 'node:crypto';
import type { CompletionWire } from '../completions/completion.js';
import { completion } from '../completions/complete.js';
import type { Usage } from '../../networks/kit/state/rate-windows.js';
import type { Call } from '../../wire/call.js';
import { json } from '../../wire/response.js';
import { asObject, invalid, textOfMessages } from '../provider/problem.js';
import type { AiModel, ModelDraft } from '../provider/models.js';
import type { ProviderNature } from '../provider/provider.js';
import { type ProviderHandler, providerRoute } from '../provider/provider-call.js';
import { anthropicProblem } from './problems.js';
import { checkMessages, readMessages } from './read-messages.js';
import { message, messageEvents } from './write-messages.js';

const MODELS: readonly ModelDraft[] = [
  {
    id: 'claude-opus-5-5',
    name: 'Claude Opus 5.5',
    contextWindow: 1_000_000,
    maxOutputTokens: 128_000,
    takesTemperature: false,
    releasedAt: '2026-09-01',
  },
  {
    id: 'claude-sonnet-5',
    name: 'Claude Sonnet 5',
    contextWindow: 1_000_000,
    maxOutputTokens: 128_000,
    takesTemperature: false,
    releasedAt: '2026-06-30',
  },
  {
    id: 'claude-haiku-4-5',
    name: 'Claude Haiku 4.5',
    maxOutputTokens: 64_000,
    snapshot: 'claude-haiku-4-5-20251001',
    releasedAt: '2025-10-01',
  },
];

const messagesWire: CompletionWire = {
  read: readMessages,
  check: (asked, model, { call }) => checkMessages(asked, model, asObject(call.json?.value)),
  whole: message,
  events: messageEvents,
  errorEvent: (body) => `event: error\ndata: ${JSON.stringify(body)}\n\n`,
};

/** Its own header, or Authorization as the official clients since version 1 send it. */
const keyIn = ({ headers, bearerToken }: Call): string | null => {
  const key = headers['x-api-key'];
  return typeof key === 'string' && key !== '' ? key : bearerToken;
};

const limitHeaders = ({ limit, remaining, reset }: Usage): Record<string, string> => ({
  'anthropic-ratelimit-requests-limit': String(limit),
  'anthropic-ratelimit-requests-remaining': String(remaining),
  'anthropic-ratelimit-requests-reset': new Date(reset * 1_000).toISOString(),
  'anthropic-organization-id': '00000000-0000-4000-8000-000000000000',
});

const DEFAULT_LIMIT = 20;

/** `GET /v1/models`: newest first, in pages. */
const listModels: ProviderHandler = (exchange) => {
  exchange.authenticate();
  const { query } = exchange.call;
  const listed = exchange.listed.toSorted((left, right) => right.releasedAt.localeCompare(left.releasedAt));
  const after = query.get('after_id');
  const start = after === null ? 0 : listed.findIndex((model) => idOf(model) === after) + 1;
  if (after !== null && start === 0) invalid('The model does not exist.', 'after_id');
  const limit = Math.min(limitIn(query.get('limit')), exchange.provider.settings.modelsPerPage);
  const page = listed.slice(start, start + limit);
  return json(200, {
    data: page.map(view),
    has_more: start + limit < listed.length,
    first_id: page.length === 0 ? null : idOf(page[0] as AiModel),
    last_id: page.length === 0 ? null : idOf(page.at(-1) as AiModel),
  });
};

function limitIn(text: string | null): number {
  if (text === null) return DEFAULT_LIMIT;
  const limit = Number(text);
  return Number.isInteger(limit) && limit >= 1 && limit <= 1_000
    ? limit
    : invalid('Input should be between 1 and 1000', 'limit');
}

const idOf = ({ snapshot, id }: AiModel): string => snapshot ?? id;

/** The route names no date of retirement. */
const view = (model: AiModel): unknown => ({
  type: 'model',
  id: idOf(model),
  display_name: model.name,
  created_at: `${model.releasedAt}T00:00:00Z`,
  max_input_tokens: model.contextWindow,
  max_tokens: model.maxOutputTokens,
});

export const anthropic: ProviderNature = {
  name: 'anthropic',
  displayName: 'Anthropic',
  prefix: 'anthropic',
  standsFor: 'api.anthropic.com',
  keyVariable: 'ANTHROPIC_API_KEY',
  models: MODELS,
  keyIn,
  textOf: ({ json: body }) => textOfMessages(asObject(body?.value).messages),
  write: anthropicProblem,
  newRequestId: () => `req_${randomBytes(12).toString('hex')}`,
  requestIdHeader: 'request-id',
  limitHeaders,
  billsCacheWrites: true,
  routes: (provider) => [
    providerRoute(provider, 'POST', '/v1/messages', completion(messagesWire)),
    providerRoute(provider, 'GET', '/v1/models', listModels),
  ],
};
