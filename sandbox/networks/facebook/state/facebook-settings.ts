import { count, listOf, type MemberChecks, nullableText, oneOf, text } from '../../kit/state/members.js';

/** What Facebook does by default and a test may change. */
export interface FacebookSettings {
  /** `off` lets every call pass; the headers still state the usage. */
  readonly rateLimits: 'on' | 'off';
  /** Behind 100 percent. Facebook derives both from the number of people. */
  readonly appCallsPerHour: number;
  readonly pageCallsPerDay: number;
  /** How long the same text of one page is refused. Facebook does not publish the number. */
  readonly duplicateWindowSeconds: number;
  /** Permissions that persons deny in the dialog. */
  readonly declinedScopes: readonly string[];
  /** Pages in one list of /me/accounts. */
  readonly pagesPerList: number;
  /** How long an unpublished photo lives. */
  readonly photoSeconds: number;
  /** Bytes of a part of a video. */
  readonly transferBytes: number;
  /** What a part does that Facebook has already. Not documented. */
  readonly repeatedTransfer: 'accepted' | 'refused';
  readonly videoProcessingSeconds: number;
  /** The reason with which every processing ends; null: none. */
  readonly videoProcessingError: string | null;
}

export const FACEBOOK_DEFAULTS: FacebookSettings = {
  rateLimits: 'on',
  appCallsPerHour: 20_000,
  pageCallsPerDay: 4_800,
  duplicateWindowSeconds: 86_400,
  declinedScopes: [],
  pagesPerList: 25,
  photoSeconds: 86_400,
  transferBytes: 4 * 1_048_576,
  repeatedTransfer: 'accepted',
  videoProcessingSeconds: 1,
  videoProcessingError: null,
};

export const FACEBOOK_SETTINGS: MemberChecks<FacebookSettings> = {
  rateLimits: oneOf('on', 'off'),
  appCallsPerHour: count(1_000_000_000),
  pageCallsPerDay: count(1_000_000_000),
  duplicateWindowSeconds: count(),
  declinedScopes: listOf(text),
  pagesPerList: count(100, 1),
  photoSeconds: count(),
  transferBytes: count(4 * 1_048_576, 1),
  repeatedTransfer: oneOf('accepted', 'refused'),
  videoProcessingSeconds: count(),
  videoProcessingError: nullableText(/^[\w .]{1,100}$/, '1 to 100 letters'),
};
