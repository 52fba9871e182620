import { Injectable } from '@nestjs/common';
import { BatchWriter } from '#libs/concurrency';
import { Database, isTransient } from '#libs/database';
import type { AcceptsFacts } from '../../providers/wires/wire.js';
import { acceptsOf } from '../../providers/ai-providers.js';
import type { AiCapability, Attribution } from '../../../access/attribution.js';
import type { Override, Preference } from '../../models/domain/choice.js';
import { pricesFor } from '../../models/domain/priced-for.js';
import { mayReason } from '../../models/domain/model-ref.js';
import type { Prices } from '../../models/domain/prices.js';
import { READ_PLANS } from '../../plan-sql/plan.sql.js';
import type { Circuit, RoutingPlan } from './plan.js';
import { RememberedPlans } from './remembered-plans.js';
import { type CatalogModel, selectModels, type Stored, type StoredCredential } from './select-models.js';

type CredentialRow = Omit<StoredCredential, 'ofModels'> & {
  /** Models that failed with it; null: none. */
  readonly models: Readonly<Record<string, Circuit>> | null;
};

interface PlanRow {
  readonly preferences: readonly (Preference & { readonly isPlatform: boolean })[] | null;
  readonly models:
    (Omit<CatalogModel, 'mayReason' | 'accepts'> & { readonly accepts: AcceptsFacts })[] | null;
  /** By provider/model. */
  readonly returnedPrices: Readonly<Record<string, Prices | null>> | null;
  readonly credentials: readonly CredentialRow[] | null;
  readonly fingerprint: string;
}

/** What a plan is read for. */
export interface PlanRequest {
  readonly attribution: Attribution;
  readonly capability: AiCapability;
  readonly override: Override | null;
}

/** A row of the statement. */
interface Key {
  readonly organization_id: string;
  readonly capability: AiCapability;
  readonly model: string | null;
  readonly returned: readonly string[];
}

/** What was read, of requests with the same key. */
type ReadPlan = Stored &
  Pick<PlanRow, 'returnedPrices' | 'fingerprint'> & {
    /** It has no breaker that is open: the time until it may be probed is another one in each read. */
    readonly isLasting: boolean;
  };

/** A caller waits for its plan. */
const READS = { maxBatch: 32, concurrency: 2, linger: 0, failsTogether: isTransient };

/**
 * What requests may use. A plan that an earlier request read serves again: the reservation of the first attempt confirms it in its own
 * statement. Others are read; requests that arrive during a read share the next one.
 */
@Injectable()
export class Plans {
  private readonly remembered = new RememberedPlans<ReadPlan>();
  private readonly reads = new BatchWriter<Key, ReadPlan>((keys) => this.readAll(keys), READS);

  constructor(private readonly database: Database) {}

  /** @throws as `selectModels` */
  async planFor(request: PlanRequest): Promise<RoutingPlan> {
    const name = nameOf(request);
    const read = this.remembered.planOf(name);
    if (!read) return this.read(request);
    const { model = null } = request.override ?? {};
    const expected = { model, returned: this.remembered.returnedOf(name), fingerprint: read.fingerprint };
    try {
      return { ...planOf(read, request), expected };
    } catch {
      // An outdated plan refuses no request.
      return this.read(request);
    }
  }

  /** As the database has it now. @throws as `selectModels` */
  async read(request: PlanRequest): Promise<RoutingPlan> {
    const { attribution, capability, override } = request;
    const name = nameOf(request);
    const returned = this.remembered.returnedOf(name);
    const { organizationId: organization_id } = attribution;
    const read = await this.reads.add({
      organization_id,
      capability,
      model: override?.model ?? null,
      returned,
    });
    const known = this.remembered.planOf(name);
    if (known && known.fingerprint !== read.fingerprint) this.remembered.forget(name);
    const plan = planOf(read, request);
    // Only plans that serve: requests that are refused, such as for models that do not exist, leave no room for others otherwise.
    // A model that was learnt during the read has no price in it.
    if (this.remembered.returnedOf(name).every((ref) => returned.includes(ref)))
      this.remembered.set(name, read.isLasting ? read : null, returned);
    return plan;
  }

  /** Further plans for such requests have the prices of a model that a provider returned. @param ref as provider/model */
  learnReturned(request: PlanRequest, ref: string): void {
    this.remembered.learnReturned(nameOf(request), ref);
  }

  /** Each plan once: requests with the same key share what was read. */
  private async readAll(keys: readonly Key[]): Promise<ReadPlan[]> {
    const names = keys.map((key) => JSON.stringify(key));
    const distinct = new Map(names.map((name, index) => [name, keys[index]!]));
    const values = [...distinct.values()].map((key, place) => ({ place, ...key }));
    const rows = await this.database.query<PlanRow>(READ_PLANS, [JSON.stringify(values)]);
    const read = new Map([...distinct].map(([name, key], index) => [name, readOf(rows[index]!, key)]));
    return names.map((name) => read.get(name)!);
  }
}

const nameOf = ({ attribution, capability, override }: PlanRequest): string =>
  `${attribution.organizationId} ${capability} ${override?.model ?? ''}`;

const planOf = (read: ReadPlan, { capability, override }: PlanRequest): RoutingPlan => ({
  ...selectModels(read, capability, override),
  returnedPrices: read.returnedPrices ?? {},
});

function readOf(row: PlanRow, { capability }: Key): ReadPlan {
  const { preferences, models, returnedPrices, credentials, fingerprint } = row;
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
    returnedPrices,
    fingerprint,
    isLasting: (credentials ?? [])
      .flatMap((credential) => [credential, ...Object.values(credential.models ?? {})])
      .every(({ breaker }) => breaker.state === 'closed'),
  };
}

const credentialOf = ({ models, ...credential }: CredentialRow): StoredCredential => ({
  ...credential,
  ofModels: new Map(Object.entries(models ?? {})),
});
