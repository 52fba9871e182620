import { json } from '../../wire/response.js';
import { type AiModel, isRetired } from '../provider/models.js';
import { invalid, refuse } from '../provider/problem.js';
import type { ProviderHandler } from '../provider/provider-call.js';

const DEFAULT_SIZE = 50;

/** `GET /v1beta/models`: in pages; the token is the position. */
export const listModels: ProviderHandler = (exchange) => {
  exchange.authenticate();
  const { query } = exchange.call;
  const models = exchange.provider.models.all.filter((model) => !isRetired(model, exchange.now));
  const start = Number(query.get('pageToken') ?? 0);
  const asked = Number(query.get('pageSize') ?? DEFAULT_SIZE);
  if (!Number.isInteger(start) || start < 0 || !Number.isInteger(asked))
    invalid('Invalid page token or page size.', 'pageToken');
  const end = start + Math.min(asked, exchange.provider.settings.modelsPerPage);
  return json(200, {
    models: models.slice(start, end).map(view),
    ...(end < models.length && { nextPageToken: String(end) }),
  });
};

/** `GET /v1beta/models/{model}`. */
export const oneModel: ProviderHandler = (exchange) => {
  exchange.authenticate();
  const id = exchange.call.params.model ?? '';
  const model = exchange.provider.models.find(id, exchange.now);
  return model ? json(200, view(model)) : refuse({ kind: 'no-model', model: id });
};

const view = (model: AiModel): unknown => ({
  name: `models/${model.id}`,
  version: '001',
  displayName: model.name,
  description: '',
  inputTokenLimit: model.contextWindow,
  outputTokenLimit: model.maxOutputTokens,
  supportedGenerationMethods: ['generateContent', 'countTokens'],
});
