import { Injectable, Logger } from '@nestjs/common';
import type { Prices } from '../../models/prices.js';
import { Plans } from '../plans/plans.js';
import type { PlannedModel } from '../plans/plan.js';

/** A provider may use another model than the one that was asked for: routers do, and aliases stand for dated versions. */
@Injectable()
export class ReturnedModels {
  private readonly logger = new Logger(ReturnedModels.name);

  constructor(private readonly plans: Plans) {}

  /** Prices of the model that was used, else of the one that was asked for. Never fails: the work is done and must be settled. */
  async pricesOf({ provider, model, prices }: PlannedModel, returned: string | null): Promise<Prices | null> {
    if (returned === null || returned === model) return prices;
    try {
      return (await this.plans.pricesOf(provider, returned)) ?? prices;
    } catch (error) {
      this.logger.warn({ err: error }, 'The prices of a returned model could not be read.');
      return prices;
    }
  }
}
