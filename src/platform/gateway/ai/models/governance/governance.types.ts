import type { AiCapability } from '../../../access/attribution.js';
import type { CatalogModel } from '../catalog/model-row.js';
import type { Preference } from '../domain/choice.js';
import type { Prices } from '../domain/prices.js';
import type { ModelUse, ModelWarning } from '../preferences/warnings.js';

export interface GovernedPreference extends Preference {
  /** null: the platform. */
  readonly organizationId: string | null;
  readonly capability: AiCapability;
  readonly updatedAt: Date;
  readonly warnings: readonly ModelWarning[];
}

export interface PriceOverride {
  readonly model: string;
  readonly prices: Prices;
  readonly startsAt: Date;
}

export interface RecentUsage {
  readonly model: string;
  readonly calls: number;
  readonly attempts: number;
  readonly failed: number;
  /** Attempts whose model had no price. */
  readonly unpriced: number;
  /** Dollars as decimal text. */
  readonly cost: string;
}

/** A model that preferences name or that was used, with how many preferences name it. */
export interface GovernedModel {
  readonly name: string;
  /** null: the catalog does not have it. */
  readonly model: CatalogModel | null;
  readonly preferences: number;
  readonly calls: number;
}

export interface UnpricedModel {
  readonly model: string;
  readonly capability: AiCapability;
  readonly use: ModelUse;
  readonly organizationId: string | null;
}

export interface SourceHealth {
  readonly source: string;
  readonly version: string | null;
  /** `never`: it has not been read yet. */
  readonly outcome: 'done' | 'failed' | 'skipped' | 'never';
  readonly detail: string | null;
  readonly models: number;
  readonly rejected: number;
  /** Failed attempts since the last success. */
  readonly failures: number;
  readonly attemptedAt: Date | null;
  readonly succeededAt: Date | null;
}

export interface GovernanceView {
  /** null: the platform's. */
  readonly organizationId: string | null;
  readonly platformDefaults: readonly GovernedPreference[];
  readonly overrides: {
    readonly preferences: readonly GovernedPreference[];
    readonly preferencesTotal: number;
    readonly prices: readonly PriceOverride[];
  };
  readonly recentUsage: {
    readonly from: string;
    readonly to: string;
    readonly models: readonly RecentUsage[];
  };
  readonly lifecycle: readonly GovernedModel[];
  readonly unpricedConfiguredModels: readonly UnpricedModel[];
  readonly upstreamCandidateModels: { readonly models: readonly CatalogModel[]; readonly total: number };
  readonly catalogSources: readonly SourceHealth[];
}
