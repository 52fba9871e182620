import type { VideoSpec } from '#libs/content';
import type { MediaLimits } from '../media-rules.js';

/*
 * What YouTube takes. Sources: developers.google.com/youtube/v3/docs/videos (snippet, status) and docs/videos/insert, guides
 * "Resumable uploads", read 2026-11-21; support.google.com/youtube/answer/71673 for bytes and duration.
 */

/** `snippet.title`: characters. */
export const MAX_TITLE = 100;
/** `snippet.description`: bytes in UTF-8. */
export const MAX_DESCRIPTION_BYTES = 5_000;
/** `snippet.tags`: characters of all, with a comma between two and quotation marks around one with a space. */
export const MAX_TAGS = 500;

/** 256 GB. Shown with the largest unit that it has in decimal. */
export const MAX_BYTES = 256_000_000_000;
const MAX_MS = 12 * 3_600_000;

export const MEDIA: MediaLimits = {
  kinds: { video: { max: 1, maxBytes: MAX_BYTES, maxMs: MAX_MS } },
  min: 1,
  max: 1,
  mixed: false,
  altText: null,
  aiFlag: ['video'],
};

export const VIDEO: VideoSpec = { kind: 'video', container: 'mp4', maxBytes: MAX_BYTES };

/** Other parts than the last have a multiple of this length ("Resumable uploads"). */
export const PART_UNIT = 262_144;
/** The length of a part that is streamed. */
export const PART_BYTES = 32 * PART_UNIT;
/** The last part publishes. It is small, so that the irreversible call is short: at most this many bytes, held in memory. */
export const LAST_PART_BYTES = PART_UNIT;

/** `uploadLimitExceeded` is the limit of a channel for a day; YouTube does not say when it ends. */
export const UPLOAD_LIMIT_HOLD_MS = 24 * 3_600_000;
