import { randomBytes } from 'node:crypto';
import { completion } from '../completions/complete.js';
import type { CompletionWire } from '../completions/completion.js';
import { json } from '../../wire/response.js';
import { bearerKey, chatWire, textOfCall } from '../openai/openai.js';
import { chatEvents } from '../openai/write-chat.js';
import type { AiModel, ModelDraft } from '../provider/models.js';
import { asObject } from '../provider/problem.js';
import type { ProviderNature } from '../provider/provider.js';
import { type ProviderHandler, providerRoute } from '../provider/provider-call.js';
import { openrouterProblem } from './problems.js';

const MODELS: readonly ModelDraft[] = [
  { id: 'openai/gpt-5.4-mini', contextWindow: 400_000, maxOutputTokens: 128_000 },
  { id: 'anthropic/claude-opus-5.5', contextWindow: 1_000_000, maxOutputTokens: 128_000 },
  { id: 'google/gemini-3.5-flash', contextWindow: 1_000_000, maxOutputTokens: 65_536 },
  { id: 'google/gemini-3.1-flash-lite-image', abilities: ['image', 'completion'] },
];

/** OpenRouter tells in a choice that the answer ends by an error, and keeps the connection alive with comments. */
const wire: CompletionWire = {
  ...chatWire,
  *events(made) {
    yield { text: ': OPENROUTER PROCESSING\n\n', kind: 'frame', tokens: 0 };
    yield* chatEvents(made);
  },
  errorEvent(body) {
    const choices = [
      { index: 0, delta: { content: '' }, finish_reason: 'error', native_finish_reason: 'error' },
    ];
    return `data: ${JSON.stringify({ ...asObject(body), object: 'chat.completion.chunk', choices })}\n\ndata: [DONE]\n\n`;
  },
};

/** Prices and limits, with dates of expiry. No key is needed. */
const listModels: ProviderHandler = ({ listed }) => json(200, { data: listed.map(view) });

const view = (model: AiModel): unknown => ({
  id: model.id,
  canonical_slug: model.id,
  name: model.name,
  created: Math.floor(Date.parse(model.releasedAt) / 1_000),
  description: '',
  context_length: model.contextWindow,
  architecture: { modality: 'text->text', input_modalities: ['text'], output_modalities: ['text'] },
  top_provider: {
    context_length: model.contextWindow,
    max_completion_tokens: model.maxOutputTokens,
    is_moderated: false,
  },
  expiration_date: model.retiresAt,
});

/** `GET /v1/key` of OpenRouter: what the key is and may spend. */
const ownKey: ProviderHandler = (exchange) => {
  const { label, state } = exchange.authenticate();
  const limit = state === 'spend-limit' ? 10 : null;
  const usage = limit ?? 0;
  return json(200, {
    data: { label, usage, limit, limit_remaining: limit && limit - usage, is_free_tier: false },
  });
};

/** Its base address is `https://openrouter.ai/api`. */
export const openrouter: ProviderNature = {
  name: 'openrouter',
  displayName: 'OpenRouter',
  prefix: 'openrouter',
  standsFor: 'openrouter.ai/api',
  keyVariable: 'OPENROUTER_API_KEY',
  models: MODELS,
  keyIn: bearerKey,
  textOf: textOfCall,
  write: openrouterProblem,
  newRequestId: () => `gen-${randomBytes(16).toString('hex')}`,
  requestIdHeader: 'x-request-id',
  limitHeaders: () => ({}),
  billsCacheWrites: false,
  routes: (provider) => [
    providerRoute(provider, 'POST', '/v1/chat/completions', completion(wire)),
    providerRoute(provider, 'GET', '/v1/models', listModels),
    providerRoute(provider, 'GET', '/v1/key', ownKey),
  ],
};
