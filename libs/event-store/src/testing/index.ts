export { given } from './given-when-then.js';
export { anEventMetadata } from './event-metadata.js';
