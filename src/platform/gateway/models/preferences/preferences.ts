import { Injectable } from '@nestjs/common';
import type { Executor } from '#libs/database';
import { Database } from '#libs/database';
import { VersionIsStale } from '#libs/event-store';
import { RequestIsNotValid } from '#libs/http';
import type { AiCapability } from '../../callers/attribution.js';
import type { CatalogModel } from '../catalog/model-row.js';
import { ModelsStore } from '../catalog/models.store.js';
import type { EffectivePreference } from '../choice.js';
import { effectivePreference } from '../choice.js';
import { warningsOf } from '../warnings.js';
import type { ModelWarning } from '../warnings.js';
import type { StoredPreference, VersionedPreference } from './preference.js';
import { namesIn, NO_PREFERENCE, preferenceErrors } from './preference.js';
import { PreferencesStore } from './preferences.store.js';

/** Whose preference, and for what. */
export interface PreferenceScope {
  /** null: the platform's. */
  readonly organizationId: string | null;
  readonly capability: AiCapability;
}

export interface PreferenceView {
  readonly scope: PreferenceScope;
  readonly stored: VersionedPreference;
  readonly effective: EffectivePreference & { readonly fallbackOnPolicy: boolean };
  readonly warnings: readonly ModelWarning[];
}

export interface PreferenceChange {
  readonly preference: StoredPreference;
  /** The person who changes it; null: an API key. */
  readonly userId: string | null;
  readonly ifVersion?: number;
}

/** More models than a provider offers for one capability. */
const MAX_MODELS = 2_000;

/** Which models the platform and organizations use. */
@Injectable()
export class Preferences {
  constructor(
    private readonly database: Database,
    private readonly store: PreferencesStore,
    private readonly models: ModelsStore,
  ) {}

  get(scope: PreferenceScope): Promise<PreferenceView> {
    return this.view(this.database, scope);
  }

  /** @throws RequestIsNotValid, VersionIsStale */
  replace(scope: PreferenceScope, change: PreferenceChange): Promise<PreferenceView> {
    return this.database.transaction(async (transaction) => {
      const { platform, organization } = await this.store.read(
        scope.capability,
        scope.organizationId,
        transaction,
      );
      const stored = scope.organizationId === null ? platform : organization;
      const bounds = scope.organizationId === null ? null : platform;
      const catalog = await this.models.named(namesIn(change.preference), transaction);
      const errors = preferenceErrors(change.preference, bounds, scope.capability, catalog);
      if (errors.length > 0) throw new RequestIsNotValid(errors);
      const written = await this.store.write(transaction, scope, change.preference, change);
      if (!written) throw new VersionIsStale(stored?.version ?? 0);
      return this.view(transaction, scope);
    });
  }

  /** The models that the organization can use, allowed by it and by the platform. */
  async allowedModels(scope: PreferenceScope): Promise<CatalogModel[]> {
    const { platform, organization } = await this.store.read(scope.capability, scope.organizationId);
    const { allowedModels } = effectivePreference(platform, organization);
    return this.models.usable(scope.capability, allowedModels, MAX_MODELS);
  }

  private async view(executor: Executor, scope: PreferenceScope): Promise<PreferenceView> {
    const { platform, organization } = await this.store.read(
      scope.capability,
      scope.organizationId,
      executor,
    );
    const stored = (scope.organizationId === null ? platform : organization) ?? NO_PREFERENCE;
    const applying = effectivePreference(platform, organization);
    const fallbackOnPolicy = (organization ?? platform)?.fallbackOnPolicy ?? false;
    const catalog = await this.models.named(namesIn(applying), executor);
    const warnings = warningsOf(applying, scope.capability, catalog);
    return { scope, stored, effective: { ...applying, fallbackOnPolicy }, warnings };
  }
}
