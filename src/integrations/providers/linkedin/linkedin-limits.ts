import type { LimitReading, NetworkLimit } from '../../domain/network-limits.js';
import type { NetworkResponse } from '../../domain/provider-publishing.js';
import { waitIn } from './linkedin-values.js';
import type { AnimationSpec, ImageSpec, VideoSpec } from '#libs/content';
import type { MediaLimits } from '../media-rules.js';

const DAY = { kind: 'day', timeZone: 'UTC' } as const;
const OF_ACCOUNT = 'posts-per-day';

/**
 * Calls of a route until midnight UTC, for each member and for the whole app. LinkedIn publishes no numbers: each app sees its own in the
 * developer portal (learn.microsoft.com/linkedin/shared/api-guide/concepts/rate-limits, read 2026-11-23); NETWORK_LIMITS takes them.
 */
export const LINKEDIN_LIMITS: readonly NetworkLimit[] = [
  { name: OF_ACCOUNT, scope: 'account', counts: 'posts', max: null, window: DAY },
  { name: 'posts-per-day-of-app', scope: 'app', counts: 'posts', max: null, window: DAY },
];

/** Responses to posts say nothing before a limit is reached, and then not which of both it is: the narrower one is assumed. */
export function readingsIn({ status, headers }: NetworkResponse, now: Date): LimitReading[] {
  if (status !== 429) return [];
  const resetsAt = new Date(now.getTime() + waitIn(headers, now)).toISOString();
  return [{ name: OF_ACCOUNT, remaining: 0, resetsAt, max: null }];
}

/*
 * What LinkedIn takes. Sources: learn.microsoft.com/linkedin/marketing/community-management/shares/{images,videos,multiimage-post}-api
 * for formats, pixels, counts, bytes and duration of videos; the help page "Image and video specifications" (linkedin.com/help, a563309
 * and a548372) for bytes of images, frame rates, sizes and ratios of videos. Read 2026-11-21. The videos page states 500 MB and 5 GB;
 * the smaller counts.
 */

const MB = 1_000_000;
/** A post has one image, or 2 to 20 of them, or one video. */
const MAX_IMAGES = 20;
/** width × height of an image is below 36 152 320. */
const MAX_PIXELS = 36_152_319;
const MAX_GIF_FRAMES = 250;
const MAX_VIDEO_BYTES = 500 * MB;
/** 75 KB. */
export const MIN_VIDEO_BYTES = 75_000;
/** The help page says 15 minutes, the page of the API 30. */
export const LONG_VIDEO_MS = 15 * 60_000;

/** Characters of the description of an image (posts-api, `altText`). */
export const MAX_ALT_TEXT = 4_086;

/** LinkedIn states no bytes in its API; its help page says 5 MB. No side is stated; LinkedIn shows about 2 000 pixels. */
export const IMAGE: ImageSpec = {
  kind: 'image',
  formats: ['jpeg', 'png'],
  maxBytes: 5 * MB,
  maxWidth: 4_096,
  maxHeight: 4_096,
  maxPixels: MAX_PIXELS,
  ratio: null,
};

/** Sides and pixels of all frames bound the work of making the rendition; LinkedIn states frames only. */
export const ANIMATION: AnimationSpec = {
  kind: 'animation',
  formats: ['gif'],
  maxBytes: 5 * MB,
  maxWidth: 1_280,
  maxHeight: 1_280,
  maxFrames: MAX_GIF_FRAMES,
  maxFramePixels: 300_000_000,
};

export const VIDEO: VideoSpec = { kind: 'video', container: 'mp4', maxBytes: MAX_VIDEO_BYTES };

export const MEDIA_LIMITS: MediaLimits = {
  kinds: {
    image: { max: MAX_IMAGES },
    animation: { max: MAX_IMAGES, maxFrames: MAX_GIF_FRAMES },
    video: {
      max: 1,
      maxBytes: MAX_VIDEO_BYTES,
      minMs: 3_000,
      maxMs: 30 * 60_000,
      minSide: 144,
      maxLongSide: 4_096,
      maxShortSide: 2_304,
      ratio: { min: 1 / 2.4, max: 2.4 },
      minFrameRate: 10,
      maxFrameRate: 60,
    },
  },
  min: 0,
  max: MAX_IMAGES,
  mixed: false,
  altText: { kinds: ['image', 'animation'], max: MAX_ALT_TEXT },
  aiFlag: [],
};
