import type { MediaFacts, RenditionSpec } from '#libs/content';
import { fitImage } from './fit.js';

type Original = Pick<
  MediaFacts,
  'kind' | 'contentType' | 'bytes' | 'width' | 'height' | 'hasCredentials' | 'isPublishable'
>;

/** What fits as a whole does not depend on the focus point. */
const CENTRE = { x: 0.5, y: 0.5 };

/**
 * Whether a picture with Content Credentials fits as it is. Its rendition is then a copy, so that the signature stays one of its bytes.
 * Of a video every rendition differs.
 */
export function keepsOriginal(file: Original, spec: RenditionSpec): boolean {
  const { bytes, width, height, contentType } = file;
  if (!file.hasCredentials || !file.isPublishable || !bytes || !width || !height) return false;
  if (spec.kind !== 'image' || file.kind !== 'image' || bytes > spec.maxBytes) return false;
  if (!spec.formats.some((format) => contentType === `image/${format}`)) return false;
  const fit = fitImage({ width, height }, spec, CENTRE);
  return (
    fit !== null && [fit.scaled, fit.region].every((size) => size.width === width && size.height === height)
  );
}
