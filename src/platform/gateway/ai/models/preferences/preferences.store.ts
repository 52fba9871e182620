import { Injectable } from '@nestjs/common';
import { Database, type Executor, statement } from '#libs/database';
import type { AiCapability } from '../../../access/attribution.js';
import type { Preference } from '../domain/choice.js';
import type { VersionedPreference } from './preference.js';

/** Of the platform and of an organization. */
export interface PreferencePair {
  readonly platform: VersionedPreference | null;
  readonly organization: VersionedPreference | null;
}

const COLUMNS = `organization_id AS "organizationId", default_model AS "defaultModel", allowed_models AS "allowedModels",
  fallback_chain AS "fallbackChain", fallback_on_policy AS "fallbackOnPolicy", version, updated_at AS "updatedAt",
  updated_by AS "updatedBy"`;

/** $1 capability, $2 organization or null */
const READ = statement(
  'gateway_read_preferences',
  `SELECT ${COLUMNS} FROM gateway.model_preference
    WHERE capability = $1 AND (organization_id IS NULL OR organization_id = $2::uuid)`,
);

/**
 * No row: the stored version is another one. $1 organization or null, $2 capability, $3 default, $4 allowed, $5 chain,
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

type Row = VersionedPreference & { readonly organizationId: string | null };

@Injectable()
export class PreferencesStore {
  constructor(private readonly database: Database) {}

  async read(
    capability: AiCapability,
    organizationId: string | null,
    executor: Executor = this.database,
  ): Promise<PreferencePair> {
    const rows = await executor.query<Row>(READ, [capability, organizationId]);
    return {
      platform: rows.find((row) => row.organizationId === null) ?? null,
      organization: rows.find((row) => row.organizationId !== null) ?? null,
    };
  }

  /** @param ifVersion 0: nothing is stored; undefined: any. @returns null: another version is stored */
  async write(
    executor: Executor,
    scope: { readonly organizationId: string | null; readonly capability: AiCapability },
    preference: Preference,
    by: { readonly userId: string | null; readonly ifVersion?: number },
  ): Promise<VersionedPreference | null> {
    const { defaultModel, allowedModels, fallbackChain, fallbackOnPolicy } = preference;
    const values = [defaultModel, allowedModels, fallbackChain, fallbackOnPolicy];
    const scoped = [scope.organizationId, scope.capability];
    const [row] = await executor.query<Row>(WRITE, [...scoped, ...values, by.userId, by.ifVersion ?? null]);
    return row ?? null;
  }
}
