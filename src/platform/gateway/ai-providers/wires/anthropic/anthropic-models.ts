import { count, isRecord, list, record, text } from '../values.js';
import type { ModelsPage } from '../model-pages.js';
import type { ListedModel } from '../wire.js';

/** `GET /v1/models`: `{data: [{id, display_name, max_input_tokens, max_tokens}], has_more, last_id}`. null: not readable. */
export function modelsPageIn(body: unknown): ModelsPage | null {
  const { data, has_more: hasMore, last_id: last } = record(body);
  if (!Array.isArray(data)) return null;
  const models = list(data).map(modelOf);
  if (models.includes(null)) return null;
  return { models: models.filter((model) => model !== null), next: hasMore === true ? text(last) : null };
}

function modelOf(value: unknown): ListedModel | null {
  if (!isRecord(value)) return null;
  const id = text(value.id);
  if (id === null) return null;
  return {
    id,
    name: text(value.display_name),
    contextWindow: count(value.max_input_tokens),
    maxOutputTokens: count(value.max_tokens),
    retiresAt: null,
  };
}
