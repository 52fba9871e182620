import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import type { AcceptsFacts } from '../../providers/accepts.types.js';
import { acceptsOf } from '../../providers/accepts.js';
import type { AiCapability, Attribution } from '../../../access/attribution.js';
import type { Override, Preference } from '../../models/domain/choice.js';
import type { Prices } from '../../models/domain/prices.js';
import { pricesFor } from '../../models/domain/priced-for.js';
import { mayReason } from '../../models/domain/reasoning.js';
import type { Breaker, BreakerReason, Circuit, Plan } from './plan.js';
import { READ_PLAN, READ_PRICES } from '../../plan-sql/plan.sql.js';
import { RememberedPlans } from './remembered-plans.js';
import type { CatalogModel, StoredCredential } from './select-models.js';
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
  readonly preferences: readonly (Preference & { readonly isPlatform: boolean })[] | null;
  readonly models:
    (Omit<CatalogModel, 'mayReason' | 'accepts'> & { readonly accepts: AcceptsFacts })[] | null;
  readonly returnedPrices: readonly { readonly ref: string; readonly prices: Prices | null }[] | null;
  readonly credentials: readonly CredentialRow[] | null;
  readonly fingerprint: string;
}

/** What a plan is read for. */
export interface PlanRequest {
  readonly attribution: Attribution;
  readonly capability: AiCapability;
  readonly override: Override | null;
}

/**
 * What a request may use, as the database has it now: either read, or remembered from an earlier request and then checked by the
 * reservation of the first attempt, in the same statement.
 */
@Injectable()
export class Plans {
  private readonly remembered = new RememberedPlans<PlanRow>();

  constructor(private readonly database: Database) {}

  /** @throws as `selectModels` */
  async planFor(request: PlanRequest): Promise<Plan> {
    const key = keyOf(request);
    const row = this.remembered.rowOf(key);
    if (!row) return this.read(request);
    const returned = this.remembered.returnedOf(key);
    const model = request.override?.model ?? null;
    try {
      return { ...planOf(row, request), expected: { model, returned, fingerprint: row.fingerprint } };
    } catch {
      // An outdated plan refuses no request.
      return this.read(request);
    }
  }

  /** @throws as `selectModels` */
  async read(request: PlanRequest): Promise<Plan> {
    const { attribution, capability, override } = request;
    const key = keyOf(request);
    const returned = this.remembered.returnedOf(key);
    const values = [attribution.organizationId, capability, override?.model ?? null, returned];
    const [row] = await this.database.query<PlanRow>(READ_PLAN, values);
    if (!row) throw new Error('The plan of a request was not read.');
    this.remembered.forget(key);
    const plan = planOf(row, request);
    // Only plans that serve: requests that are refused, such as for models that do not exist, leave no room for others otherwise.
    this.remembered.set(key, isLasting(row) ? row : null, returned);
    return plan;
  }

  /** Of a model that a provider used in place of one of the plan, as of a reservation; null: no price is known. */
  async pricesOf(
    { key }: Plan,
    used: { readonly provider: string; readonly model: string; readonly usageId: string },
  ): Promise<Prices | null> {
    const { provider, model, usageId } = used;
    this.remembered.learnReturned(key, `${provider}/${model}`);
    const [row] = await this.database.query<{ prices: Prices }>(READ_PRICES, [provider, model, usageId]);
    return row?.prices ?? null;
  }
}

const keyOf = ({ attribution, capability, override }: PlanRequest): string =>
  `${attribution.organizationId} ${capability} ${override?.model ?? ''}`;

/** The time until a breaker may be probed is another one in each read. */
const isLasting = ({ credentials }: PlanRow): boolean =>
  (credentials ?? [])
    .flatMap((credential) => [credential, ...Object.values(credential.models ?? {})])
    .every(({ isHeldBack, isWaitingForProbe }) => !isHeldBack && !isWaitingForProbe);

function planOf(row: PlanRow, request: PlanRequest): Plan {
  const { preferences, models, returnedPrices, credentials } = row;
  const { capability, override } = request;
  const stored = {
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
  return {
    ...selectModels(stored, capability, override),
    key: keyOf(request),
    returnedPrices: new Map(
      (returnedPrices ?? []).map(({ ref, prices }) => [ref, pricesFor(capability, ref, prices)]),
    ),
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
