import { Injectable, Logger } from '@nestjs/common';
import type { Prices } from '../../models/prices.js';
import { Plans } from '../plans/plans.js';
import type { Plan, PlannedModel } from '../plans/plan.js';

/** The model that was asked for. */
interface Used {
  readonly plan: Plan;
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
  async pricesOf({ plan, model: asked, usageId }: Used, returned: string | null): Promise<Prices | null> {
    const { provider, prices } = asked;
    if (returned === null || returned === asked.model) return prices;
    const planned = plan.returnedPrices.get(`${provider}/${returned}`);
    if (planned !== undefined) return planned ?? prices;
    try {
      return (await this.plans.pricesOf(plan, { provider, model: returned, usageId })) ?? prices;
    } catch (error) {
      this.logger.warn({ err: error }, 'The prices of a returned model could not be read.');
      return prices;
    }
  }
}
