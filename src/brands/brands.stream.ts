import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/auth';
import { BrandNotFound, eventContext } from '#libs/auth';
import { Database } from '#libs/database';
import { EventStore, Stream, StreamNotFound } from '#libs/event-store';
import type { BrandEvent } from './domain/brand.events.js';
import type { Brand, BrandState } from './domain/brand.js';
import { brandAggregate } from './domain/brand.js';
import { brandProjection } from './views/brand.projection.js';

/** The event-sourced brands. */
@Injectable()
export class Brands extends Stream<BrandState, BrandEvent> {
  constructor(database: Database, store: EventStore) {
    super(database, store, brandAggregate, brandProjection);
  }

  /**
   * Decides for a caller who needs accounts.write in the brand's organization at the time of the decision, so that a concurrent
   * transfer is respected.
   * @throws BrandNotFound, ScopeIsMissing, VersionIsStale, the errors of the decision
   */
  async decide(
    brandId: string,
    caller: Caller,
    decision: (brand: Brand) => BrandEvent[],
    ifVersion?: number,
  ): Promise<void> {
    const writable = (state: BrandState) => {
      const brand = mustExist(state);
      caller.must('accounts.write', placeOf(brand), () => new BrandNotFound());
      return brand;
    };
    writable(await this.current(brandId));
    const guarded = (state: BrandState) => decision(writable(state));
    const context = (state: BrandState) => eventContext(caller, placeOf(mustExist(state)));
    await this.change(brandId, () => guarded, context, { ifVersion });
  }

  private async current(brandId: string): Promise<BrandState> {
    try {
      return (await this.load(brandId)).state;
    } catch (error) {
      throw error instanceof StreamNotFound ? new BrandNotFound() : error;
    }
  }
}

function mustExist(state: BrandState): Brand {
  if (state === null) throw new BrandNotFound();
  return state;
}

const placeOf = ({ id: brandId, organizationId }: Brand) => ({ organizationId, brandId });
