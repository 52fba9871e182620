import type { ImageSpec, MediaFacts, RatioBounds, RenditionSpec } from '#libs/content';
import type { FocusPoint } from './render.types.js';

/** Pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Region extends Size {
  readonly left: number;
  readonly top: number;
}

/** The whole picture is scaled to `scaled`, and then `region` of it is kept. */
export interface Fit {
  readonly scaled: Size;
  readonly region: Region;
}

/** Of products and quotients of whole numbers. */
const TOLERANCE = 1e-6;

type Bounds = Pick<ImageSpec, 'maxWidth' | 'maxHeight' | 'maxPixels' | 'ratio'>;

/**
 * How a picture is cropped around its focus point and scaled down so that it is within the bounds. Never scales up.
 * @param shrink additional factor, 0 < shrink ≤ 1
 * @returns null when no size fits, such as a ratio that whole pixels cannot have
 */
export function fitImage(source: Size, bounds: Bounds, focus: FocusPoint, shrink = 1): Fit | null {
  const crop = largestCrop(source, bounds.ratio);
  const scale = shrink * Math.min(1, scaleWithin(crop, bounds));
  const region = wholePixels(crop, scale, bounds);
  if (region === null) return null;
  const scaled = {
    width: Math.max(region.width, Math.round(source.width * scale)),
    height: Math.max(region.height, Math.round(source.height * scale)),
  };
  return { scaled, region: { ...region, ...around(focus, scaled, region) } };
}

/** The factor by which a picture is scaled down to be within the bounds; above 1 when it is smaller. */
export function scaleWithin({ width, height }: Size, bounds: Omit<Bounds, 'ratio'>): number {
  const byPixels = bounds.maxPixels === null ? Infinity : Math.sqrt(bounds.maxPixels / (width * height));
  return Math.min(bounds.maxWidth / width, bounds.maxHeight / height, byPixels);
}

function largestCrop({ width, height }: Size, ratio: RatioBounds | null): Size {
  if (ratio === null) return { width, height };
  if (width / height > ratio.max) return { width: height * ratio.max, height };
  if (width / height < ratio.min) return { width, height: width / ratio.min };
  return { width, height };
}

/** Rounded, or rounded down where rounding exceeds the bounds. */
function wholePixels({ width, height }: Size, scale: number, bounds: Bounds): Size | null {
  const sides = (round: (value: number) => number): Size => ({
    width: Math.max(1, round(width * scale + TOLERANCE)),
    height: Math.max(1, round(height * scale + TOLERANCE)),
  });
  const fitting = [sides(Math.round), sides(Math.floor)].map((size) => withRatio(size, bounds.ratio));
  return fitting.find((size) => size !== null && isWithin(size, bounds)) ?? null;
}

/** Shortens the side that makes the ratio of whole pixels exceed its bounds. */
function withRatio({ width, height }: Size, ratio: RatioBounds | null): Size | null {
  if (ratio === null) return { width, height };
  if (width / height > ratio.max) width = Math.floor(height * ratio.max + TOLERANCE);
  if (width / height < ratio.min) height = Math.floor(width / ratio.min + TOLERANCE);
  const fits = width >= 1 && height >= 1 && width / height <= ratio.max && width / height >= ratio.min;
  return fits ? { width, height } : null;
}

const isWithin = ({ width, height }: Size, { maxWidth, maxHeight, maxPixels }: Bounds): boolean =>
  width <= maxWidth && height <= maxHeight && (maxPixels === null || width * height <= maxPixels);

/** The focus point is at the centre of the region, or as near to it as the edges of the picture allow. */
const around = (focus: FocusPoint, scaled: Size, region: Size) => ({
  left: clamp(Math.round(focus.x * scaled.width - region.width / 2), scaled.width - region.width),
  top: clamp(Math.round(focus.y * scaled.height - region.height / 2), scaled.height - region.height),
});

const clamp = (value: number, max: number): number => Math.max(0, Math.min(max, value));

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
