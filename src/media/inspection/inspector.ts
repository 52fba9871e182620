import { Injectable } from '@nestjs/common';
import type { Handling } from '#libs/due-work';
import { ObjectStorage } from '#libs/object-storage';
import { MediaProcesses } from '../isolation/media-processes.js';
import type { TaskFailureReason } from '../isolation/media-task.js';
import { SourceIsGone, SourceIsUnavailable } from '../isolation/source.js';
import { isObjectGone, OBJECT_IS_GONE } from '../media-objects.store.js';
import type { InspectionResult } from './domain/inspection.types.js';
import { type ClaimedInspection, laneOf } from './inspection-claims.store.js';
import { INSPECT, INSPECT_SLOWLY, inspectionBudget } from './inspect-in-process.js';

/** Longer than an inspection takes. */
const ADDRESS_SECONDS = 3_600;

/** The file ended its child process, or reached a limit of memory or time. */
export class FileEndedItsProcess extends Error {
  constructor(readonly reason: TaskFailureReason) {
    super(`The child process did not end the inspection: ${reason}.`);
  }
}

/** Inspects the object of a file in a child process, which has no credentials. */
@Injectable()
export class Inspector {
  constructor(
    private readonly processes: MediaProcesses,
    private readonly storage: ObjectStorage,
  ) {}

  /**
   * @param folder empty; gets the derived pictures
   * @throws FileEndedItsProcess, and what is not the fault of the file (store, disk, shutdown): to be tried again
   */
  async inspect(
    file: ClaimedInspection,
    folder: string,
    { signal, onStart }: Handling,
  ): Promise<InspectionResult> {
    const task = laneOf(file) === 'fast' ? INSPECT : INSPECT_SLOWLY;
    const { contentType, bytes, etag, posterOf } = file;
    const { url } = await this.storage.presignInternalGet(file.objectKey, {
      expiresSeconds: ADDRESS_SECONDS,
      etag,
    });
    const request = {
      input: { contentType, isPoster: posterOf !== null },
      source: { url, etag, bytes },
      budget: inspectionBudget(contentType, bytes),
      folder,
    };
    try {
      const outcome = await this.processes.run(task, request, signal, onStart);
      if (outcome.kind === 'done') return outcome.output;
      if (outcome.reason === 'error' || outcome.reason === 'read_budget') return notReadable(outcome.message);
      throw new FileEndedItsProcess(outcome.reason);
    } catch (error) {
      if (!(error instanceof SourceIsGone)) throw error;
      if (await isObjectGone(this.storage, file.objectKey, etag))
        return { kind: 'rejected', ...OBJECT_IS_GONE };
      throw new SourceIsUnavailable(error);
    }
  }
}

/** @param reason for operators; the uploader cannot use it. It may quote the file: PostgreSQL stores no NUL and no lone surrogate. */
const notReadable = (reason: string): InspectionResult => ({
  kind: 'rejected',
  code: 'media_not_readable',
  message: `The file cannot be read (${reason
    .slice(0, 200)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ')}). Export it again.`,
});

/** A file that ended its process twice, or its worker several times, or whose facts cannot be stored. */
export const UNINSPECTABLE: InspectionResult = {
  kind: 'rejected',
  code: 'media_not_readable',
  message: 'The file needs too much memory or time to be read, or is forged. Export it again.',
};
