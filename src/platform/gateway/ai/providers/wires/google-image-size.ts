import type { Accepts } from '../accepts.types.js';
import type { ImageRequest } from './requests.js';

export type GoogleImageSize = '1K' | '2K' | '4K';

/** Longest sides in pixels. */
const LARGEST_OF_1K = 1_536;
const LARGEST_OF_2K = 3_072;

/** The size that is requested of Google, and billed. */
export function googleImageSizeOf(
  { width, height }: Pick<ImageRequest, 'width' | 'height'>,
  imageSizes: Accepts['imageSizes'] = 'ratio-and-size',
): GoogleImageSize {
  if (imageSizes === 'ratio') return '1K';
  const longest = Math.max(width, height);
  if (longest > LARGEST_OF_2K) return '4K';
  return longest > LARGEST_OF_1K ? '2K' : '1K';
}
