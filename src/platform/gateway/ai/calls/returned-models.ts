import { Injectable, Logger } from '@nestjs/common';
import type { AiCapability } from '../../access/attribution.js';
import type { Prices } from '../models/domain/prices.js';
import { pricesFor } from '../models/domain/priced-for.js';
import type { NanoDollars } from '../usage/spend/spend-ledger.js';
import { Plans } from './plans/plans.js';
import type { Plan, PlannedModel } from './plans/plan.js';

/** The model that was asked for. */
interface Used {
  readonly plan: Plan;
  readonly capability: AiCapability;
  readonly model: PlannedModel;
  /** Of the reservation. */
  readonly usageId: string;
}

/** A provider may use another model than the one that was asked for: routers do, and aliases stand for dated versions. */
@Injectable()
export class ReturnedModels {
  private readonly logger = new Logger(ReturnedModels.name);

  constructor(private readonly plans: Plans) {}

  /**
   * Prices of the model that was used, else of the one that was asked for, as of the start of the call. Never fails: the work is done
   * and must be settled.
   */
  async pricesOf(
    { plan, capability, model: asked, usageId }: Used,
    returned: string | null,
  ): Promise<Prices | null> {
    const { provider, prices } = asked;
    if (returned === null || returned === asked.model) return prices;
    const planned = plan.returnedPrices.get(`${provider}/${returned}`);
    if (planned !== undefined) return planned ?? prices;
    try {
      const read = await this.plans.pricesOf(plan, { provider, model: returned, usageId });
      return pricesFor(capability, returned, read) ?? prices;
    } catch (error) {
      this.logger.warn({ err: error }, 'The prices of a returned model could not be read.');
      return prices;
    }
  }
}

/**
 * The most that an attempt can cost: with the model that was asked for, or with one that its provider is known to use in place of one of
 * the plan. null: the one that was asked for has no price.
 */
export function mostOf(
  { returnedPrices }: Plan,
  model: PlannedModel,
  estimate: (model: PlannedModel) => NanoDollars | null,
): NanoDollars | null {
  const asked = estimate(model);
  if (asked === null) return null;
  const others = [...returnedPrices]
    .filter(([ref]) => ref.startsWith(`${model.provider}/`))
    .map(([, prices]) => estimate({ ...model, prices }) ?? 0n);
  return others.reduce((most, each) => (each > most ? each : most), asked);
}
