import { Module } from '@nestjs/common';
import { provideConfig } from '#libs/config';
import { NetworkAccessModule } from '../network-access.module.js';
import { TikTokApi } from './tiktok-api.js';
import { TikTokCreator } from './tiktok-creator.js';
import { TikTokOAuth } from './tiktok-oauth.js';
import { TikTokStatus } from './tiktok-status.js';
import { TikTokUpload } from './tiktok-upload.js';
import { TikTokConfig } from './tiktok.config.js';
import { TikTokProvider } from './tiktok.provider.js';
import type { Platform } from '#libs/content';
import type { NetworkDeclaration } from '../network.declaration.js';
import { renditions } from './tiktok-limits.js';
import { preflight } from './tiktok-rules.js';
import { isPostId } from './tiktok-values.js';

@Module({
  imports: [NetworkAccessModule],
  providers: [
    provideConfig(TikTokConfig),
    TikTokOAuth,
    TikTokCreator,
    TikTokApi,
    TikTokUpload,
    TikTokStatus,
    TikTokProvider,
  ],
  exports: [TikTokProvider],
})
class TikTokModule {}

export const tiktok: NetworkDeclaration = {
  platform: 'tiktok' as Platform,
  displayName: 'TikTok',
  rules: { preflight, renditions, hasThreads: false, isPostId },
  connector: {
    module: TikTokModule,
    provider: TikTokProvider,
    config: TikTokConfig,
    sandbox: {
      addresses: { TIKTOK_API_URL: '/tiktok' },
      credentials: ['TIKTOK_CLIENT_KEY', 'TIKTOK_CLIENT_SECRET'],
    },
  },
};
