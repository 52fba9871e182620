import { count, flag, type MemberChecks, oneOf } from '../../kit/state/members.js';

/** What YouTube does by default and a test may change. */
export interface YoutubeSettings {
  /** Uploads that the project may begin in 24 hours, then `quotaExceeded`. */
  readonly uploadsPerDay: number;
  /** Videos that a channel may publish in 24 hours, then `uploadLimitExceeded`. YouTube does not publish the number. */
  readonly uploadsPerChannel: number;
  /** false: uploads of the project are private whatever is asked for (since 2020-07-28). */
  readonly verifiedProject: boolean;
  /** Each part is stored up to so many bytes; 0: all of it. */
  readonly storedBytesOfPart: number;
  /** Bytes that were received before are ignored, or the part is refused. Google documents neither for YouTube. */
  readonly bytesSentAgain: 'ignored' | 'refused';
  /** How long an upload can be continued. */
  readonly sessionSeconds: number;
}

export const YOUTUBE_DEFAULTS: YoutubeSettings = {
  uploadsPerDay: 1_000_000,
  uploadsPerChannel: 1_000_000,
  verifiedProject: true,
  storedBytesOfPart: 0,
  bytesSentAgain: 'ignored',
  sessionSeconds: 7 * 86_400,
};

const MANY = 10_000_000;

export const YOUTUBE_SETTINGS: MemberChecks<YoutubeSettings> = {
  uploadsPerDay: count(MANY),
  uploadsPerChannel: count(MANY),
  verifiedProject: flag,
  storedBytesOfPart: count(MANY),
  bytesSentAgain: oneOf('ignored', 'refused'),
  sessionSeconds: count(),
};
