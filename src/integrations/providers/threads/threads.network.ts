import type { Platform } from '#libs/content';
import { postIdIn } from '../containers/post-id.js';
import type { NetworkDeclaration } from '../network.declaration.js';
import { preflight, renditions, textLength } from './threads-preflight.js';
import { ThreadsConfig } from './threads.config.js';
import { ThreadsModule } from './threads.module.js';
import { ThreadsProvider } from './threads.provider.js';

export const threads: NetworkDeclaration = {
  platform: 'threads' as Platform,
  displayName: 'Threads',
  rules: {
    preflight,
    renditions,
    textLength,
    hasThreads: true,
    hasPages: false,
    isPostId: (id) => postIdIn(id) !== null,
  },
  connector: {
    module: ThreadsModule,
    provider: ThreadsProvider,
    config: ThreadsConfig,
    sandbox: {
      addresses: {
        THREADS_GRAPH_URL: '/threads',
        THREADS_AUTHORIZE_URL: '/threads-web/oauth/authorize',
      },
      credentials: ['THREADS_APP_ID', 'THREADS_APP_SECRET'],
    },
  },
};
