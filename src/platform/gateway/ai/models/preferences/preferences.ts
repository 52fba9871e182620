import { Injectable } from '@nestjs/common';
import { Database, type Executor, statement } from '#libs/database';
import { VersionIsStale } from '#libs/event-store';
import { RequestIsNotValid } from '#libs/http';
import { type AuditActor, GatewayAudit } from '../../../audit/gateway-audit.js';
import type { AiCapability } from '../../../access/attribution.js';
import { ModelDto } from '../catalog/model.dto.js';
import { ModelsStore } from '../catalog/models.store.js';
import { effectivePreference, type Preference } from '../domain/choice.js';
import {
  namesIn,
  NO_PREFERENCE,
  preferenceErrors,
  type VersionedPreference,
  warningsOf,
} from './preference.js';
import type { PreferenceDto } from './preference.dto.js';

export interface PreferenceScope {
  /** null: the platform's. */
  readonly organizationId: string | null;
  readonly capability: AiCapability;
}

export interface PreferenceChange {
  readonly preference: Preference;
  readonly actor: AuditActor;
  readonly ifVersion?: number;
}

const COLUMNS = `organization_id AS "organizationId", default_model AS "defaultModel", allowed_models AS "allowedModels",
  fallback_chain AS "fallbackChain", fallback_on_policy AS "fallbackOnPolicy", version, updated_at AS "updatedAt"`;

/** $1 capability, $2 organization or null */
const READ = statement(
  'gateway_read_preferences',
  `SELECT ${COLUMNS} FROM gateway.model_preference
    WHERE capability = $1 AND (organization_id IS NULL OR organization_id = $2::uuid)`,
);

/**
 * No row: the stored version is another one. $8 0: nothing is stored; null: any. $1 organization or null, $2 capability, $3 default, $4 allowed, $5 chain,
 * $6 on policy, $7 person, $8 required version or null
 */
const WRITE = statement(
  'gateway_write_preference',
  `INSERT INTO gateway.model_preference AS stored
     (organization_id, capability, default_model, allowed_models, fallback_chain, fallback_on_policy, updated_by)
   SELECT $1::uuid, $2, $3, $4::text[], $5::text[], $6, $7::uuid
    WHERE coalesce($8::int, 0) = 0 OR EXISTS (SELECT FROM gateway.model_preference
            WHERE capability = $2 AND organization_id IS NOT DISTINCT FROM $1::uuid)
   ON CONFLICT (organization_id, capability) DO UPDATE SET
     default_model = $3, allowed_models = $4::text[], fallback_chain = $5::text[], fallback_on_policy = $6,
     version = stored.version + 1, updated_at = now(), updated_by = $7::uuid
    WHERE $8::int IS NULL OR stored.version = $8::int
   RETURNING ${COLUMNS}`,
);

/** More models than a provider offers for one capability. */
const MAX_MODELS = 2_000;

@Injectable()
export class Preferences {
  constructor(
    private readonly database: Database,
    private readonly models: ModelsStore,
    private readonly audit: GatewayAudit,
  ) {}

  async get(scope: PreferenceScope, executor: Executor = this.database): Promise<PreferenceDto> {
    const { platform, organization, stored } = await read(executor, scope);
    const effective = effectivePreference(platform, organization);
    const catalog = await this.models.named(namesIn(effective), executor);
    const warnings = warningsOf(effective, scope.capability, catalog);
    return { ...(stored ?? NO_PREFERENCE), ...scope, effective, warnings };
  }

  replace(scope: PreferenceScope, change: PreferenceChange): Promise<PreferenceDto> {
    return this.database.transaction(async (transaction) => {
      const { platform, stored } = await read(transaction, scope);
      const { preference, actor, ifVersion = null } = change;
      const catalog = await this.models.named(namesIn(preference), transaction);
      const bounds = scope.organizationId === null ? null : platform;
      const errors = preferenceErrors(preference, bounds, scope.capability, catalog);
      if (errors.length > 0) throw new RequestIsNotValid(errors);
      const { defaultModel, allowedModels, fallbackChain, fallbackOnPolicy } = preference;
      const settings = [defaultModel, allowedModels, fallbackChain, fallbackOnPolicy];
      const by = [actor.type === 'user' ? actor.id : null, ifVersion];
      const values = [scope.organizationId, scope.capability, ...settings, ...by];
      if ((await transaction.query(WRITE, values)).length === 0)
        throw new VersionIsStale(stored?.version ?? 0);
      await this.audit.record(transaction, entryOf(scope, change, stored));
      return this.get(scope, transaction);
    });
  }

  async allowedModels(scope: PreferenceScope): Promise<ModelDto[]> {
    const { platform, organization } = await read(this.database, scope);
    const { allowedModels } = effectivePreference(platform, organization);
    const models = await this.models.usable(scope.capability, allowedModels, MAX_MODELS);
    return models.map((model) => ModelDto.of(model));
  }
}

/** The preferences of the platform and of the organization; `stored` is that of the scope itself. */
async function read(executor: Executor, { capability, organizationId }: PreferenceScope) {
  const rows = await executor.query<VersionedPreference>(READ, [capability, organizationId]);
  const platform = rows.find((row) => row.organizationId === null) ?? null;
  const organization = rows.find((row) => row.organizationId !== null) ?? null;
  return { platform, organization, stored: organizationId === null ? platform : organization };
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
