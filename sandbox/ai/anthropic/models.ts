import { json } from '../../wire/response.js';
import { type AiModel, isRetired } from '../provider/models.js';
import { invalid, refuse } from '../provider/problem.js';
import type { ProviderCall, ProviderHandler } from '../provider/provider-call.js';

const DEFAULT_LIMIT = 20;

/** `GET /v1/models`: newest first, in pages. */
export const listModels: ProviderHandler = (exchange) => {
  exchange.authenticate();
  const { query } = exchange.call;
  const listed = listedModels(exchange);
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

/** `GET /v1/models/{model}`, by the id or the alias. */
export const oneModel: ProviderHandler = (exchange) => {
  exchange.authenticate();
  const id = exchange.call.params.model ?? '';
  const model = exchange.provider.models.find(id, exchange.now);
  return model ? json(200, view(model)) : refuse({ kind: 'no-model', model: id });
};

function limitIn(text: string | null): number {
  if (text === null) return DEFAULT_LIMIT;
  const limit = Number(text);
  return Number.isInteger(limit) && limit >= 1 && limit <= 1_000
    ? limit
    : invalid('Input should be between 1 and 1000', 'limit');
}

const listedModels = ({ provider, now }: ProviderCall): readonly AiModel[] =>
  provider.models.all
    .filter((model) => !isRetired(model, now))
    .toSorted((left, right) => right.releasedAt.localeCompare(left.releasedAt));

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
