import type { LimitReading, NetworkLimit } from '../../domain/network-limits.js';
import type { NetworkResponse } from '../../domain/provider-publishing.js';
import { usageLimit, usageReadings } from '../graph/graph-usage.js';
import type { ImageSpec, VideoSpec } from '#libs/content';
import type { Codecs, FileLimits } from '../file-rules.js';
import type { MediaLimits } from '../media-rules.js';

/*
 * Facebook publishes no numbers: calls with the token of a page are limited to 4 800 for each person who engaged with the page in 24 hours,
 * calls with the token of a person to 200 for each user of the service in one hour (developers.facebook.com/docs/graph-api/overview/rate-limiting,
 * read 2026-11-21). The headers of each response state how much of both is used, in percent. Reels: 30 in 24 hours for a page
 * (/docs/video-api/guides/reels-publishing); Facebook counts those of other applications too, so it is left to its refusal.
 */

const NAMES = { app: 'percent-of-app-calls', account: 'percent-of-page-calls' };

export const FACEBOOK_LIMITS: readonly NetworkLimit[] = [
  usageLimit('app', NAMES.app),
  usageLimit('account', NAMES.account),
];

export const readingsIn = ({ headers }: NetworkResponse, now: Date): LimitReading[] =>
  usageReadings(headers, NAMES, now);

/*
 * What Facebook takes. Photos: developers.facebook.com/docs/graph-api/reference/page/photos, read 2026-10-04. Reels:
 * /docs/video-api/guides/reels-publishing, read 2026-08-24. Videos: /docs/graph-api/video-uploads names 1.75 GB and 45 minutes in an older
 * copy; newer copies name no limit, and tools name 10 GB and 4 hours. Not verified.
 */

const MB = 1_000_000;

/** "We recommend PNG of at most 1 MB": JPEG comes first. The size is this service's choice: Facebook publishes none. */
export const IMAGE: ImageSpec = {
  kind: 'image',
  formats: ['jpeg', 'png'],
  maxBytes: 10 * MB,
  maxWidth: 4_096,
  maxHeight: 4_096,
  maxPixels: null,
  ratio: null,
};

export const VIDEO: VideoSpec = { kind: 'video', container: 'mp4', maxBytes: 10_000 * MB };

/** Hours for which an unpublished photo is kept: about 24. One that is older is uploaded again. */
export const PHOTO_LIFE_MS = 20 * 60 * 60_000;

/** Characters. Facebook publishes none; Instagram takes as many. */
export const MAX_ALT_TEXT = 1_000;

const REEL_VIDEO: Codecs = {
  accepted: /^(avc[13]|hvc1|hev1|vp09|av01)\b/,
  names: 'H.264, H.265, VP9 or AV1',
};
const AAC: Codecs = { accepted: /^mp4a\.40\.0?2$/, names: 'AAC-LC' };

/** Photos in one post: not published. Ten is what clients send without complaints. */
const image: FileLimits = { max: 10 };

/** A post in the feed: photos, or one video. */
export const FEED: MediaLimits = {
  kinds: { image, video: { max: 1, maxBytes: VIDEO.maxBytes, maxMs: 4 * 60 * 60_000 } },
  min: 0,
  max: 10,
  mixed: false,
  altText: { kinds: ['image'], max: MAX_ALT_TEXT },
  aiFlag: [],
};

const REEL_FILE: FileLimits = {
  max: 1,
  minMs: 3_000,
  maxMs: 90_000,
  minSide: 540,
  ratio: { min: 0.55, max: 0.575 },
  minFrameRate: 24,
  maxFrameRate: 60,
  videoCodecs: REEL_VIDEO,
  audioCodecs: AAC,
  maxSampleRate: 48_000,
  onlyChroma420: true,
  onlyProgressive: true,
};

export const REEL: MediaLimits = {
  kinds: { video: REEL_FILE },
  min: 1,
  max: 1,
  mixed: false,
  altText: null,
  aiFlag: ['video'],
};
