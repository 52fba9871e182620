export { AI_MARKS, isMarked } from './ai-mark.js';
export type { AiMark } from './ai-mark.js';
export type { DeliveryFile } from './delivery-file.js';
export { FAILURE_CLASSES, inDoubt } from './failure.js';
export type { FailureClass, FailureReport } from './failure.js';
export type { Finding } from './finding.js';
export type { Instant } from './instant.js';
export { unknownMedia } from './media-facts.js';
export type { MediaFacts, MediaKind } from './media-facts.js';
export { MediaIsMissing } from './media-is-missing.js';
export type { Platform } from './platform.js';
export { FORMATS, PRIVACIES, PROMOTIONS, REACTIONS } from './post-options.js';
export type { PostFormat, PostOption, PostOptions, Privacy, Promotion, Reaction } from './post-options.js';
export type {
  AnimationFormat,
  AnimationSpec,
  ImageFormat,
  ImageSpec,
  RatioBounds,
  RenditionSpec,
  VideoSpec,
} from './rendition-spec.js';
export type { Target } from './target.js';
export { webUriOf } from './web-uri.js';
export { kindOf } from './event-kind.js';
