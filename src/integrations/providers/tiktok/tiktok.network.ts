import { networkModule } from '../network-access.module.js';
import { TikTokApi } from './tiktok-api.js';
import { TikTokCreator } from './tiktok-creator.js';
import { TikTokStatus } from './tiktok-status.js';
import { TikTokUpload } from './tiktok-upload.js';
import { TikTokConfig } from './tiktok.config.js';
import { TikTokProvider } from './tiktok.provider.js';
import type { Platform } from '#libs/content';
import type { NetworkDeclaration } from '../network.declaration.js';
import { renditions } from './tiktok-limits.js';
import { preflight } from './tiktok-rules.js';
import { isPostId } from './tiktok-values.js';

export const tiktok: NetworkDeclaration = {
  platform: 'tiktok' as Platform,
  displayName: 'TikTok',
  rules: { preflight, renditions, hasThreads: false, isPostId },
  connector: {
    module: networkModule(
      TikTokConfig,
      [TikTokProvider],
      [TikTokCreator, TikTokApi, TikTokUpload, TikTokStatus],
    ),
    provider: TikTokProvider,
    config: TikTokConfig,
    sandbox: {
      addresses: { TIKTOK_API_URL: '/tiktok' },
      credentials: ['TIKTOK_CLIENT_KEY', 'TIKTOK_CLIENT_SECRET'],
    },
  },
};
