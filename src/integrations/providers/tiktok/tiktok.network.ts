import type { Platform } from '#libs/content';
import type { NetworkDeclaration } from '../network.declaration.js';
import { renditions } from './tiktok-media-limits.js';
import { preflight } from './tiktok-preflight.js';
import { isPostId } from './tiktok-values.js';
import { TikTokConfig } from './tiktok.config.js';
import { TikTokModule } from './tiktok.module.js';
import { TikTokProvider } from './tiktok.provider.js';

export const tiktok: NetworkDeclaration = {
  platform: 'tiktok' as Platform,
  displayName: 'TikTok',
  rules: { preflight, renditions, hasThreads: false, isPostId },
  connector: {
    module: TikTokModule,
    provider: TikTokProvider,
    config: TikTokConfig,
    sandbox: {
      addresses: {
        TIKTOK_API_URL: '/tiktok',
        TIKTOK_AUTHORIZE_URL: '/tiktok-web/v2/auth/authorize/',
      },
      credentials: ['TIKTOK_CLIENT_KEY', 'TIKTOK_CLIENT_SECRET'],
    },
  },
};
