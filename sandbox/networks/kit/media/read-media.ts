import { parsedInThread } from '../../../parsing.js';
import {
  hashed,
  type MediaContent,
  MediaIsRefused,
  type MediaProblem,
  mustFitSides,
  type SideLimits,
  within,
} from './media-content.js';
import type { VideoLimits, VideoShape } from './video-shape.js';

type ImageFormat = 'jpeg' | 'png' | 'webp' | 'gif';

export interface ImageLimits extends SideLimits {
  readonly formats: readonly ImageFormat[];
  readonly maxBytes: number;
  /** Of one frame. */
  readonly maxPixels?: number;
  /** Of animations; without it an image with several frames is refused. */
  readonly animation?: { readonly maxFrames: number; readonly maxPixelsOfFrames: number };
}

const TYPES: Readonly<Record<ImageFormat, string>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
};
const MAX_PIXELS = 300_000_000;
/** Of decoding: the sandbox shares its process with all services of the machine. */
const SECONDS = 10;

/** Decodes an image entirely, since only that proves one. @throws MediaIsRefused */
export async function readImage(path: string, limits: ImageLimits): Promise<MediaContent> {
  await within(path, limits.maxBytes);
  const { default: sharp } = await import('sharp');
  const image = sharp(path, { animated: true, limitInputPixels: MAX_PIXELS });
  const { format, width, height, pages = 1, pageHeight = height } = await image.metadata().catch(unreadable);
  const found = limits.formats.find((each) => each === format);
  if (!found) throw new MediaIsRefused(Object.hasOwn(TYPES, format ?? '') ? 'format' : 'unreadable');
  mustFitFrames(width * pageHeight, pages, limits);
  mustFitSides(width, pageHeight, limits);
  // Statistics have no limit of time.
  await image.timeout({ seconds: SECONDS }).resize(1, 1, { fit: 'fill' }).raw().toBuffer().catch(unreadable);
  const frames = found === 'gif' ? pages : null;
  const shape = { contentType: TYPES[found], width, height: pageHeight, frames, durationMs: null };
  return { ...(await hashed(path)), ...shape };
}

function mustFitFrames(pixels: number, frames: number, { animation, maxPixels }: ImageLimits): void {
  if (pixels > (maxPixels ?? Infinity)) throw new MediaIsRefused('size');
  if (!animation && frames > 1) throw new MediaIsRefused('animation');
  if (!animation) return;
  if (frames > animation.maxFrames || pixels * frames > animation.maxPixelsOfFrames)
    throw new MediaIsRefused('size');
}

function unreadable(): never {
  throw new MediaIsRefused('unreadable');
}

const THREAD = new URL('./video-thread.js', import.meta.url);

export type ReadShape = { readonly shape: VideoShape } | { readonly problem: MediaProblem };

/** Reads the index and the last packet of a video: an upload that was cut has none. @throws MediaIsRefused */
export async function readVideo(path: string, limits: VideoLimits): Promise<MediaContent> {
  await within(path, limits.maxBytes);
  const read = (await parsedInThread<ReadShape>(THREAD, { path, limits })) ?? { problem: 'unreadable' };
  if ('problem' in read) throw new MediaIsRefused(read.problem);
  return { ...read.shape, ...(await hashed(path)) };
}
