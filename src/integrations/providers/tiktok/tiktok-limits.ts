import type { NetworkLimit } from '../../domain/network-limits.js';
import type { ImageSpec, VideoSpec } from '#libs/content';
import { type MediaLimits, renditionsBy } from '../media-rules.js';

/*
 * developers.tiktok.com/doc, read 2026-11-21: content-posting-api-reference-direct-post ("Each user access_token is limited to 6
 * requests per minute") and content-sharing-guidelines (a cap of posts per creator account and day, shared by all apps; the number is
 * not published, about 15 by reports of clients). The limits of creator_info (20 a minute) and of the status (30 a minute) are not
 * listed: a delivery asks once for the first and rarely for the second. TikTok states no limit in headers.
 */

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

export const TIKTOK_LIMITS: readonly NetworkLimit[] = [
  {
    name: 'posts-per-minute',
    scope: 'account',
    counts: 'posts',
    max: 6,
    window: { kind: 'rolling', windowMs: MINUTE_MS },
  },
  {
    name: 'posts-per-day',
    scope: 'account',
    counts: 'posts',
    max: 15,
    window: { kind: 'rolling', windowMs: DAY_MS },
  },
];

/*
 * developers.tiktok.com/doc/content-posting-api-media-transfer-guide, "Video restrictions" and "Image restrictions" (updated 2026-08-04,
 * read 2026-11-22), and content-posting-api-reference-photo-post.
 */

const MB = 1_000_000;
/** `max_video_post_duration_sec` of an account is 180, 300 or 600. */
const LONGEST_VIDEO_MS = 600_000;

/** "Maximum 1080p": read as 1080 pixels wide and 1920 high, which fits in any reading. */
const IMAGE: ImageSpec = {
  kind: 'image',
  formats: ['jpeg', 'webp'],
  maxBytes: 20 * MB,
  maxWidth: 1_080,
  maxHeight: 1_920,
  maxPixels: null,
  ratio: null,
};

const VIDEO: VideoSpec = { kind: 'video', container: 'mp4', maxBytes: 4_000 * MB };

export const renditions = renditionsBy({ image: IMAGE, video: VIDEO });

/** One video, or 1 to 35 photos. @param maxVideoSeconds of the account */
export const mediaLimits = (maxVideoSeconds: number | null): MediaLimits => ({
  kinds: {
    image: { max: 35 },
    video: {
      max: 1,
      maxBytes: VIDEO.maxBytes,
      minSide: 360,
      maxLongSide: 4_096,
      maxShortSide: 4_096,
      maxMs: maxVideoSeconds === null ? LONGEST_VIDEO_MS : maxVideoSeconds * 1000,
      minFrameRate: 23,
      maxFrameRate: 60,
      videoCodecs: {
        accepted: /^(avc1|avc3|hvc1|hev1|vp8|vp08|vp09|vp9)/i,
        names: 'H.264, H.265, VP8 or VP9',
      },
    },
  },
  min: 1,
  max: 35,
  mixed: false,
  altText: null,
  aiFlag: ['video'],
});
