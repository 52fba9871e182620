import { networkModule } from '../network-access.module.js';
import { XApi } from './x-api.js';
import { XMediaUpload } from './x-media-upload.js';
import { XProfile } from './x-profile.js';
import { XTimeline } from './x-timeline.js';
import { XConfig } from './x.config.js';
import { XProvider } from './x.provider.js';
import type { Platform } from '#libs/content';
import type { NetworkDeclaration } from '../network.declaration.js';
import { renditions } from './x-media-rules.js';
import { preflight, textLength } from './x-rules.js';
import { idIn } from './x-values.js';

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
    module: networkModule(XConfig, [XProvider], [XApi, XMediaUpload, XProfile, XTimeline]),
    provider: XProvider,
    config: XConfig,
    sandbox: {
      addresses: { X_API_URL: '/x' },
      credentials: ['X_CLIENT_ID', 'X_CLIENT_SECRET'],
    },
  },
};
