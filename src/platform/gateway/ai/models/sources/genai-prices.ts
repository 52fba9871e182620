import {
  calcPrice,
  type ConditionalPrice,
  findProvider,
  type MatchLogic,
  type ModelInfo,
  type ModelPrice,
} from '@pydantic/genai-prices';
import type { AiCapability } from '../../../access/attribution.js';
import { AI_PROVIDER_NAMES, type AiProviderName } from '../../../credentials/providers.js';
import { AI_PROVIDERS } from '../../providers/ai-providers.js';
import type { Lifecycle } from '../domain/model-ref.js';
import type { DatedPrices, Price, Prices } from '../domain/prices.js';
import {
  capabilitiesByName,
  type CatalogEntry,
  dollarsIn,
  isModelId,
  type Reading,
} from './catalog-entry.js';

/** Of the package, and the revision of the mapping below. A higher version replaces the stored seed, a lower one does not. */
export const SEED_VERSION = '0.1.8.1';

/** Prices of the package that none of our requests uses: searches, caches for an hour, spoken responses. */
const NAMES = {
  input_mtok: 'inputTokens',
  cache_read_mtok: 'cachedInputTokens',
  cache_write_mtok: 'cacheWriteTokens',
  output_mtok: 'outputTokens',
  input_image_mtok: 'inputImageTokens',
  output_image_mtok: 'outputImageTokens',
  input_audio_mtok: 'inputAudioTokens',
  audio_hours: 'audioHours',
} as const satisfies Record<string, keyof Prices>;

/** The models and prices of the package, which needs no network. Models without a capability have prices only. */
export function seed(): Reading {
  const entries = AI_PROVIDER_NAMES.flatMap((provider) =>
    (findProvider({ providerId: provider })?.models ?? [])
      .filter(({ id }) => isModelId(id))
      .map((model) => entryOf(provider, model)),
  );
  return { entries, rejected: 0, reasons: [] };
}

/** Prices of the package for a name, such as those of `gpt-5` for `gpt-5-2025-08-07`; null: it has none. */
export function seedPrices(provider: string, name: string): readonly DatedPrices[] | null {
  const priced = pricedAs(provider, name);
  const model = priced && findProvider({ providerId: provider })?.models.find(({ id }) => id === priced);
  return model ? entryOf(provider as AiProviderName, model).prices : null;
}

/** Ends of names that are versions of a model: days, `latest`, `preview`, numbers of three digits. */
const VERSION = /(-(\d{8}|\d{4}-\d{2}-\d{2}|\d{2}-\d{4}|\d{2}-\d{2}|latest|preview|\d{3}))+$/;

/**
 * The model of the package by which a name is priced; null: none. Rules of the package that match by a beginning alone are not
 * trusted, because they would give a future `claude-sonnet-5-9` the prices of `claude-sonnet-5`.
 */
export function pricedAs(provider: string, name: string): string | null {
  const priced = calcPrice({ input_tokens: 1 }, name, { providerId: provider });
  if (priced?.provider.id !== provider) return null;
  const names = [name, name.replace(VERSION, '')];
  return names.some((each) => isNamed(priced.model, each)) ? priced.model.id : null;
}

const isNamed = ({ id, match }: ModelInfo, name: string): boolean =>
  id.replace(VERSION, '') === name || id === name || matches(match, name);

/** By the rules that name the whole model. */
function matches(rule: MatchLogic, name: string): boolean {
  if ('or' in rule) return rule.or.some((each) => matches(each, name));
  if ('equals' in rule) return rule.equals === name;
  return 'regex' in rule && new RegExp(rule.regex).test(name);
}

function entryOf(provider: AiProviderName, model: ModelInfo): CatalogEntry {
  const capabilities = capabilitiesByName(provider, model.id);
  return {
    provider,
    id: model.id,
    name: model.name ?? null,
    capabilities,
    contextWindow: model.context_window ?? null,
    maxOutputTokens: null,
    accepts: {},
    stage: stageOf(model),
    retiresAt: null,
    prices: datedPrices(model.prices).map(({ startsAt, prices }) => ({
      startsAt,
      prices: completed(provider, capabilities ?? [], prices),
    })),
  };
}

/** The package keeps retired models, to price old usage. */
function stageOf({ deprecated, description = '' }: ModelInfo): Lifecycle {
  if (/^retired\b/i.test(description)) return 'retired';
  return deprecated ? 'deprecated' : 'active';
}

const ALWAYS = new Date(0);

/** Prices by the hour of the day are not used: such a model counts as unpriced. */
function datedPrices(prices: ConditionalPrice[] | ModelPrice): DatedPrices[] {
  if (!Array.isArray(prices)) return priced([{ startsAt: ALWAYS, prices: pricesOf(prices) }]);
  if (prices.some(({ constraint }) => constraint?.type === 'time_of_date')) return [];
  return priced(
    prices.map(({ constraint, prices: list }) => ({
      startsAt: constraint?.type === 'start_date' ? new Date(constraint.start_date) : ALWAYS,
      prices: pricesOf(list),
    })),
  );
}

const priced = (dated: DatedPrices[]): DatedPrices[] =>
  dated.filter(({ prices }) => Object.keys(prices).length > 0);

function pricesOf(list: ModelPrice): Prices {
  const pairs = Object.entries(NAMES).flatMap(([name, ours]) => {
    const price = list[name];
    return price === undefined ? [] : [[ours, priceOf(price)] as const];
  });
  return Object.fromEntries(pairs);
}

function priceOf(price: NonNullable<ModelPrice[string]>): Price {
  if (typeof price === 'number') return dollarsIn(price);
  const tiers = price.tiers.map((tier) => ({ above: tier.start, price: dollarsIn(tier.price) }));
  return { base: dollarsIn(price.base), tiers };
}

/**
 * The package prices a quantity without a price of its own as the text that contains it. Where that is what the vendor says, the
 * price is written down.
 */
function completed(provider: AiProviderName, capabilities: readonly AiCapability[], prices: Prices): Prices {
  const implied = (AI_PROVIDERS[provider].pricedAs ?? []).flatMap(({ quantity, as, capability }) => {
    const applies = capability === undefined || capabilities.includes(capability);
    return applies && prices[as] !== undefined ? [[quantity, prices[as]] as const] : [];
  });
  return { ...Object.fromEntries(implied), ...prices };
}
