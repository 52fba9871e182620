export { AI_MARKS, type AiMark, isMarked } from './ai-mark.js';
export type { DeliveryFile } from './delivery-file.js';
export { FAILURE_CLASSES, type FailureClass, type FailureReport, inDoubt } from './failure.js';
export type { Finding } from './finding.js';
export type { Instant } from './instant.js';
export { type MediaFacts, type MediaKind, unknownMedia } from './media-facts.js';
export { MediaIsMissing } from './media-is-missing.js';
export type { Platform } from './platform.js';
export {
  FORMATS,
  type PostFormat,
  type PostOption,
  type PostOptions,
  PRIVACIES,
  type Privacy,
  type Promotion,
  PROMOTIONS,
  type Reaction,
  REACTIONS,
} from './post-options.js';
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
