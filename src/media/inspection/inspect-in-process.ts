import type { MediaTask } from '../isolation/media-task.js';
import type { InspectionInput, InspectionResult } from './domain/inspection.types.js';

export const INSPECT: MediaTask<InspectionInput, InspectionResult> = {
  name: 'inspect',
  module: new URL('./inspect-task.js', import.meta.url),
  timeLimitMs: 60_000,
};

const HEAD_BYTES = 8_192;
/** The index of four hours of video. */
const MAX_INDEX_BYTES = 16e6;

/** A picture is read once as a whole; of a video only its index. @param bytes of the file */
export const inspectionBudget = (contentType: string, bytes: number) => ({
  bytes: contentType.startsWith('image/') ? bytes + HEAD_BYTES : MAX_INDEX_BYTES,
  reads: 500,
});
