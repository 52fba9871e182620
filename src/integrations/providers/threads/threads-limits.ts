import type { ImageSpec, VideoSpec } from '#libs/content';
import { VIDEO_ENCODING } from '../containers/video-rules.js';
import type { MediaLimits } from '../media-rules.js';

/*
 * What Threads takes. Sources: developers.facebook.com/docs/threads/overview and /docs/threads/posts, read 2026-10-04; links:
 * /docs/threads/create-posts/text-attachments (2025-12-15). Threads does not say whether a MB has 1 000 000 or 1 048 576 bytes; the
 * smaller is used.
 */

const MB = 1_000_000;

/** "Text posts are limited to 500 characters. Emojis are counted as the number of UTF-8 bytes". */
export const MAX_TEXT = 500;
/** Different ones, in the text and as an attachment, since 2025-12-22. */
export const MAX_LINKS = 5;
export const MAX_FILES = 20;
/** Characters, of images and videos. */
export const MAX_ALT_TEXT = 1_000;
export const POSTS_PER_DAY = 250;

/** Threads scales narrower pictures up, to 320 pixels. */
export const IMAGE: ImageSpec = {
  kind: 'image',
  formats: ['jpeg', 'png'],
  maxBytes: 8 * MB,
  maxWidth: 1_440,
  maxHeight: 4_096,
  maxPixels: null,
  ratio: { min: 0.1, max: 10 },
};

export const VIDEO: VideoSpec = { kind: 'video', container: 'mp4', maxBytes: 1_000 * MB };

export const MEDIA: MediaLimits = {
  kinds: {
    image: { max: MAX_FILES },
    video: {
      ...VIDEO_ENCODING,
      max: MAX_FILES,
      maxBytes: VIDEO.maxBytes,
      ratio: { min: 0.01, max: 10 },
      maxMs: 5 * 60_000,
    },
  },
  min: 0,
  max: MAX_FILES,
  mixed: true,
  altText: { kinds: ['image', 'video'], max: MAX_ALT_TEXT },
  aiFlag: [],
};
