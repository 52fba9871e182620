import { Module } from '@nestjs/common';
import { provideConfig } from '#libs/config';
import { OutboundHttpConfig } from '#libs/outbound-http';
import { NetworkAccessModule } from '../network-access.module.js';
import { InstagramConfig } from './instagram.config.js';
import { InstagramProvider } from './instagram.provider.js';

@Module({
  imports: [NetworkAccessModule],
  providers: [provideConfig(InstagramConfig), provideConfig(OutboundHttpConfig), InstagramProvider],
  exports: [InstagramProvider],
})
export class InstagramModule {}
