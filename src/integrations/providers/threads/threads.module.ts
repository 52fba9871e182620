import { Module } from '@nestjs/common';
import { provideConfig } from '#libs/config';
import { OutboundHttpConfig } from '#libs/outbound-http';
import { NetworkAccessModule } from '../network-access.module.js';
import { ThreadsConfig } from './threads.config.js';
import { ThreadsProvider } from './threads.provider.js';

@Module({
  imports: [NetworkAccessModule],
  providers: [provideConfig(ThreadsConfig), provideConfig(OutboundHttpConfig), ThreadsProvider],
  exports: [ThreadsProvider],
})
export class ThreadsModule {}
