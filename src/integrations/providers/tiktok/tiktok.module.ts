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
export class TikTokModule {}
