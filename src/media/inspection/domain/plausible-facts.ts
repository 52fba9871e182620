import { notReadable, type ReadFacts } from './inspection.types.js';

/** PostgreSQL's `int`, in which facts are stored. */
const MAX_NUMBER = 2 ** 31 - 1;
/** 4 GB of a day are 370 kbit/s. No network accepts as much, and headers that state more are forged. */
const MAX_DURATION_MS = 24 * 3_600_000;
const MAX_FRAME_RATE = 1_000;

/** Refuses what a forged header states, and what no row can hold. @throws FileIsRejected */
export function assertPlausible({ width, height, frames, durationMs }: ReadFacts): void {
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
