import { Module } from '@nestjs/common';
import { provideConfig } from '#libs/config';
import { NetworkAccessModule } from '../network-access.module.js';
import { XApi } from './x-api.js';
import { XMediaUpload } from './x-media-upload.js';
import { XOAuth } from './x-oauth.js';
import { XProfile } from './x-profile.js';
import { XTimeline } from './x-timeline.js';
import { XConfig } from './x.config.js';
import { XProvider } from './x.provider.js';
import type { Platform } from '#libs/content';
import type { NetworkDeclaration } from '../network.declaration.js';
import { renditions } from './x-media-rules.js';
import { preflight, textLength } from './x-rules.js';
import { idIn } from './x-values.js';

@Module({
  imports: [NetworkAccessModule],
  providers: [provideConfig(XConfig), XOAuth, XApi, XMediaUpload, XProfile, XTimeline, XProvider],
  exports: [XProvider],
})
class XModule {}

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
      addresses: { X_API_URL: '/x' },
      credentials: ['X_CLIENT_ID', 'X_CLIENT_SECRET'],
    },
  },
};
