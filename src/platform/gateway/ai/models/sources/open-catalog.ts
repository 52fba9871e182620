import { isRecord, record } from '../../providers/wires/values.js';
import type { AcceptsFacts } from '../../providers/wires/wire.js';
import { AI_PROVIDER_NAMES, type AiProviderName } from '../../../credentials/providers.js';
import type { AiCapability } from '../../../access/attribution.js';
import type { Price, Prices } from '../domain/prices.js';
import {
  capabilitiesByName,
  type CatalogEntry,
  dollarsIn,
  entryOrReason,
  Malformed,
  optional,
  type Reading,
  readingOf,
  textIn,
  tokensIn,
} from './catalog-entry.js';

interface OpenCatalogReading extends Reading {
  readonly providers: readonly AiProviderName[];
}

/**
 * Reads what the document says of providers that the gateway calls: the format of models.dev's `api.json` (repository models.dev, schema)
 * has providers by id, each with its models by id. A malformed model is left out, the others are read.
 */
export function readOpenCatalog(document: unknown): OpenCatalogReading {
  const all = record(document);
  const providers = AI_PROVIDER_NAMES.filter(
    (name) => Object.hasOwn(all, name) && isRecord(record(all[name]).models),
  );
  const read = providers.flatMap((provider) =>
    Object.entries(record(record(all[provider]).models)).map(([id, model]) =>
      entryOrReason(provider, id, () => entryOf(provider, id, model)),
    ),
  );
  return { providers, ...readingOf(read) };
}

function entryOf(provider: AiProviderName, id: string, model: unknown): CatalogEntry {
  if (!isRecord(model)) throw new Malformed('it is no object');
  const limit = optional(model, 'limit');
  const output = kindsIn(model, 'output');
  const prices = pricesIn(model, output);
  return {
    provider,
    id,
    name: textIn(model, 'name'),
    capabilities: capabilitiesOf(provider, id, kindsIn(model, 'input'), output),
    contextWindow: limit && tokensIn(limit, 'context'),
    maxOutputTokens: limit && tokensIn(limit, 'output'),
    accepts: acceptsIn(model),
    stage: model.status === 'deprecated' ? 'deprecated' : 'active',
    retiresAt: null,
    prices: Object.keys(prices).length > 0 ? [{ startsAt: new Date(0), prices }] : [],
  };
}

/** A member of another type is not known. */
function acceptsIn(model: Readonly<Record<string, unknown>>): AcceptsFacts {
  const { temperature, tool_call: tools, structured_output: schema } = model;
  return Object.fromEntries(
    Object.entries({ temperature, tools, schema }).filter(([, value]) => typeof value === 'boolean'),
  );
}

/** What the name says counts: it is about our routes. Without it, what goes in and comes out decides. */
function capabilitiesOf(
  provider: AiProviderName,
  id: string,
  input: readonly string[],
  output: readonly string[],
): readonly AiCapability[] | null {
  const named = capabilitiesByName(provider, id);
  if (named === null || named.length > 0) return named;
  if (output.includes('image')) return ['images'];
  if (!output.includes('text')) return null;
  return input.includes('text') ? ['completions'] : input.includes('audio') ? ['transcriptions'] : null;
}

function kindsIn(model: Readonly<Record<string, unknown>>, name: string): readonly string[] {
  const kinds = optional(model, 'modalities')?.[name] ?? [];
  if (!Array.isArray(kinds) || !kinds.every((kind) => typeof kind === 'string'))
    throw new Malformed(`modalities.${name} is no list of texts`);
  return kinds;
}

const COSTS = {
  input: 'inputTokens',
  cache_read: 'cachedInputTokens',
  cache_write: 'cacheWriteTokens',
  output: 'outputTokens',
  input_audio: 'inputAudioTokens',
} as const satisfies Record<string, keyof Prices>;

/** A list of zeros is a free tier or a price that is not known, and not stored. */
function pricesIn(model: Readonly<Record<string, unknown>>, output: readonly string[]): Prices {
  const cost = optional(model, 'cost');
  if (!cost) return {};
  const tiers = tiersIn(cost);
  if (tiers === null) return {};
  const prices = Object.fromEntries(
    Object.entries(COSTS).flatMap(([name, ours]) => {
      const price = priceIn(cost, name, tiers);
      return price === null ? [] : [[ours, price]];
    }),
  ) as Prices;
  if (Object.keys(COSTS).every((name) => !cost[name])) return {};
  return output.length === 1 && output[0] === 'image' && prices.outputTokens !== undefined
    ? { ...prices, outputImageTokens: prices.outputTokens }
    : prices;
}

interface Tier {
  readonly above: number;
  readonly cost: Readonly<Record<string, unknown>>;
}

/**
 * `tiers` by the size from which they apply, or the older `context_over_200k`. null: a tier is of a type that is not known, so the price
 * of a request is not.
 */
function tiersIn(cost: Readonly<Record<string, unknown>>): readonly Tier[] | null {
  const { tiers } = cost;
  if (tiers === undefined) {
    const over = optional(cost, 'context_over_200k');
    return over ? [{ above: 200_000, cost: over }] : [];
  }
  if (!Array.isArray(tiers)) throw new Malformed('cost.tiers is no list');
  const read = tiers.map(tierIn);
  return read.includes(null) ? null : read.filter((tier) => tier !== null);
}

function tierIn(tier: unknown): Tier | null {
  const bound = isRecord(tier) ? optional(tier, 'tier') : null;
  if (!isRecord(tier) || bound === null || typeof bound.type !== 'string')
    throw new Malformed('cost.tiers has a tier without a type');
  if (bound.type !== 'context') return null;
  const size = tokensIn(bound, 'size');
  if (size === null) throw new Malformed('cost.tiers has a tier without a size');
  return { above: size - 1, cost: tier };
}

function priceIn(
  cost: Readonly<Record<string, unknown>>,
  name: string,
  tiers: readonly Tier[],
): Price | null {
  const base = amountIn(cost, name);
  if (base === null) return null;
  const dearer = tiers.flatMap(({ above, cost: tier }) => {
    const price = amountIn(tier, name);
    return price === null ? [] : [{ above, price: dollarsIn(price) }];
  });
  return dearer.length > 0 ? { base: dollarsIn(base), tiers: dearer } : dollarsIn(base);
}

/** Dollars per million tokens; far above any price there is. */
const MAX_PRICE = 100_000;

/** Tokens of reasoning count as output, at the higher of both prices. */
function amountIn(cost: Readonly<Record<string, unknown>>, name: string): number | null {
  const amounts = (name === 'output' ? ['output', 'reasoning'] : [name]).flatMap((each) => {
    const amount = cost[each];
    if (amount === undefined || amount === null) return [];
    if (typeof amount !== 'number' || !(amount >= 0 && amount <= MAX_PRICE))
      throw new Malformed(`cost.${each} is no price`);
    return [amount];
  });
  return amounts.length > 0 ? Math.max(...amounts) : null;
}
