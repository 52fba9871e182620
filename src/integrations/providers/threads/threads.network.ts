import { Module } from '@nestjs/common';
import { provideConfig } from '#libs/config';
import { OutboundHttpConfig } from '#libs/outbound-http';
import { NetworkAccessModule } from '../network-access.module.js';
import { ThreadsConfig } from './threads.config.js';
import { ThreadsProvider } from './threads.provider.js';
import type { Platform } from '#libs/content';
import { postIdIn } from '../containers/container-values.js';
import type { NetworkDeclaration } from '../network.declaration.js';
import { preflight, renditions, textLength } from './threads-rules.js';

@Module({
  imports: [NetworkAccessModule],
  providers: [provideConfig(ThreadsConfig), provideConfig(OutboundHttpConfig), ThreadsProvider],
  exports: [ThreadsProvider],
})
class ThreadsModule {}

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
      addresses: { THREADS_GRAPH_URL: '/threads' },
      credentials: ['THREADS_APP_ID', 'THREADS_APP_SECRET'],
    },
  },
};
