import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { TrendBrands } from '../access/brand-access.js';
import { type BrandFeeds, FeedsStore } from '../feeds.store.js';

export class GetFeeds extends Query<BrandFeeds> {
  constructor(readonly request: { readonly brandId: string; readonly caller: Caller }) {
    super();
  }
}

@QueryHandler(GetFeeds)
export class GetFeedsHandler implements IQueryHandler<GetFeeds> {
  constructor(
    private readonly brands: TrendBrands,
    private readonly feeds: FeedsStore,
  ) {}

  async execute({ request: { brandId, caller } }: GetFeeds): Promise<BrandFeeds> {
    await this.brands.authorize(brandId, caller, 'analytics.read');
    return this.feeds.read(brandId);
  }
}
