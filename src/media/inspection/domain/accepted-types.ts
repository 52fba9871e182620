import { canonicalType } from '../../domain/media-types.js';
import { rejected, type Rejected } from './inspection.types.js';

const IMAGES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'];
/** One container in several variants, which cameras and browsers name by the extension of the file. */
const ISO_VIDEOS = ['video/mp4', 'video/quicktime'];
const MATROSKA_VIDEOS = ['video/webm', 'video/x-matroska'];

/** Types that people upload and that are refused for a reason of their own. */
const REASONS: Readonly<Record<string, string>> = {
  'image/heic': 'HEIC pictures are not supported. Export the picture as JPEG.',
  'image/heif': 'HEIF pictures are not supported. Export the picture as JPEG.',
  'image/heic-sequence': 'HEIC sequences are not supported. Export them as a GIF or a video.',
  'image/heif-sequence': 'HEIF sequences are not supported. Export them as a GIF or a video.',
  'image/apng': 'Animated PNG files are not supported. Export the animation as GIF or WebP.',
  'image/avif-sequence': 'AVIF sequences are not supported. Export them as a GIF or a video.',
  'image/svg+xml': 'SVG files are not supported. Export the picture as PNG.',
  'application/xml': 'SVG and other XML files are not supported. Export the picture as PNG.',
};

export type ContentKind = 'image' | 'video';

/** @param contentType undefined: no type is known */
export const refusalOf = (contentType: string | undefined): Rejected =>
  rejected('media_type_not_supported', reasonFor(contentType));

/** @param detected by signature; undefined: none is known. @returns what to read the file as, or why it is refused */
export function acceptedType(
  declared: string,
  detected: string | undefined,
): { readonly contentType: string; readonly kind: ContentKind } | Rejected {
  const contentType = detected && canonicalType(detected);
  const family = [IMAGES, ISO_VIDEOS, MATROSKA_VIDEOS].find((types) => types.includes(contentType ?? ''));
  if (!contentType || !family) return refusalOf(contentType);
  if (contentType !== declared && (family === IMAGES || !family.includes(declared)))
    return rejected(
      'media_type_does_not_match',
      `The file was declared as ${declared}, but its content is ${contentType}. Upload it with its real type.`,
    );
  return { contentType, kind: family === IMAGES ? 'image' : 'video' };
}

const reasonFor = (contentType: string | undefined): string =>
  REASONS[contentType ?? ''] ??
  `The content is ${contentType ?? 'no known picture or video'}. Upload a JPEG, PNG, WebP, GIF, AVIF, MP4, QuickTime, WebM or Matroska file.`;
