import { type MediaTask, SLOW_TASKS } from '../isolation/media-task.js';
import type { ReadBudget } from '../isolation/source.js';
import type { InspectionInput, InspectionResult } from './domain/inspection.types.js';
import { INDEX_BLOCK_BYTES } from './domain/limits.js';

export const INSPECT: MediaTask<InspectionInput, InspectionResult> = {
  name: 'inspect',
  module: new URL('./inspect-task.js', import.meta.url),
  timeLimitMs: 10_000,
};

/** For files that ended their process before: a busy machine or a short of memory may have been the reason. */
export const INSPECT_SLOWLY: typeof INSPECT = { ...INSPECT, name: SLOW_TASKS, timeLimitMs: 60_000 };

const HEAD_BYTES = 8_192;
/** The index of four hours of video. */
const MAX_INDEX_BYTES = 16e6;
/** A video in fragments, or a live recording, has an index in each second of it. */
const MAX_SCATTERED_BYTES = 256e6;
/** For what is not read in blocks. */
const MORE_READS = 500;

/** A picture is read once as a whole; of a video only its index. @param bytes of the file */
export function inspectionBudget(contentType: string, bytes: number): ReadBudget {
  if (contentType.startsWith('image/')) return { bytes: bytes + HEAD_BYTES, reads: MORE_READS };
  const scattered = Math.min(bytes, MAX_SCATTERED_BYTES);
  return {
    bytes: MAX_INDEX_BYTES + scattered,
    reads: MORE_READS + Math.ceil(scattered / INDEX_BLOCK_BYTES),
  };
}
