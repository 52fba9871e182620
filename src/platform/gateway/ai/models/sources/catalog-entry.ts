import type { AiCapability } from '../../../access/attribution.js';
import type { AiProviderName } from '../../../credentials/providers.js';
import { AI_PROVIDERS } from '../../providers/ai-providers.js';
import { isRecord } from '../../providers/wires/values.js';
import type { AcceptsFacts } from '../../providers/wires/wire.js';
import type { Lifecycle } from '../domain/model-ref.js';
import type { DatedPrices, Dollars } from '../domain/prices.js';

/** A part of a document is not as expected. The message names it. */
export class Malformed extends Error {}

/** An object, or null when it is absent. @throws Malformed */
export function optional(
  of: Readonly<Record<string, unknown>>,
  name: string,
): Readonly<Record<string, unknown>> | null {
  const value = of[name];
  if (value === undefined || value === null) return null;
  if (!isRecord(value)) throw new Malformed(`${name} is no object`);
  return value;
}

const MAX_TEXT = 200;
const CONTROL = /\p{Cc}/u;

/** A text of visible characters, or null when it is absent. @throws Malformed */
export function textIn(of: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = of[name];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string' || value.length > MAX_TEXT || CONTROL.test(value) || value.trim() === '')
    throw new Malformed(`${name} is no text`);
  return value;
}

const MAX_TOKENS = 1_000_000_000;

/** A number of tokens, or null when it is absent or 0, which stands for unknown. @throws Malformed */
export function tokensIn(of: Readonly<Record<string, unknown>>, name: string): number | null {
  const value = of[name];
  if (value === undefined || value === null || value === 0) return null;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > MAX_TOKENS)
    throw new Malformed(`${name} is no number of tokens`);
  return value;
}

/** A number of dollars as decimal text; more than nine decimals are rounded. */
export const dollarsIn = (value: number): Dollars => value.toFixed(9).replace(/\.?0+$/, '');

/** What one source says of a model. null: it does not say. */
export interface CatalogEntry {
  readonly provider: string;
  readonly id: string;
  readonly name: string | null;
  /** Empty: unknown. A model that serves none of them is not in the catalog. */
  readonly capabilities: readonly AiCapability[] | null;
  readonly contextWindow: number | null;
  readonly maxOutputTokens: number | null;
  readonly accepts: AcceptsFacts;
  readonly stage: Lifecycle;
  /** `YYYY-MM-DD`: the first day on which the provider refuses the model. */
  readonly retiresAt: string | null;
  /** Empty: the source has none. */
  readonly prices: readonly DatedPrices[];
}

export interface Reading {
  readonly entries: readonly CatalogEntry[];
  /** Items that were left out because they are malformed. */
  readonly rejected: number;
  /** Why, of the first ones. */
  readonly reasons: readonly string[];
}

/** Without spaces, control characters and quotes; names of models contain slashes, colons and dots. */
const MODEL_ID = /^[\w~@][\w.:/@+~-]{0,199}$/;
export const isModelId = (id: unknown): id is string => typeof id === 'string' && MODEL_ID.test(id);

/** What the name of a model tells. null: no route serves the model. Empty: the name tells nothing. */
export const capabilitiesByName = (provider: AiProviderName, id: string): readonly AiCapability[] | null => {
  const rule = AI_PROVIDERS[provider].serves.find(([pattern]) => pattern.test(id));
  return rule ? rule[1] : [];
};

/** What the source says of an item, or why the item is left out. */
export function entryOrReason(
  provider: string,
  id: unknown,
  read: (id: string) => CatalogEntry,
): CatalogEntry | string {
  try {
    if (!isModelId(id)) throw new Malformed('its id is not valid');
    return read(id);
  } catch (error) {
    if (error instanceof Malformed) return `${provider}/${String(id).slice(0, 80)}: ${error.message}`;
    throw error;
  }
}

const MAX_REASONS = 5;

export function readingOf(read: readonly (CatalogEntry | string)[]): Reading {
  const reasons = read.filter((one) => typeof one === 'string');
  const entries = read.filter((one) => typeof one !== 'string');
  return { entries, rejected: reasons.length, reasons: reasons.slice(0, MAX_REASONS) };
}
