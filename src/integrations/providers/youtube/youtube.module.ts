import { Module } from '@nestjs/common';
import { provideConfig } from '#libs/config';
import { GatewayClientModule } from '#libs/platform-client';
import { NetworkAccessModule } from '../network-access.module.js';
import { YoutubeChannel } from './youtube-channel.js';
import { YoutubeOAuth } from './youtube-oauth.js';
import { YoutubeUpload } from './youtube-upload.js';
import { YoutubeConfig } from './youtube.config.js';
import { YoutubeProvider } from './youtube.provider.js';

@Module({
  imports: [NetworkAccessModule, GatewayClientModule],
  providers: [provideConfig(YoutubeConfig), YoutubeOAuth, YoutubeChannel, YoutubeUpload, YoutubeProvider],
  exports: [YoutubeProvider],
})
export class YoutubeModule {}
