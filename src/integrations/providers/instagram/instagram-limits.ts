import type { ImageSpec, VideoSpec } from '#libs/content';
import type { MediaLimits } from '../media-rules.js';
import { VIDEO_ENCODING } from '../containers/video-rules.js';

/*
 * What Instagram takes. Sources: developers.facebook.com/documentation/instagram-platform/content-publishing and
 * …/instagram-graph-api/reference/ig-user/media, copies of 2026-09-11. Instagram does not say whether a MB has 1 000 000 or 1 048 576
 * bytes; the smaller is used.
 */

const MB = 1_000_000;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** "Maximum length: 2200 characters, 30 hashtags, and 20 @ tags". */
export const MAX_CAPTION = 2_200;
export const MAX_HASHTAGS = 30;
export const MAX_MENTIONS = 20;

export const MAX_FILES = 10;
/** Characters; since 2025-03-24, of images only. */
export const MAX_ALT_TEXT = 1_000;
/** Posts in 24 hours where the account does not tell; pages of Instagram say 100, 50 and 25. */
export const POSTS_PER_DAY = 100;

const RATIO = { min: 4 / 5, max: 1.91 };
const MAX_WIDTH = 1_440;

/** Instagram scales narrower pictures up, to 320 pixels. */
export const IMAGE: ImageSpec = {
  kind: 'image',
  formats: ['jpeg'],
  maxBytes: 8 * MB,
  maxWidth: MAX_WIDTH,
  maxHeight: MAX_WIDTH / RATIO.min,
  maxPixels: null,
  ratio: RATIO,
};

/** Stories are shown in 9:16; Instagram asks for that ratio and does not refuse others. */
export const STORY_IMAGE: ImageSpec = { ...IMAGE, maxHeight: 2_560, ratio: null };

export const VIDEO: VideoSpec = { kind: 'video', container: 'mp4', maxBytes: 300 * MB };
export const STORY_VIDEO: VideoSpec = { ...VIDEO, maxBytes: 100 * MB };

/** A reel, or a video of a carousel. */
export const FEED: MediaLimits = {
  kinds: {
    image: { max: MAX_FILES },
    video: {
      ...VIDEO_ENCODING,
      max: MAX_FILES,
      maxBytes: VIDEO.maxBytes,
      ratio: { min: 0.01, max: 10 },
      minMs: 3 * SECOND,
      maxMs: 15 * MINUTE,
    },
  },
  min: 1,
  max: MAX_FILES,
  mixed: true,
  altText: { kinds: ['image'], max: MAX_ALT_TEXT },
  aiFlag: ['image', 'video'],
};

export const STORY: MediaLimits = {
  kinds: {
    image: { max: 1 },
    video: {
      ...VIDEO_ENCODING,
      max: 1,
      maxBytes: STORY_VIDEO.maxBytes,
      ratio: { min: 0.1, max: 10 },
      minMs: 3 * SECOND,
      maxMs: MINUTE,
    },
  },
  min: 1,
  max: 1,
  mixed: false,
  altText: null,
  aiFlag: ['image', 'video'],
};
