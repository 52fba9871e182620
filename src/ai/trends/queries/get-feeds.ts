import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { RequestQuery } from '#libs/messages';
import { TrendBrands } from '../access/brand-access.js';
import { type BrandFeeds, FeedsStore } from '../feeds.store.js';

export class GetFeeds extends RequestQuery<{ brandId: string; caller: Caller }, BrandFeeds> {}

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
