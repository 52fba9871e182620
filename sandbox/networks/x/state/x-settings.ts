import { count, limitsOf, type MemberChecks, nullableText, oneOf } from '../../kit/state/members.js';
import { USER_LIMITS } from './rate-limits.js';

/** What X does by default and a test may change. */
export interface XSettings {
  /** `off` lets every call pass, without the headers' counters ever reaching zero. */
  readonly rateLimits: 'on' | 'off';
  /** Calls per window by route, instead of X's own. */
  readonly limits: Readonly<Record<string, number>>;
  /** How long the same text of one account is refused. X does not publish the number. */
  readonly duplicateWindowSeconds: number;
  /** How long a GIF or a video is processed after its upload. */
  readonly mediaProcessingSeconds: number;
  /** The name of the error with which every processing ends; null: none. */
  readonly mediaProcessingError: string | null;
  /** What finalizing an upload again does: the same response as before, or 400. X does not document it. */
  readonly mediaFinalizedAgain: 'same' | 'refused';
  /** How long a media id can be used. */
  readonly mediaExpirySeconds: number;
  /** The longest video of an account without a subscription. */
  readonly maxVideoMinutes: number;
}

export const X_DEFAULTS: XSettings = {
  rateLimits: 'on',
  limits: {},
  duplicateWindowSeconds: 86_400,
  mediaProcessingSeconds: 1,
  mediaProcessingError: null,
  mediaFinalizedAgain: 'same',
  mediaExpirySeconds: 86_400,
  maxVideoMinutes: 20,
};

export const X_SETTINGS: MemberChecks<XSettings> = {
  rateLimits: oneOf('on', 'off'),
  limits: limitsOf(Object.keys(USER_LIMITS)),
  duplicateWindowSeconds: count(),
  mediaProcessingSeconds: count(),
  mediaProcessingError: nullableText(/^[A-Za-z]{1,50}$/, '1 to 50 letters'),
  mediaFinalizedAgain: oneOf('same', 'refused'),
  mediaExpirySeconds: count(),
  maxVideoMinutes: count(),
};
