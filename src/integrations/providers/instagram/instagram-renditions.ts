import type { ImageSpec, MediaFacts, RenditionSpec } from '#libs/content';
import type { ContentToCheck } from '../../provider.js';
import { ratioOf } from '../file-rules.js';
import { IMAGE, STORY_IMAGE, STORY_VIDEO, VIDEO } from './instagram-limits.js';

const TOLERANCE = 0.01;

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

function likeFirst(spec: ImageSpec, [first]: readonly MediaFacts[]): ImageSpec {
  const ratio = first ? ratioOf(first) : null;
  if (!ratio || !spec.ratio) return spec;
  const { min, max } = spec.ratio;
  const shown = Math.min(Math.max(ratio, min), max);
  // Whole pixels rarely have one ratio exactly. Instagram crops what is left.
  return {
    ...spec,
    ratio: { min: Math.max(min, shown * (1 - TOLERANCE)), max: Math.min(max, shown * (1 + TOLERANCE)) },
  };
}
