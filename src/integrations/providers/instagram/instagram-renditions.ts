import type { ImageSpec, MediaFacts, RenditionSpec } from '#libs/content';
import type { ContentToCheck } from '../../provider.js';
import { ratioOf } from '../file-rules.js';
import { IMAGE, STORY_IMAGE, STORY_VIDEO, VIDEO } from './instagram-limits.js';

/** Whole pixels rarely have one ratio exactly. Instagram crops what is left. */
export const TOLERANCE = 0.01;

/**
 * Instagram crops all files of a carousel to the ratio of the first one, around their centres. Pictures are cropped before, around
 * their focus points.
 */
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
