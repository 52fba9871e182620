import { Global, Module } from '@nestjs/common';
import { provideConfig } from '#libs/config';
import { StorageQuota } from './storage-quota.js';
import { UploadSlots } from './upload-slots.js';
import { UploadsConfig } from './uploads.config.js';

/** Global: every feature that receives files counts its uploads in the same slots. */
@Global()
@Module({
  providers: [provideConfig(UploadsConfig), UploadSlots, StorageQuota],
  exports: [UploadsConfig, UploadSlots, StorageQuota],
})
export class UploadsModule {}
