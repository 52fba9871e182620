import type { AiProviderName } from '../../../credentials/providers.js';
import type { ListedModel } from '../../providers/wires/wire.js';
import {
  capabilitiesByName,
  type CatalogEntry,
  dollarsIn,
  entryOrReason,
  Malformed,
  type Reading,
  readingOf,
  textIn,
  tokensIn,
} from './catalog-entry.js';

const DAY = /^\d{4}-\d{2}-\d{2}(T|$)/;

/** What a provider's own list says. Only OpenRouter's has prices. A malformed model is left out, the others are read. */
export function readProviderList(provider: AiProviderName, listed: readonly ListedModel[]): Reading {
  const { entries, ...left } = readingOf(
    listed.map((model) => entryOrReason(provider, model.id, () => entryOf(provider, model))),
  );
  // A list can repeat a model on another page.
  return { entries: [...new Map(entries.map((entry) => [entry.id, entry])).values()], ...left };
}

function entryOf(provider: AiProviderName, model: ListedModel): CatalogEntry {
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
}

function pricesOf({ perMillion }: ListedModel): CatalogEntry['prices'] {
  if (!perMillion) return [];
  const prices = Object.fromEntries(
    Object.entries(perMillion).map(([name, value]) => [name, dollarsIn(value)]),
  );
  return [{ startsAt: new Date(0), prices }];
}

function dayIn(retiresAt: string | null): string | null {
  if (retiresAt === null) return null;
  if (!DAY.test(retiresAt) || Number.isNaN(Date.parse(retiresAt)))
    throw new Malformed('its date of retirement is no date');
  return new Date(retiresAt).toISOString().slice(0, 10);
}
