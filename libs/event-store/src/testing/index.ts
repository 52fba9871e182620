export { given, GIVEN_AT } from './given-when-then.js';
export { anEventMetadata } from './event-metadata.js';
