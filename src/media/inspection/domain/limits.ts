import { type InspectedFacts, notReadable, rejected, type Rejected } from './inspection.types.js';

/** Bounds of what a decoder is asked to do. A few kilobytes can hold a picture of gigabytes. */
export const MAX_PIXELS = 100e6;
/** Decoders keep these in memory as a whole: a progressive JPEG of 99 million pixels takes 730 MB (measured, libvips 8.18). */
const MAX_UNSTREAMED_PIXELS = 50e6;
/** 36 million pixels of 8 bits take 720 MB (measured, libvips 8.18). */
const MAX_AVIF_PIXELS = 25e6;
const MAX_FRAMES = 5_000;

interface ImageSize {
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

/** PostgreSQL's `int`, in which facts are stored. */
const MAX_NUMBER = 2 ** 31 - 1;
/** 4 GB of a day are 370 kbit/s. No network accepts as much, and headers that state more are forged. */
const MAX_DURATION_MS = 24 * 3_600_000;
const MAX_FRAME_RATE = 1_000;

/** Refuses what a forged header states, and what no row can hold. */
export function assertPlausible({ width, height, frames, durationMs }: InspectedFacts): void {
  if (!isCount(width) || !isCount(height)) throw notReadable('The file states an impossible size.');
  if (frames !== null && !isCount(frames)) throw notReadable('The animation states no frames.');
  if (durationMs === null) return;
  if (!isCount(durationMs)) throw notReadable('The file states an impossible duration.');
  if (durationMs > MAX_DURATION_MS)
    throw notReadable('The file states a duration of more than 24 hours, which is the limit. Shorten it.');
}

/** A rate of no or of thousands of frames comes from times that mean nothing; the video may be good. @returns null: not known */
export function plausibleFrameRate(rate: number): number | null {
  const rounded = Math.round(rate * 1_000) / 1_000;
  return rounded > 0 && rounded <= MAX_FRAME_RATE ? rounded : null;
}

const isCount = (value: number | null): boolean =>
  value !== null && Number.isInteger(value) && value > 0 && value <= MAX_NUMBER;

/** A block has the index of a fragment as a whole, and those of several small fragments. */
export const INDEX_BLOCK_BYTES = 64 * 1024;
