import { Module, type Provider } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Clock, SystemClock } from '#libs/clock';
import { provideConfig } from '#libs/config';
import { PublicFetch, PublicFetchConfig } from '#libs/outbound-http';
import { GatewayClientModule } from '#libs/platform-client';
import { GenerateImageHandler } from './images/commands/generate-image.js';
import { DrawImage } from './images/drawing/draw-image.js';
import { ImageMemory, ImageSlots } from './images/drawing/image-limits.js';
import { ImageMetrics } from './images/drawing/image.metrics.js';
import { KeyedImages } from './images/drawing/keyed-images.js';
import { FinishImages } from './images/finish-images.worker.js';
import { GeneratedImages, ImagesController } from './images/http/images.controller.js';
import { InternalImagesController, OwnRegistration } from './images/http/internal-images.controller.js';
import { ImagesConfig } from './images/images.config.js';
import { KeyedImagesStore } from './images/keyed-images.store.js';
import { TrendBrands } from './trends/access/brand-access.js';
import { SourceCalls, TREND_SOURCES, type TrendSources } from './trends/access/source-calls.js';
import { AsksStore } from './trends/asks.store.js';
import { SetFeedsHandler } from './trends/commands/set-feeds.js';
import { SuggestTrendHandler } from './trends/commands/suggest-trend.js';
import { FeedsStore } from './trends/feeds.store.js';
import { TrendsController } from './trends/http/trends.controller.js';
import { FindTrendsHandler } from './trends/queries/find-trends.js';
import { GetFeedsHandler } from './trends/queries/get-feeds.js';
import { FeedParser } from './trends/sources/feeds/feed-parser.js';
import { FeedTrends } from './trends/sources/feeds/feed-trends.js';
import { ModelTrends } from './trends/sources/model-trends.js';
import { SuggestionsStore } from './trends/suggestions.store.js';
import { TrendsConfig } from './trends/trends.config.js';
import { TrendsStore } from './trends/trends.store.js';

const imagesProviders = [
  provideConfig(ImagesConfig),
  ImageSlots,
  ImageMemory,
  ImageMetrics,
  DrawImage,
  KeyedImagesStore,
  KeyedImages,
  FinishImages,
  OwnRegistration,
  GeneratedImages,
  GenerateImageHandler,
];

/** Trends in the API. */
const trendsProviders: Provider[] = [
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

@Module({
  imports: [CqrsModule, GatewayClientModule],
  controllers: [ImagesController, InternalImagesController, TrendsController],
  providers: [...imagesProviders, ...trendsProviders],
})
export class AiModule {}
