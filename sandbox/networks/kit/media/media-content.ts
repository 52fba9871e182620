import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** What the bytes of a file were found to be. */
export interface MediaContent {
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  /** Of GIF. */
  readonly frames: number | null;
  /** Of videos. */
  readonly durationMs: number | null;
}

export type MediaProblem =
  'bytes' | 'unreadable' | 'format' | 'animation' | 'size' | 'ratio' | 'codec' | 'duration' | 'frame-rate';

/** The bytes are nothing that the network takes. Each network has its own words for a problem. */
export class MediaIsRefused extends Error {
  override name = 'MediaIsRefused';

  constructor(readonly problem: MediaProblem) {
    super(problem);
  }
}

/** Limits of width and height of pixels, and of width divided by height. */
export interface SideLimits {
  readonly minSide?: number;
  readonly maxSide?: number;
  readonly minWidth?: number;
  readonly maxWidth?: number;
  readonly maxHeight?: number;
  readonly minRatio?: number;
  readonly maxRatio?: number;
}

export function mustFitSides(width: number, height: number, limits: SideLimits): void {
  const { minSide = 1, maxSide = Infinity, minWidth = 1, maxWidth = Infinity } = limits;
  const { maxHeight = Infinity, minRatio = 0, maxRatio = Infinity } = limits;
  const isSized =
    Math.min(width, height) >= minSide &&
    Math.max(width, height) <= maxSide &&
    width >= minWidth &&
    width <= maxWidth &&
    height <= maxHeight;
  if (!isSized) throw new MediaIsRefused('size');
  // One pixel of rounding is no other ratio.
  const isProportioned = (width + 1) / height >= minRatio && width / (height + 1) <= maxRatio;
  if (!isProportioned) throw new MediaIsRefused('ratio');
}

/** @throws MediaIsRefused when the file is empty or has more bytes */
export async function within(path: string, maxBytes: number): Promise<void> {
  const { size } = await stat(path);
  if (size > maxBytes) throw new MediaIsRefused('bytes');
  if (size === 0) throw new MediaIsRefused('unreadable');
}

export async function hashed(path: string): Promise<{ bytes: number; sha256: string }> {
  const { size } = await stat(path);
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return { bytes: size, sha256: hash.digest('hex') };
}
