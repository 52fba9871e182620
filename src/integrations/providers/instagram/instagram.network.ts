import { Module } from '@nestjs/common';
import { provideConfig } from '#libs/config';
import { OutboundHttpConfig } from '#libs/outbound-http';
import { NetworkAccessModule } from '../network-access.module.js';
import { InstagramConfig } from './instagram.config.js';
import { InstagramProvider } from './instagram.provider.js';
import type { Platform } from '#libs/content';
import { postIdIn } from '../containers/container-values.js';
import type { NetworkDeclaration } from '../network.declaration.js';
import { preflight, textLength } from './instagram-rules.js';
import { renditions } from './instagram-limits.js';

@Module({
  imports: [NetworkAccessModule],
  providers: [provideConfig(InstagramConfig), provideConfig(OutboundHttpConfig), InstagramProvider],
  exports: [InstagramProvider],
})
class InstagramModule {}

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
      addresses: { INSTAGRAM_GRAPH_URL: '/instagram' },
      credentials: ['INSTAGRAM_APP_ID', 'INSTAGRAM_APP_SECRET'],
    },
  },
};
