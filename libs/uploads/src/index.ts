export { cleanFileName } from './file-name.js';
export { uploadsMigrations } from './migrations/index.js';
export {
  attachReceivedFile,
  type ReceivedFile,
  ReceivedUpload,
  receiveFile,
  type UploadRules,
} from './receive-file.js';
export { Spool } from './spool.js';
export { StorageQuota } from './storage-quota.js';
export { UnownedObjects, UnownedObjectsSweep } from './unowned-objects.js';
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
