import { Module } from '@nestjs/common';
import { provideConfig } from '#libs/config';
import { QuotaConfig, YoutubeConfig } from './quota/quota.config.js';
import { QuotaController } from './quota/quota.controller.js';
import { QuotaLedger } from './quota/quota-ledger.js';
import { ExpirySweep } from './expiry.sweep.js';
import { UploadsStore } from './uploads.store.js';
import { VideoCalls } from './video-calls.js';
import { VideoController } from './video.controller.js';
import { Youtube } from './youtube.js';

const configs = [QuotaConfig, YoutubeConfig].map((config) => provideConfig<object>(config));

@Module({
  controllers: [VideoController, QuotaController],
  providers: [...configs, QuotaLedger, ExpirySweep, UploadsStore, VideoCalls, Youtube],
})
export class VideoModule {}
