export { cleanFileName } from './file-name.js';
export { uploadsMigrations } from './migrations/index.js';
export { attachReceivedFile, ReceivedUpload } from './receive-file.js';
export { type ReceivedFile, receiveFile, type UploadRules } from './receive-file.js';
export { Spool } from './spool.js';
export { StorageQuota } from './storage-quota.js';
export { UnownedObjects } from './unowned-objects.js';
export { UnownedObjectsSweep } from './unowned-objects.js';
export {
  FileIsMissing,
  FileIsTooLarge,
  UploadIsNotReadable,
  UploadsAreBusy,
  UploadTookTooLong,
} from './upload.errors.js';
export { UploadSlots } from './upload-slots.js';
export { UploadsConfig } from './uploads.config.js';
export { UploadsModule } from './uploads.module.js';
