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

@Module({
  imports: [NetworkAccessModule],
  providers: [provideConfig(XConfig), XOAuth, XApi, XMediaUpload, XProfile, XTimeline, XProvider],
  exports: [XProvider],
})
export class XModule {}
