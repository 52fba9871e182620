import { Injectable } from '@nestjs/common';
import { BatchWriter } from '#libs/concurrency';
import { Database, isTransient } from '#libs/database';
import type { AcceptsFacts } from '../../providers/wires/wire.js';
import { acceptsOf } from '../../providers/accepts.js';
import type { AiCapability, Attribution } from '../../../access/attribution.js';
import type { Override, Preference } from '../../models/domain/choice.js';
import { pricesFor } from '../../models/domain/priced-for.js';
import { mayReason } from '../../models/domain/reasoning.js';
import type { Breaker, BreakerReason, Circuit, RoutingPlan } from './plan.js';
import { READ_PLANS } from './plans.sql.js';
import { type CatalogModel, selectModels, type Stored, type StoredCredential } from './select-models.js';

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
  readonly preferences: readonly (Preference & { readonly isPlatform: boolean })[] | null;
  readonly models:
    (Omit<CatalogModel, 'mayReason' | 'accepts'> & { readonly accepts: AcceptsFacts })[] | null;
  readonly credentials: readonly CredentialRow[] | null;
}

/** What a plan is read for. */
export interface PlanRequest {
  readonly attribution: Attribution;
  readonly capability: AiCapability;
  readonly override: Override | null;
}

type Key = readonly [organizationId: string, capability: AiCapability, model: string | null];

/** A caller waits for its plan. */
const READS = { maxBatch: 32, concurrency: 2, linger: 0, failsTogether: isTransient };

/** What a request may use, as the database has it now. Requests that arrive while the plans of others are read share the next read. */
@Injectable()
export class Plans {
  private readonly reads = new BatchWriter<Key, Stored>((keys) => this.readAll(keys), READS);

  constructor(private readonly database: Database) {}

  /** @throws as `selectModels` */
  async read({ attribution, capability, override }: PlanRequest): Promise<RoutingPlan> {
    const stored = await this.reads.add([attribution.organizationId, capability, override?.model ?? null]);
    return selectModels(stored, capability, override);
  }

  /** Each plan once: requests with the same key share what was read. */
  private async readAll(keys: readonly Key[]): Promise<Stored[]> {
    const distinct = new Map(keys.map((key) => [JSON.stringify(key), key]));
    const read = [...distinct.values()];
    const values = [0, 1, 2].map((column) => read.map((key) => key[column]));
    const rows = await this.database.query<PlanRow>(READ_PLANS, values);
    const stored = new Map([...distinct].map(([name, key], index) => [name, storedOf(rows[index]!, key[1])]));
    return keys.map((key) => stored.get(JSON.stringify(key))!);
  }
}

function storedOf({ preferences, models, credentials }: PlanRow, capability: AiCapability): Stored {
  return {
    platform: preferences?.find(({ isPlatform }) => isPlatform) ?? null,
    organization: preferences?.find(({ isPlatform }) => !isPlatform) ?? null,
    models: (models ?? []).map((model) => ({
      ...model,
      mayReason: mayReason(model),
      accepts: acceptsOf(model.provider, model.model, model.accepts),
      prices: pricesFor(capability, model.model, model.prices),
    })),
    credentials: (credentials ?? []).map(credentialOf),
  };
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
