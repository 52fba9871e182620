import { Injectable } from '@nestjs/common';
import { Database, type Executor } from '#libs/database';
import { VersionIsStale } from '#libs/event-store';
import { RequestIsNotValid } from '#libs/http';
import { type AuditActor, GatewayAudit } from '../../../audit/gateway-audit.js';
import type { AiCapability } from '../../../access/attribution.js';
import type { CatalogModel } from '../catalog/model-row.js';
import { ModelsStore } from '../catalog/models.store.js';
import { effectivePreference, type EffectivePreference, type Preference } from '../domain/choice.js';
import { type ModelWarning, warningsOf } from './warnings.js';
import { namesIn, NO_PREFERENCE, preferenceErrors, type VersionedPreference } from './preference.js';
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
  readonly effective: EffectivePreference;
  readonly warnings: readonly ModelWarning[];
}

export interface PreferenceChange {
  readonly preference: Preference;
  readonly actor: AuditActor;
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
    private readonly audit: GatewayAudit,
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
      const { preference, actor, ifVersion } = change;
      const by = { userId: actor.type === 'user' ? actor.id : null, ifVersion };
      const written = await this.store.write(transaction, scope, preference, by);
      if (!written) throw new VersionIsStale(stored?.version ?? 0);
      await this.audit.record(transaction, entryOf(scope, change, stored));
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
    const effective = effectivePreference(platform, organization);
    const catalog = await this.models.named(namesIn(effective), executor);
    const warnings = warningsOf(effective, scope.capability, catalog);
    return { scope, stored, effective, warnings };
  }
}

/** Preferences contain no personal data: the entry has the old and the new one. */
const entryOf = (
  { organizationId, capability }: PreferenceScope,
  { preference, actor }: PreferenceChange,
  before: Preference | null,
) => ({
  action: 'model_preference_changed',
  actor,
  organizationId,
  target: { type: 'model_preference', id: capability },
  details: { before: before && settingsOf(before), after: settingsOf(preference) },
});

const settingsOf = (preference: Preference) => {
  const { defaultModel, allowedModels, fallbackChain, fallbackOnPolicy } = preference;
  return { defaultModel, allowedModels, fallbackChain, fallbackOnPolicy };
};
