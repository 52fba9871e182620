import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/auth';
import { eventContext } from '#libs/auth';
import { Database } from '#libs/database';
import { EventStore, Stream, StreamNotFound } from '#libs/event-store';
import { BrandNotFound } from './brand.errors.js';
import type { BrandEvent } from './brand.events.js';
import type { BrandState } from './brand.js';
import { brandAggregate } from './brand.js';
import { brandProjection } from './brand.projection.js';

/** What handlers decide on. */
@Injectable()
export class Brands extends Stream<BrandState, BrandEvent> {
  constructor(database: Database, store: EventStore) {
    super(database, store, brandAggregate, brandProjection);
  }

  /**
   * A decision of a caller who needs accounts.write where the brand is at the moment of the decision, so that it cannot
   * slip in behind a transfer.
   * @throws BrandNotFound, ScopeIsMissing, VersionIsStale, whatever the decision throws
   */
  async decide(
    brandId: string,
    caller: Caller,
    decision: (state: BrandState) => BrandEvent[],
    ifVersion?: number,
  ): Promise<void> {
    const mayWrite = (state: BrandState) =>
      caller.must('accounts.write', placeOf(brandId, state), () => new BrandNotFound());
    const guarded = (state: BrandState) => {
      mayWrite(state);
      return decision(state);
    };
    mayWrite(await this.current(brandId));
    const context = (state: BrandState) => eventContext(caller, placeOf(brandId, state));
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

function placeOf(brandId: string, state: BrandState) {
  if (state === null) throw new BrandNotFound();
  return { organizationId: state.organizationId, brandId };
}
