import type { Platform } from '#libs/content';
import { postIdIn } from '../containers/post-id.js';
import type { NetworkDeclaration } from '../network.declaration.js';
import { preflight, textLength } from './instagram-preflight.js';
import { renditions } from './instagram-renditions.js';
import { InstagramConfig } from './instagram.config.js';
import { InstagramModule } from './instagram.module.js';
import { InstagramProvider } from './instagram.provider.js';

export const instagram: NetworkDeclaration = {
  platform: 'instagram' as Platform,
  displayName: 'Instagram',
  rules: {
    preflight,
    renditions,
    textLength,
    hasThreads: false,
    hasPages: false,
    isPostId: (id) => postIdIn(id) !== null,
  },
  connector: {
    module: InstagramModule,
    provider: InstagramProvider,
    config: InstagramConfig,
    sandbox: {
      addresses: {
        INSTAGRAM_GRAPH_URL: '/instagram',
        INSTAGRAM_API_URL: '/instagram-api',
        INSTAGRAM_AUTHORIZE_URL: '/instagram-web/oauth/authorize',
      },
      credentials: ['INSTAGRAM_APP_ID', 'INSTAGRAM_APP_SECRET'],
    },
  },
};
