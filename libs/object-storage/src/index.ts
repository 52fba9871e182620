export { startEmbeddedObjectStorage } from './embedded-object-storage.js';
export type { EmbeddedObjectStorage } from './embedded-object-storage.js';
export { ObjectStorage } from './object-storage.js';
export { ObjectStorageConfig } from './object-storage.config.js';
export { ObjectStorageIsUnavailable } from './object-storage.errors.js';
export { ObjectStorageModule } from './object-storage.module.js';
