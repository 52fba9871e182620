import type { Platform } from '#libs/content';
import { renditionsBy } from '../media-rules.js';
import type { NetworkDeclaration } from '../network.declaration.js';
import { MAX_DESCRIPTION_BYTES, VIDEO } from './youtube-limits.js';
import { preflight } from './youtube-preflight.js';
import { descriptionOf } from './youtube-text.js';
import { isVideoId } from './youtube-values.js';
import { YoutubeConfig } from './youtube.config.js';
import { YoutubeModule } from './youtube.module.js';
import { YoutubeProvider } from './youtube.provider.js';

export const youtube: NetworkDeclaration = {
  platform: 'youtube' as Platform,
  displayName: 'YouTube',
  rules: {
    preflight,
    renditions: renditionsBy({ video: VIDEO }),
    textLength: (content) => ({
      length: Buffer.byteLength(descriptionOf(content)),
      limit: MAX_DESCRIPTION_BYTES,
    }),
    hasThreads: false,
    isPostId: isVideoId,
  },
  connector: {
    module: YoutubeModule,
    provider: YoutubeProvider,
    config: YoutubeConfig,
    sandbox: {
      addresses: {
        YOUTUBE_OAUTH_URL: '/google-oauth',
        YOUTUBE_AUTHORIZE_URL: '/google-accounts/o/oauth2/v2/auth',
        YOUTUBE_WEB_URL: '/youtube-web',
      },
      gatewayAddresses: { YOUTUBE_API_URL: '/youtube' },
      credentials: ['YOUTUBE_CLIENT_ID', 'YOUTUBE_CLIENT_SECRET'],
    },
  },
};
