import { Injectable, Logger } from '@nestjs/common';
import { Database } from '#libs/database';
import type { AiCapability } from '../../../access/attribution.js';
import type { Prices } from '../../models/domain/prices.js';
import { pricesFor } from '../../models/domain/priced-for.js';
import type { PlannedModel } from '../plan/plan.js';
import { READ_PRICES } from '../plan/plans.sql.js';

/** The model that was asked for. */
interface Used {
  readonly capability: AiCapability;
  readonly model: PlannedModel;
  /** Of the reservation. */
  readonly usageId: string;
}

/** A provider may use another model than the one that was asked for: routers do, and aliases stand for dated versions. */
@Injectable()
export class ReturnedModels {
  private readonly logger = new Logger(ReturnedModels.name);

  constructor(private readonly database: Database) {}

  /**
   * Prices of the model that was used, else of the one that was asked for, as of the start of the call. Never fails: the work is done
   * and must be settled.
   */
  async pricesOf(
    { capability, model: asked, usageId }: Used,
    returned: string | null,
  ): Promise<Prices | null> {
    const { provider, prices } = asked;
    if (returned === null || returned === asked.model) return prices;
    try {
      const values = [provider, returned, usageId];
      const [row] = await this.database.query<{ prices: Prices }>(READ_PRICES, values);
      return pricesFor(capability, returned, row?.prices ?? null) ?? prices;
    } catch (error) {
      this.logger.warn({ err: error }, 'The prices of a returned model could not be read.');
      return prices;
    }
  }
}
