import { count, isRecord, list, record, text } from '../values.js';
import type { ListedModel } from '../wire.js';

/**
 * `GET /v1/models`: `{data: [{id, shutdown_date?}]}`; OpenRouter adds `name`, `context_length`, `top_provider` and `expiration_date`.
 * @returns null: not readable
 */
export function modelsIn(body: unknown): ListedModel[] | null {
  const { data } = record(body);
  if (!Array.isArray(data)) return null;
  const models = list(data).map(modelOf);
  return models.includes(null) ? null : models.filter((model) => model !== null);
}

function modelOf(value: unknown): ListedModel | null {
  if (!isRecord(value)) return null;
  const id = text(value.id);
  const { max_completion_tokens: maxOutput } = record(value.top_provider);
  if (id === null) return null;
  return {
    id,
    name: text(value.name),
    contextWindow: count(value.context_length),
    maxOutputTokens: count(maxOutput),
    retiresAt: dateOf(value.shutdown_date) ?? dateOf(value.expiration_date),
  };
}

/** Of text with a date, or of seconds since 1970, as this API writes its other times. */
export function dateOf(value: unknown): string | null {
  const milliseconds = typeof value === 'number' ? value * 1_000 : Date.parse(text(value) ?? '');
  return Math.abs(milliseconds) < 8.64e15 ? new Date(milliseconds).toISOString().slice(0, 10) : null;
}
