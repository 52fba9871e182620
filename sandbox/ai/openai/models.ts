import { json } from '../../wire/response.js';
import { type AiModel, isRetired } from '../provider/models.js';
import { refuse } from '../provider/problem.js';
import type { ProviderHandler } from '../provider/provider-call.js';

/** `GET /v1/models`: without pages. A model that is retired is not listed. */
export const listModels: ProviderHandler = (exchange) => {
  exchange.authenticate();
  const models = exchange.provider.models.all.filter((model) => !isRetired(model, exchange.now));
  return json(200, { object: 'list', data: models.map(modelView) });
};

/** `GET /v1/models/{model}`. */
export const oneModel: ProviderHandler = (exchange) => {
  exchange.authenticate();
  const id = exchange.call.params.model ?? '';
  const model = exchange.provider.models.find(id, exchange.now);
  return model ? json(200, modelView(model)) : refuse({ kind: 'no-model', model: id });
};

const modelView = ({ id, releasedAt, retiresAt }: AiModel): unknown => ({
  id,
  object: 'model',
  created: Math.floor(Date.parse(releasedAt) / 1_000),
  owned_by: 'system',
  shutdown_date: retiresAt,
});

/** OpenRouter lists prices and limits, with dates of expiry. */
export const listOpenrouterModels: ProviderHandler = (exchange) => {
  const models = exchange.provider.models.all.filter((model) => !isRetired(model, exchange.now));
  return json(200, { data: models.map(openrouterView) });
};

const openrouterView = (model: AiModel): unknown => ({
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
export const ownKey: ProviderHandler = (exchange) => {
  const { label, state } = exchange.authenticate();
  const limit = state === 'spend-limit' ? 10 : null;
  const usage = limit ?? 0;
  return json(200, {
    data: { label, usage, limit, limit_remaining: limit && limit - usage, is_free_tier: false },
  });
};
