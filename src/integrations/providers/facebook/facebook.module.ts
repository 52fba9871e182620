import { Module } from '@nestjs/common';
import { provideConfig } from '#libs/config';
import { NetworkAccessModule } from '../network-access.module.js';
import { FacebookCalls } from './facebook-calls.js';
import { FacebookFeed } from './facebook-feed.js';
import { FacebookOAuth } from './facebook-oauth.js';
import { FacebookPages } from './facebook-pages.js';
import { FacebookPhotos } from './facebook-photos.js';
import { FacebookPosts } from './facebook-posts.js';
import { FacebookReels } from './facebook-reels.js';
import { FacebookVideoStatus } from './facebook-video-status.js';
import { FacebookVideos } from './facebook-videos.js';
import { FacebookConfig } from './facebook.config.js';
import { FacebookProvider } from './facebook.provider.js';

@Module({
  imports: [NetworkAccessModule],
  providers: [
    provideConfig(FacebookConfig),
    FacebookCalls,
    FacebookOAuth,
    FacebookPages,
    FacebookPosts,
    FacebookPhotos,
    FacebookVideos,
    FacebookReels,
    FacebookFeed,
    FacebookVideoStatus,
    FacebookProvider,
  ],
  exports: [FacebookProvider],
})
export class FacebookModule {}
