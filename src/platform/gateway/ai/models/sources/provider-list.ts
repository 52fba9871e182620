import type { AiProviderName } from '../../../credentials/providers.js';
import type { ListedModel } from '../../providers/wires/wire.js';
import { capabilitiesByName, type CatalogEntry, isModelId, type Reading } from './catalog-entry.js';
import { dollarsIn } from './dollars-in.js';
import { Malformed, textIn, tokensIn } from './fields.js';

const DAY = /^\d{4}-\d{2}-\d{2}(T|$)/;

/** What a provider's own list says. Only OpenRouter's has prices. A malformed model is left out, the others are read. */
export function readProviderList(provider: AiProviderName, listed: readonly ListedModel[]): Reading {
  const read = listed.map((model) => entryOrReason(provider, model));
  const reasons = read.filter((one) => typeof one === 'string');
  const entries = read.filter((one) => typeof one !== 'string');
  return { entries: unique(entries), rejected: reasons.length, reasons: reasons.slice(0, 5) };
}

function entryOrReason(provider: AiProviderName, model: ListedModel): CatalogEntry | string {
  try {
    if (!isModelId(model.id)) throw new Malformed('its id is not valid');
    const fields = { ...model };
    return {
      provider,
      id: model.id,
      name: textIn(fields, 'name'),
      capabilities: capabilitiesByName(provider, model.id),
      contextWindow: tokensIn(fields, 'contextWindow'),
      maxOutputTokens: tokensIn(fields, 'maxOutputTokens'),
      accepts: model.accepts ?? {},
      stage: 'active',
      retiresAt: dayIn(model.retiresAt),
      prices: pricesOf(model),
    };
  } catch (error) {
    if (error instanceof Malformed) return `${provider}/${String(model.id).slice(0, 80)}: ${error.message}`;
    throw error;
  }
}

function pricesOf({ perMillion }: ListedModel): CatalogEntry['prices'] {
  if (!perMillion) return [];
  const prices = Object.fromEntries(
    Object.entries(perMillion).map(([name, value]) => [name, dollarsIn(value)]),
  );
  return [{ startsAt: new Date(0), prices }];
}

/** @throws Malformed */
function dayIn(retiresAt: string | null): string | null {
  if (retiresAt === null) return null;
  if (!DAY.test(retiresAt) || Number.isNaN(Date.parse(retiresAt)))
    throw new Malformed('its date of retirement is no date');
  return new Date(retiresAt).toISOString().slice(0, 10);
}

/** A list can repeat a model on another page. */
const unique = (entries: readonly CatalogEntry[]): CatalogEntry[] => [
  ...new Map(entries.map((entry) => [entry.id, entry])).values(),
];
