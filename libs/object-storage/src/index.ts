export { type ByteRange, readByteRange } from './byte-range.js';
export { contentDisposition } from './presigner.js';
export type { UploadedPart } from './multipart-uploads.js';
export { type ObjectHead, ObjectStorage } from './object-storage.js';
export { ObjectStorageConfig } from './object-storage.config.js';
export { ObjectHasChanged, ObjectStorageIsUnavailable, PartsAreIncomplete } from './object-storage.errors.js';
export { ObjectStorageModule } from './object-storage.module.js';
export type { PresignedRequest } from './presigner.js';
