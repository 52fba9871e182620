import { Injectable } from '@nestjs/common';
import { BrandNotFound, type Caller, eventContext } from '#libs/auth';
import { Database } from '#libs/database';
import { EventStore, Stream, StreamNotFound } from '#libs/event-store';
import type { BrandEvent } from './domain/brand.events.js';
import { type Brand, brandAggregate, type BrandState } from './domain/brand.js';
import { brandProjection } from './queries/brand.view.js';

@Injectable()
export class Brands extends Stream<BrandState, BrandEvent> {
  constructor(database: Database, store: EventStore) {
    super(database, store, brandAggregate, brandProjection);
  }

  /**
   * The caller needs accounts.write in the brand's organization, checked again after each concurrent change, such as a
   * transfer.
   * @throws BrandNotFound, ScopeIsMissing, VersionIsStale, the errors of the decision
   */
  async decide(
    brandId: string,
    caller: Caller,
    decision: (brand: Brand) => BrandEvent[],
    ifVersion?: number,
  ): Promise<void> {
    const authorize = () => this.authorize(brandId, caller);
    await this.changeAs(brandId, authorize, ({ brand }) => decision(brand), { ifVersion });
  }

  private async authorize(brandId: string, caller: Caller) {
    const from = await this.load(brandId).catch((error: unknown) => {
      throw error instanceof StreamNotFound ? new BrandNotFound() : error;
    });
    const brand = from.state;
    if (brand === null) throw new BrandNotFound();
    const owner = { organizationId: brand.organizationId, brandId };
    caller.must('accounts.write', owner, () => new BrandNotFound());
    return { from, brand, context: eventContext(caller, owner) };
  }
}
