export { EndMediaUses } from './commands/end-media-uses.js';
export { UseMedia } from './commands/use-media.js';
export { FindMedia } from './queries/find-media.js';
export type { MediaOfBrand } from './queries/find-media.js';
export { PrepareRenditions } from './renditions/commands/prepare-renditions.js';
export type { MediaStatus, MediaSummary } from './views/media-file.view.js';
