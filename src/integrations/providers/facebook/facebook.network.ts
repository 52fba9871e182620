import { networkModule } from '../network-access.module.js';
import { FacebookCalls } from './facebook-calls.js';
import { FacebookFeed } from './facebook-feed.js';
import { FacebookOAuth } from './facebook-oauth.js';
import { FacebookPages } from './facebook-pages.js';
import { FacebookPhotos, FacebookPosts } from './facebook-posts.js';
import { FacebookReels } from './facebook-reels.js';
import { FacebookVideoStatus } from './facebook-video-status.js';
import { FacebookVideos } from './facebook-videos.js';
import { FacebookConfig } from './facebook.config.js';
import { FacebookProvider } from './facebook.provider.js';
import type { Platform } from '#libs/content';
import { graphIdIn } from '../graph/graph-wire.js';
import type { NetworkDeclaration } from '../network.declaration.js';
import { preflight, renditions, textLength } from './facebook-rules.js';

export const facebook: NetworkDeclaration = {
  platform: 'facebook' as Platform,
  displayName: 'Facebook',
  rules: { preflight, renditions, textLength, hasThreads: false, isPostId: (id) => graphIdIn(id) !== null },
  connector: {
    module: networkModule(
      FacebookConfig,
      [FacebookProvider],
      [
        FacebookCalls,
        FacebookOAuth,
        FacebookPages,
        FacebookPosts,
        FacebookPhotos,
        FacebookVideos,
        FacebookReels,
        FacebookFeed,
        FacebookVideoStatus,
      ],
    ),
    provider: FacebookProvider,
    config: FacebookConfig,
    sandbox: {
      addresses: { FACEBOOK_GRAPH_URL: '/facebook' },
      credentials: ['FACEBOOK_APP_ID', 'FACEBOOK_APP_SECRET'],
    },
  },
};
