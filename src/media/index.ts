export { UseMedia } from './commands/use-media.js';
export { FindMedia } from './queries/find-media.js';
export type { MediaStatus, MediaSummary } from './views/media-file.view.js';
