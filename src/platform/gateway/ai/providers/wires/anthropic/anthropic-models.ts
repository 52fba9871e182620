import { count, list, type Members, record, text } from '../values.js';
import type { ModelsPage } from '../model-pages.js';
import type { ListedModel } from '../wire.js';

/** `GET /v1/models`: `{data: [{id, display_name, max_input_tokens, max_tokens}], has_more, last_id}`. null: not readable. */
export function modelsPageIn(body: unknown): ModelsPage | null {
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
