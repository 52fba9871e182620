import { count, type MemberChecks, nullableText, oneOf } from '../../kit/state/members.js';

/** What LinkedIn does by default and a test may change. */
export interface LinkedInSettings {
  /** Only approved partners get refresh tokens. */
  readonly refreshTokens: 'on' | 'off';
  /** Older versions are retired. */
  readonly oldestVersion: string | null;
  /** Posts of one account until midnight UTC. LinkedIn publishes no number. */
  readonly postsPerDay: number;
  /** How long the same content of one account is refused. LinkedIn publishes no number. */
  readonly duplicateWindowSeconds: number;
  readonly mediaProcessingSeconds: number;
  /** Whether processing fails for every file. Files that cannot be decoded always fail. */
  readonly mediaProcessing: 'succeeds' | 'fails';
  /** How long addresses of uploads can be used. */
  readonly uploadExpirySeconds: number;
  /** Bytes of a part of a video. */
  readonly partBytes: number;
  /** Whether members may read the state of their files; clients report that they may not. */
  readonly memberFiles: 'readable' | 'hidden';
}

export const LINKEDIN_DEFAULTS: LinkedInSettings = {
  refreshTokens: 'off',
  oldestVersion: '202512',
  postsPerDay: 150,
  duplicateWindowSeconds: 86_400,
  mediaProcessingSeconds: 1,
  mediaProcessing: 'succeeds',
  uploadExpirySeconds: 86_400,
  partBytes: 4_194_304,
  memberFiles: 'hidden',
};

export const LINKEDIN_SETTINGS: MemberChecks<LinkedInSettings> = {
  refreshTokens: oneOf('on', 'off'),
  oldestVersion: nullableText(/^\d{6}$/, 'a version such as 202608'),
  postsPerDay: count(1_000_000),
  duplicateWindowSeconds: count(),
  mediaProcessingSeconds: count(),
  mediaProcessing: oneOf('succeeds', 'fails'),
  uploadExpirySeconds: count(),
  partBytes: count(4_194_304, 1),
  memberFiles: oneOf('readable', 'hidden'),
};
