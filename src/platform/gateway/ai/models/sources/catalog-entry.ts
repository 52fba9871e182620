import type { AcceptsFacts } from '../../providers/wires/wire.js';
import type { AiCapability } from '../../../access/attribution.js';
import type { AiProviderName } from '../../../credentials/providers.js';
import { AI_PROVIDERS } from '../../providers/ai-providers.js';
import type { Lifecycle } from '../domain/lifecycle.js';
import type { DatedPrices } from '../domain/prices.js';

/** What one source says of a model. null: it does not say. */
export interface CatalogEntry {
  readonly provider: string;
  readonly id: string;
  readonly name: string | null;
  /** Empty: unknown. A model that serves none of them is not in the catalog. */
  readonly capabilities: readonly AiCapability[] | null;
  readonly contextWindow: number | null;
  readonly maxOutputTokens: number | null;
  /** What requests may hold. */
  readonly accepts: AcceptsFacts;
  readonly stage: Lifecycle;
  /** `YYYY-MM-DD`: the first day on which the provider refuses the model. */
  readonly retiresAt: string | null;
  /** Empty: the source has none. */
  readonly prices: readonly DatedPrices[];
}

/** What one reading of a source brought. */
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
