import type { Provider } from '@nestjs/common';
import { Clock, SystemClock } from '#libs/clock';
import { provideConfig } from '#libs/config';
import { PublicFetch, PublicFetchConfig } from '#libs/outbound-http';
import { AsksStore } from './asks.store.js';
import { TrendBrands } from './access/brand-access.js';
import { SetFeedsHandler } from './commands/set-feeds.js';
import { SuggestTrendHandler } from './commands/suggest-trend.js';
import { FeedsStore } from './feeds.store.js';
import { FindTrendsHandler } from './queries/find-trends.js';
import { GetFeedsHandler } from './queries/get-feeds.js';
import { SourceCalls, TREND_SOURCES, type TrendSources } from './access/source-calls.js';
import { FeedParser } from './sources/feeds/feed-parser.js';
import { FeedTrends } from './sources/feeds/feed-trends.js';
import { ModelTrends } from './sources/model-trends.js';
import { SuggestionsStore } from './suggestions.store.js';
import { TrendsConfig } from './trends.config.js';
import { TrendsStore } from './trends.store.js';

/** Trends in the API. */
export const trendsProviders: Provider[] = [
  provideConfig(TrendsConfig),
  provideConfig(PublicFetchConfig),
  { provide: Clock, useClass: SystemClock },
  PublicFetch,
  FeedParser,
  FeedTrends,
  ModelTrends,
  {
    provide: TREND_SOURCES,
    useFactory: (model: ModelTrends, feed: FeedTrends): TrendSources => ({ model, feed }),
    inject: [ModelTrends, FeedTrends],
  },
  TrendBrands,
  TrendsStore,
  AsksStore,
  FeedsStore,
  SuggestionsStore,
  SourceCalls,
  FindTrendsHandler,
  GetFeedsHandler,
  SetFeedsHandler,
  SuggestTrendHandler,
];
