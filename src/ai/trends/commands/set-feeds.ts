import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { RequestCommand } from '#libs/messages';
import { TrendBrands } from '../access/brand-access.js';
import { type BrandFeeds, FeedsStore } from '../feeds.store.js';

export interface FeedsToSet {
  readonly brandId: string;
  /** http or https, each once. */
  readonly urls: readonly string[];
  readonly caller: Caller;
  readonly ifVersion?: number;
}

/** Replaces the feeds of a brand. */
export class SetFeeds extends RequestCommand<FeedsToSet, BrandFeeds> {}

@CommandHandler(SetFeeds)
export class SetFeedsHandler implements ICommandHandler<SetFeeds> {
  constructor(
    private readonly brands: TrendBrands,
    private readonly feeds: FeedsStore,
  ) {}

  async execute({ request: { brandId, urls, caller, ifVersion } }: SetFeeds): Promise<BrandFeeds> {
    await this.brands.authorize(brandId, caller, 'accounts.write');
    return this.feeds.set(brandId, urls, ifVersion);
  }
}
