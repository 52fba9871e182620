import { count, list, type Members, record, text } from '../wires/values.js';
import type { Usage } from '../../usage/spend/quantities.js';
import type { ListedModel } from '../wires/wire.js';

/**
 * `GET /v1/models`: `{data: [{id, shutdown_date?}]}`; OpenRouter adds `name`, `context_length`, `top_provider` and `expiration_date`.
 * @returns null: not readable
 */
export function modelsIn(body: unknown): ListedModel[] | null {
  const { data } = record(body);
  if (!Array.isArray(data)) return null;
  return list(data).map(record).map(modelOf);
}

function modelOf(item: Members): ListedModel {
  const { max_completion_tokens: maxOutput } = record(item.top_provider);
  return {
    id: text(item.id) ?? '',
    name: text(item.name),
    contextWindow: count(item.context_length),
    maxOutputTokens: count(maxOutput),
    retiresAt: dateOf(item.shutdown_date) ?? dateOf(item.expiration_date),
    ...acceptsIn(item.supported_parameters),
    ...pricesIn(item.pricing),
  };
}

/** OpenRouter lists the parameters that some provider of the model takes. */
function acceptsIn(parameters: unknown): Pick<ListedModel, 'accepts'> {
  if (!Array.isArray(parameters) || parameters.length === 0) return {};
  const takes = (name: string) => parameters.includes(name);
  const schema = takes('structured_outputs') || takes('response_format');
  return {
    accepts: { temperature: takes('temperature'), stop: takes('stop'), tools: takes('tools'), schema },
  };
}

/** Dollars per token, as text. A price for each request has no place in a price list. */
const PRICED: Readonly<Record<string, keyof Usage>> = {
  prompt: 'inputTokens',
  completion: 'outputTokens',
  input_cache_read: 'cachedInputTokens',
  input_cache_write: 'cacheWriteTokens',
  audio: 'inputAudioTokens',
};
const MOST_DOLLARS_PER_TOKEN = 0.1;

/** Only where all prices are read: `-1` is that of a router, and zeros are those of a free tier. */
function pricesIn(pricing: unknown): Pick<ListedModel, 'perMillion'> {
  const listed = record(pricing);
  if (Number(listed.request ?? 0) !== 0) return {};
  const found = Object.entries(PRICED).filter(([name]) => Object.hasOwn(listed, name));
  const amounts = found.map(([name, ours]) => [ours, Number(text(listed[name]) ?? Number.NaN)] as const);
  const isRead = amounts.every(([, amount]) => amount >= 0 && amount <= MOST_DOLLARS_PER_TOKEN);
  if (!isRead || !amounts.some(([, amount]) => amount > 0)) return {};
  return { perMillion: Object.fromEntries(amounts.map(([name, amount]) => [name, amount * 1e6])) };
}

/** Before there was a model: programs write 0, -1 or the year 1 for no date. */
const FIRST_MS = Date.UTC(2000, 0, 1);
const LAST_MS = 8.64e15;

/** Of text with a date, or of seconds since 1970, as this API writes its other times. */
function dateOf(value: unknown): string | null {
  const milliseconds = typeof value === 'number' ? value * 1_000 : Date.parse(text(value) ?? '');
  const isDate = milliseconds >= FIRST_MS && milliseconds < LAST_MS;
  return isDate ? new Date(milliseconds).toISOString().slice(0, 10) : null;
}
