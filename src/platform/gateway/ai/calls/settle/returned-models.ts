import { Injectable, Logger } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import type { Prices } from '../../models/domain/prices.js';
import { pricesFor } from '../../models/domain/priced-for.js';
import type { AiCall } from '../admit/ai-requests.js';
import type { PlannedModel } from '../plan/plan.js';

/**
 * Prices of a model that the provider used in place of the one that was asked for, as of the reservation: a price that changes during a
 * call does not count for it. $1 provider, $2 model, $3 id of the reservation
 */
const READ_PRICES = statement(
  'gateway_read_prices_of_attempt',
  `SELECT p.prices FROM gateway.model_price p
    WHERE p.provider = $1 AND p.model = $2
      AND p.starts_at <= coalesce((SELECT u.reserved_at FROM gateway.usage u WHERE u.id = $3::uuid), now())
    ORDER BY p.rank, p.starts_at DESC LIMIT 1`,
);

interface Used {
  readonly call: Pick<AiCall, 'capability' | 'plan' | 'learnReturned'>;
  /** The model that was asked for. */
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
  async pricesOf({ call, model: asked, usageId }: Used, returned: string | null): Promise<Prices | null> {
    const { provider, prices } = asked;
    if (returned === null || returned === asked.model) return prices;
    const ref = `${provider}/${returned}`;
    try {
      let own = call.plan.returnedPrices[ref];
      if (own === undefined) {
        call.learnReturned(ref);
        own = await this.read(provider, returned, usageId);
      }
      return pricesFor(call.capability, returned, own) ?? prices;
    } catch (error) {
      this.logger.warn({ err: error }, 'The prices of a returned model could not be read.');
      return prices;
    }
  }

  private async read(...key: [provider: string, model: string, usageId: string]): Promise<Prices | null> {
    const [row] = await this.database.query<{ prices: Prices }>(READ_PRICES, key);
    return row?.prices ?? null;
  }
}
