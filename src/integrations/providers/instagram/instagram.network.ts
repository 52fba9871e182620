import { provideConfig } from '#libs/config';
import { OutboundHttpConfig } from '#libs/outbound-http';
import { networkModule } from '../network-access.module.js';
import { InstagramConfig } from './instagram.config.js';
import { InstagramProvider } from './instagram.provider.js';
import type { Platform } from '#libs/content';
import { postIdIn } from '../containers/container-values.js';
import type { NetworkDeclaration } from '../network.declaration.js';
import { preflight, textLength } from './instagram-rules.js';
import { renditions } from './instagram-limits.js';

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
    module: networkModule(InstagramConfig, [InstagramProvider], [provideConfig(OutboundHttpConfig)]),
    provider: InstagramProvider,
    config: InstagramConfig,
    sandbox: {
      addresses: { INSTAGRAM_GRAPH_URL: '/instagram' },
      credentials: ['INSTAGRAM_APP_ID', 'INSTAGRAM_APP_SECRET'],
    },
  },
};
