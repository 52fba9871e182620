import { GatewayClientModule } from '#libs/platform-client';
import { networkModule } from '../network-access.module.js';
import { YoutubeChannel } from './youtube-channel.js';
import { YoutubeUpload } from './youtube-upload.js';
import { YoutubeConfig } from './youtube.config.js';
import { YoutubeProvider } from './youtube.provider.js';
import type { Platform } from '#libs/content';
import { renditionsBy } from '../media-rules.js';
import type { NetworkDeclaration } from '../network.declaration.js';
import { MAX_DESCRIPTION_BYTES, VIDEO } from './youtube-limits.js';
import { preflight, descriptionOf, isVideoId } from './youtube-rules.js';

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
    module: networkModule(
      YoutubeConfig,
      [YoutubeProvider],
      [YoutubeChannel, YoutubeUpload],
      [GatewayClientModule],
    ),
    provider: YoutubeProvider,
    config: YoutubeConfig,
    sandbox: {
      addresses: { YOUTUBE_OAUTH_URL: '/google-oauth' },
      gatewayAddresses: { YOUTUBE_API_URL: '/youtube' },
      credentials: ['YOUTUBE_CLIENT_ID', 'YOUTUBE_CLIENT_SECRET'],
    },
  },
};
