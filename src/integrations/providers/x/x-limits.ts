import type { LimitReading, NetworkLimit } from '../../domain/network-limits.js';
import type { NetworkResponse } from '../../domain/provider-publishing.js';
import type { AnimationSpec, ImageSpec, VideoSpec } from '#libs/content';

/*
 * Limits of POST /2/tweets: docs.x.com, "Rate limits" (x-api/fundamentals/rate-limits, read 2026-11-21). An older page of X states
 * 200 in 15 minutes and 300 in 3 hours; the newer, lower one counts.
 */

const QUARTER_HOUR_MS = 900_000;
const DAY_MS = 86_400_000;

export const X_LIMITS: readonly NetworkLimit[] = [
  {
    name: 'posts-per-15-minutes',
    scope: 'account',
    counts: 'posts',
    max: 100,
    window: { kind: 'fixed', windowMs: QUARTER_HOUR_MS },
  },
  {
    name: 'posts-per-day',
    scope: 'app',
    counts: 'posts',
    max: 10_000,
    window: { kind: 'fixed', windowMs: DAY_MS },
  },
  {
    name: 'posts-of-account-per-day',
    scope: 'account',
    counts: 'posts',
    max: null,
    window: { kind: 'fixed', windowMs: DAY_MS },
  },
];

/**
 * Headers of POST /2/tweets: `x-rate-limit-*` and `x-user-limit-24hour-*` of the account, `x-app-limit-24hour-*` of this service; resets
 * in epoch seconds. The second depends on the plan and is not published (node-twitter-api-v2 #553).
 */
export function readingsIn({ headers }: NetworkResponse): LimitReading[] {
  return [
    ...readingOf('posts-per-15-minutes', 'x-rate-limit', headers),
    ...readingOf('posts-per-day', 'x-app-limit-24hour', headers),
    ...readingOf('posts-of-account-per-day', 'x-user-limit-24hour', headers),
  ];
}

function readingOf(name: string, prefix: string, headers: NetworkResponse['headers']): LimitReading[] {
  const remaining = countIn(headers[`${prefix}-remaining`]);
  const reset = countIn(headers[`${prefix}-reset`]);
  if (remaining === null) return [];
  const resetsAt = reset === null || reset > LATEST_RESET ? null : new Date(reset * 1000).toISOString();
  return [{ name, remaining, resetsAt, max: countIn(headers[`${prefix}-limit`]) }];
}

/** Epoch seconds of the year 2100; a later one is an error of the network. */
const LATEST_RESET = 4_102_444_800;

const countIn = (value: string | undefined): number | null =>
  value !== undefined && /^\d{1,12}$/.test(value) ? Number(value) : null;

/*
 * What X takes. Source: docs.x.com, "Media best practices" (x-api/media/quickstart/best-practices.mdx, commit 0c986f0) and the
 * OpenAPI document 2.167, read 2026-11-22. X does not say whether a MB has 1 000 000 or 1 048 576 bytes; the smaller is used.
 */

const MB = 1_000_000;

/** A post has photos, or one animated GIF, or one video. */
export const MAX_PHOTOS = 4;

/** X names no largest side of a photo. 4096 is the largest size that it serves. */
export const IMAGE: ImageSpec = {
  kind: 'image',
  formats: ['jpeg', 'png', 'webp'],
  maxBytes: 5 * MB,
  maxWidth: 4_096,
  maxHeight: 4_096,
  maxPixels: null,
  ratio: null,
};

export const ANIMATION: AnimationSpec = {
  kind: 'animation',
  formats: ['gif'],
  maxBytes: 15 * MB,
  maxWidth: 1_280,
  maxHeight: 1_080,
  maxFrames: 350,
  maxFramePixels: 300_000_000,
};

/** Bytes of a segment. The documented examples send 4 MB; the former documentation allowed at most 5 MB. */
export const SEGMENT_BYTES = 4 * 1_048_576;
/** `segment_index` is 0 to 999. */
export const MAX_SEGMENTS = 1_000;

/** X takes 8 GB, in at most 1000 segments. */
export const VIDEO: VideoSpec = {
  kind: 'video',
  container: 'mp4',
  maxBytes: MAX_SEGMENTS * SEGMENT_BYTES,
};

/** Characters of the description of an image (POST /2/media/metadata). */
export const MAX_ALT_TEXT = 1_000;

/** What X takes of videos, besides the codecs H.264 and AAC-LC. */
export const VIDEO_LIMITS = {
  minSide: 32,
  /** "Dimensions should be between 32x32 and 1280x1024". */
  maxLongSide: 1_280,
  maxShortSide: 1_024,
  minRatio: 1 / 3,
  maxRatio: 3,
  maxFrameRate: 60,
  maxAudioChannels: 2,
  minMs: 500,
  maxMinutes: 20,
  /** With a subscription. */
  maxMinutesPremium: 125,
} as const;
