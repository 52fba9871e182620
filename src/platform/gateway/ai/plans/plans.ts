import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import type { AiCapability, Attribution } from '../../callers/attribution.js';
import type { Override } from '../../models/choice.js';
import type { Prices } from '../../models/prices.js';
import type { Breaker, BreakerReason, Circuit, Plan } from './plan.js';
import { READ_PLAN, READ_PRICES } from './plan.sql.js';
import type { CatalogModel, StoredCredential, StoredPreference } from './select-models.js';
import { selectModels } from './select-models.js';

interface CircuitRow {
  readonly failures: number;
  readonly reason: BreakerReason | null;
  readonly isHeldBack: boolean;
  readonly isWaitingForProbe: boolean;
  readonly remainingMs: number | null;
}

interface CredentialRow extends CircuitRow {
  readonly id: string;
  readonly provider: string;
  /** null: of the platform. */
  readonly organizationId: string | null;
  readonly dataKey: string;
  readonly secret: string;
  readonly isFailing: boolean;
  /** Models that failed with it; null: none. */
  readonly models: Readonly<Record<string, CircuitRow>> | null;
}

interface PlanRow {
  readonly preferences: readonly (StoredPreference & { readonly isPlatform: boolean })[] | null;
  readonly models: readonly CatalogModel[] | null;
  readonly credentials: readonly CredentialRow[] | null;
}

/** What a request may use, as the database has it now. Nothing is kept in this process. */
@Injectable()
export class Plans {
  constructor(private readonly database: Database) {}

  /** @throws as `selectModels` */
  async planFor(
    { organizationId }: Attribution,
    capability: AiCapability,
    override: Override | null,
  ): Promise<Plan> {
    const values = [organizationId, capability, override?.model ?? null];
    const [row] = await this.database.query<PlanRow>(READ_PLAN, values);
    const preferences = row?.preferences ?? [];
    return selectModels(
      {
        platform: preferences.find(({ isPlatform }) => isPlatform) ?? null,
        organization: preferences.find(({ isPlatform }) => !isPlatform) ?? null,
        models: row?.models ?? [],
        credentials: (row?.credentials ?? []).map(credentialOf),
      },
      capability,
      override,
    );
  }

  /** Of a model that a provider used in place of the one it was asked for; null: no price is known. */
  async pricesOf(provider: string, model: string): Promise<Prices | null> {
    const [row] = await this.database.query<{ prices: Prices }>(READ_PRICES, [provider, model]);
    return row?.prices ?? null;
  }
}

const credentialOf = (row: CredentialRow): StoredCredential => ({
  id: row.id,
  provider: row.provider,
  organizationId: row.organizationId,
  ...circuitOf(row),
  ofModels: new Map(Object.entries(row.models ?? {}).map(([model, circuit]) => [model, circuitOf(circuit)])),
  isFailing: row.isFailing,
  dataKey: row.dataKey,
  secret: row.secret,
});

const circuitOf = (row: CircuitRow): Circuit => ({ breaker: breakerOf(row), failures: row.failures });

function breakerOf({ isHeldBack, isWaitingForProbe, reason, remainingMs }: CircuitRow): Breaker {
  const known = reason ?? 'overload';
  if (isHeldBack) return { state: 'open', reason: known, remainingMs };
  return isWaitingForProbe ? { state: 'half-open', reason: known } : { state: 'closed' };
}
