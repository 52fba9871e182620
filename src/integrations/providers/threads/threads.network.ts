import { provideConfig } from '#libs/config';
import { OutboundHttpConfig } from '#libs/outbound-http';
import { networkModule } from '../network-access.module.js';
import { ThreadsConfig } from './threads.config.js';
import { ThreadsProvider } from './threads.provider.js';
import type { Platform } from '#libs/content';
import { postIdIn } from '../containers/container-values.js';
import type { NetworkDeclaration } from '../network.declaration.js';
import { preflight, renditions, textLength } from './threads-rules.js';

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
    module: networkModule(ThreadsConfig, [ThreadsProvider], [provideConfig(OutboundHttpConfig)]),
    provider: ThreadsProvider,
    config: ThreadsConfig,
    sandbox: {
      addresses: { THREADS_GRAPH_URL: '/threads' },
      credentials: ['THREADS_APP_ID', 'THREADS_APP_SECRET'],
    },
  },
};
