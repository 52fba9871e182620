import { rejected, type Rejected } from './inspection.types.js';

/** Bounds of what a decoder is asked to do. A few kilobytes can hold a picture of gigabytes. */
export const MAX_PIXELS = 100e6;
/** Decoders keep these in memory as a whole: a progressive JPEG of 99 million pixels takes 730 MB (measured, libvips 8.18). */
const MAX_UNSTREAMED_PIXELS = 50e6;
/** 36 million pixels of 8 bits take 720 MB (measured, libvips 8.18). */
const MAX_AVIF_PIXELS = 25e6;
const MAX_FRAMES = 5_000;

export interface ImageSize {
  readonly contentType: string;
  /** Of one frame. */
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** Progressive or interlaced. */
  readonly isProgressive: boolean;
}

/** @returns null when the picture is small enough to be decoded */
export function tooLarge({ contentType, width, height, frames, isProgressive }: ImageSize): Rejected | null {
  const pixels = width * height * frames;
  const limit = pixelLimit(contentType, isProgressive);
  if (frames > MAX_FRAMES)
    return rejected(
      'media_has_too_many_frames',
      `The animation has ${frames} frames, at most ${MAX_FRAMES} are allowed. Shorten it, or upload it as a video.`,
    );
  if (pixels <= limit) return null;
  const what = frames > 1 ? `${width} × ${height} pixels in ${frames} frames` : `${width} × ${height} pixels`;
  return rejected(
    'media_has_too_many_pixels',
    `The picture has ${what}; the limit is ${limit / 1e6} million pixels in all. Scale it down.`,
  );
}

function pixelLimit(contentType: string, isProgressive: boolean): number {
  if (contentType === 'image/avif') return MAX_AVIF_PIXELS;
  return isProgressive ? MAX_UNSTREAMED_PIXELS : MAX_PIXELS;
}
