export { FAILURE_CLASSES, inDoubt } from './failure.js';
export type { FailureClass, FailureReport } from './failure.js';
export type { Finding } from './finding.js';
export type { Instant } from './instant.js';
export type { MediaFacts } from './media-facts.js';
export type { Platform } from './platform.js';
export type { Target } from './target.js';
