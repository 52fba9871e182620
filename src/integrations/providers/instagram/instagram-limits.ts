import type { ImageSpec, VideoSpec, MediaFacts, RenditionSpec } from '#libs/content';
import type { MediaLimits } from '../media-rules.js';
import { VIDEO_ENCODING } from '../containers/video-rules.js';
import type { ContentToCheck } from '../../provider.types.js';
import { ratioOf } from '../file-rules.js';

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

const MAX_FILES = 10;
/** Characters; since 2025-03-24, of images only. */
export const MAX_ALT_TEXT = 1_000;
/** Posts in 24 hours where the account does not tell; pages of Instagram say 100, 50 and 25. */
export const POSTS_PER_DAY = 100;

const RATIO = { min: 4 / 5, max: 1.91 };
const MAX_WIDTH = 1_440;

/** Instagram scales narrower pictures up, to 320 pixels. */
const IMAGE: ImageSpec = {
  kind: 'image',
  formats: ['jpeg'],
  maxBytes: 8 * MB,
  maxWidth: MAX_WIDTH,
  maxHeight: MAX_WIDTH / RATIO.min,
  maxPixels: null,
  ratio: RATIO,
};

/** Stories are shown in 9:16; Instagram asks for that ratio and does not refuse others. */
const STORY_IMAGE: ImageSpec = { ...IMAGE, maxHeight: 2_560, ratio: null };

const VIDEO: VideoSpec = { kind: 'video', container: 'mp4', maxBytes: 300 * MB };
const STORY_VIDEO: VideoSpec = { ...VIDEO, maxBytes: 100 * MB };

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

/** Whole pixels rarely have one ratio exactly. Instagram crops what is left. */
export const TOLERANCE = 0.01;

/** Instagram crops a carousel to the ratio of its first file. Pictures are cropped before, around their focus points. */
export function renditions({ media, options }: ContentToCheck): (RenditionSpec | null)[] {
  const isStory = options.format === 'story';
  const [image, video] = isStory ? [STORY_IMAGE, STORY_VIDEO] : [IMAGE, VIDEO];
  const ofCarousel = media.length > 1 && !isStory ? likeFirst(image, media) : image;
  return media.map(({ kind }, index) =>
    kind === 'image' ? (index === 0 ? image : ofCarousel) : kind === 'video' ? video : null,
  );
}

/** width / height of all files of a carousel; null: not known. */
export function carouselRatio([first]: readonly MediaFacts[]): number | null {
  const ratio = first ? ratioOf(first) : null;
  if (!ratio || !IMAGE.ratio) return null;
  return Math.min(Math.max(ratio, IMAGE.ratio.min), IMAGE.ratio.max);
}

function likeFirst(spec: ImageSpec, media: readonly MediaFacts[]): ImageSpec {
  const shown = carouselRatio(media);
  if (!shown || !spec.ratio) return spec;
  const { min, max } = spec.ratio;
  return {
    ...spec,
    ratio: { min: Math.max(min, shown * (1 - TOLERANCE)), max: Math.min(max, shown * (1 + TOLERANCE)) },
  };
}
