export { EndMediaUses } from './commands/end-media-uses.js';
export { UseMedia } from './commands/use-media.js';
export { AuthorizeMedia } from './queries/authorize-media.js';
export { FindMedia } from './queries/find-media.js';
export type { MediaOfBrand } from './queries/find-media.js';
export { PrepareRenditions } from './renditions/commands/prepare-renditions.js';
export { GetRenditions } from './renditions/queries/get-renditions.js';
export type { Rendition } from './renditions/queries/get-renditions.js';
