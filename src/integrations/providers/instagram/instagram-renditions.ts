import type { ImageSpec, MediaFacts, RenditionSpec } from '#libs/content';
import type { ContentToCheck } from '../../provider.js';
import { ratioOf } from '../file-rules.js';
import { IMAGE, STORY_IMAGE, STORY_VIDEO, VIDEO } from './instagram-limits.js';

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
  const shown = Math.min(Math.max(ratio, spec.ratio.min), spec.ratio.max);
  return { ...spec, ratio: { min: shown, max: shown } };
}
