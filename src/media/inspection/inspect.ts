import { fileTypeFromBuffer } from 'file-type';
import type { TaskContext } from '../isolation/media-task.js';
import { acceptedType } from './domain/accepted-types.js';
import {
  FileIsRejected,
  type InspectionInput,
  type InspectionResult,
  rejected,
} from './domain/inspection.types.js';
import { assertPlausible } from './domain/limits.js';
import { inspectImage } from './images/inspect-image.js';
import { inspectVideo } from './videos/inspect-video.js';

/** As much as `file-type` looks at. */
const HEAD_BYTES = 4_100;

/** By signature; undefined: none is known. `file-type` does not tell an AVIF sequence (brand `avis`) from a still picture. */
async function detectedType(head: Uint8Array): Promise<string | undefined> {
  const detected = await fileTypeFromBuffer(head).catch(() => undefined);
  const brand = Buffer.from(head.subarray(8, 12)).toString('latin1');
  return detected?.mime === 'image/avif' && brand === 'avis' ? 'image/avif-sequence' : detected?.mime;
}

/**
 * What a file really is: its signature, then a proof by decoding (pictures) or by tracks and packets (videos). Files that
 * cannot be accepted are a result, not an exception. Parses bytes of users: runs in a child process.
 * @throws what `source` throws
 */
export async function inspect(
  context: TaskContext,
  { contentType: declared, isPoster }: InspectionInput,
): Promise<InspectionResult> {
  const head = await context.source.read(0, HEAD_BYTES);
  const type = acceptedType(declared, await detectedType(head));
  if ('code' in type) return type;
  if (isPoster && type.kind === 'video')
    return rejected('media_type_not_supported', 'A poster must be a picture. Upload a JPEG or PNG file.');
  try {
    const accepted =
      type.kind === 'video'
        ? await inspectVideo(context, type.contentType)
        : await inspectImage(context, type.contentType, { isStill: isPoster });
    assertPlausible(accepted.facts);
    return accepted;
  } catch (error) {
    if (error instanceof FileIsRejected) return error.rejection;
    throw error;
  }
}
