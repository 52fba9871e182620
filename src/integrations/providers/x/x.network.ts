import type { Platform } from '#libs/content';
import type { NetworkDeclaration } from '../network.declaration.js';
import { renditions } from './x-media-rules.js';
import { preflight, textLength } from './x-preflight.js';
import { idIn } from './x-values.js';
import { XConfig } from './x.config.js';
import { XModule } from './x.module.js';
import { XProvider } from './x.provider.js';

export const x: NetworkDeclaration = {
  platform: 'x' as Platform,
  displayName: 'X',
  rules: {
    preflight,
    textLength,
    renditions,
    hasThreads: true,
    hasPages: false,
    isPostId: (id) => idIn(id) !== null,
  },
  connector: {
    module: XModule,
    provider: XProvider,
    config: XConfig,
    sandbox: {
      addresses: {
        X_API_URL: '/x',
        X_LEGACY_API_URL: '/x-legacy',
        X_AUTHORIZE_URL: '/x-web/i/oauth2/authorize',
      },
      credentials: ['X_CLIENT_ID', 'X_CLIENT_SECRET'],
    },
  },
};
