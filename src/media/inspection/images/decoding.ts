import { access } from 'node:fs/promises';
import { TaskTookTooLong } from '../../isolation/isolation.errors.js';
import { notReadable } from '../domain/inspection.types.js';

/** As sharp reports the end of `.timeout()`. */
const TIMEOUT = /timeout: \d+% complete/;

/**
 * Names the failure of a decoder that reads a file. The time limit is one of wall time, and a busy machine may be the reason.
 * @throws FileIsRejected, TaskTookTooLong, or the system's error when the file is gone, which is a fault of the machine
 */
export async function decoding<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await access(path);
    if (error instanceof Error && TIMEOUT.test(error.message)) throw new TaskTookTooLong();
    throw notReadable('The picture is damaged or incomplete.');
  }
}
