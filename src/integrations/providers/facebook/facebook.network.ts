import type { Platform } from '#libs/content';
import { graphIdIn } from '../graph/graph-values.js';
import type { NetworkDeclaration } from '../network.declaration.js';
import { preflight, renditions, textLength } from './facebook-preflight.js';
import { FacebookConfig } from './facebook.config.js';
import { FacebookModule } from './facebook.module.js';
import { FacebookProvider } from './facebook.provider.js';

export const facebook: NetworkDeclaration = {
  platform: 'facebook' as Platform,
  displayName: 'Facebook',
  rules: { preflight, renditions, textLength, hasThreads: false, isPostId: (id) => graphIdIn(id) !== null },
  connector: {
    module: FacebookModule,
    provider: FacebookProvider,
    config: FacebookConfig,
    sandbox: {
      addresses: {
        FACEBOOK_GRAPH_URL: '/facebook',
        FACEBOOK_VIDEO_URL: '/facebook-video',
        FACEBOOK_UPLOAD_URL: '/facebook-upload',
        FACEBOOK_DIALOG_URL: '/facebook-web',
      },
      credentials: ['FACEBOOK_APP_ID', 'FACEBOOK_APP_SECRET'],
    },
  },
};
