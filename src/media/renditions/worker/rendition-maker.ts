import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Handling } from '#libs/due-work';
import { ObjectStorage } from '#libs/object-storage';
import { RecordInspection } from '../../commands/record-inspection.js';
import { MediaProcesses } from '../../isolation/media-processes.js';
import { type MediaTask, SLOW_TASKS, type TaskOutcome } from '../../isolation/media-task.js';
import { type ReadBudget, SourceIsGone, SourceIsUnavailable } from '../../isolation/source.js';
import { isObjectGone, OBJECT_IS_GONE } from '../../media-objects.store.js';
import { keepsOriginal } from '../domain/fit.js';
import type { RenderOutput } from '../domain/render.types.js';
import type { RenderTaskInput } from '../render-task.js';
import type { RenditionFailure } from '../views/rendition.view.js';
import { type ClaimedRendition, laneOf } from './rendition-claims.store.js';
import { notReadable, RenditionEndedItsProcess } from './rendition-failures.js';

/** Without the time that it waits for the store; on a busy machine. 4 GB are copied in less, and 5 × 50 million pixels of frames encoded. */
const TIME_LIMIT_MS = { image: 120_000, animation: 600_000, video: 600_000 };
/** Of the first attempt of a picture. */
const FAST_LIMIT_MS = 30_000;
const ADDRESS_SECONDS = 6 * 3_600;
/** Over the packets of a video; sizes and times of Matroska are between its bytes. One more for blocks that are read again. */
const PASSES = 3;
/** The index of a video. */
const MORE_BYTES = 128 * 1024 * 1024;
/** Of one read of a video. */
const BLOCK_BYTES = 1024 * 1024;
/** A forged index may ask for far more. */
const MORE_READS = 1_000;

export type Made =
  Exclude<RenderOutput, { kind: 'failed' }> | ({ readonly kind: 'failed' } & RenditionFailure);

/** Makes renditions in child processes, which read the source by a presigned address and have no credentials. */
@Injectable()
export class RenditionMaker {
  constructor(
    private readonly processes: MediaProcesses,
    private readonly storage: ObjectStorage,
    private readonly commands: CommandBus,
  ) {}

  /**
   * `failed` is definite. A file whose object is gone is rejected.
   * @param folder empty; gets the result
   * @throws RenditionEndedItsProcess, and what is not the fault of the file (store, disk, shutdown, an abort): to be tried again
   */
  async make(claimed: ClaimedRendition, folder: string, { signal, onStart }: Handling): Promise<Made> {
    const { mediaId, kind, spec, focusX, focusY, aiMark, objectKey, etag, bytes } = claimed;
    const address = await this.storage.presignInternalGet(objectKey, {
      expiresSeconds: ADDRESS_SECONDS,
      etag,
    });
    const source = { url: address.url, etag, bytes };
    const input = { kind, spec, focus: { x: focusX, y: focusY }, aiMark, isCopied: isCopied(claimed) };
    const request = { input, source, budget: budgetOf(bytes), folder };
    try {
      return madeOf(await this.processes.run(taskOf(claimed), request, signal, onStart));
    } catch (error) {
      if (!(error instanceof SourceIsGone)) throw error;
      if (!(await isObjectGone(this.storage, objectKey, etag))) throw new SourceIsUnavailable(error);
      const outcome = { kind: 'rejected', ...OBJECT_IS_GONE } as const;
      await this.commands.execute(new RecordInspection({ mediaId, etag, outcome }));
      return { ...outcome, kind: 'failed' };
    }
  }
}

const isCopied = ({ facts, kind, contentType, bytes, spec }: ClaimedRendition): boolean =>
  keepsOriginal({ ...facts, kind, contentType, bytes }, spec);

function taskOf(claimed: ClaimedRendition): MediaTask<RenderTaskInput, RenderOutput> {
  const module = new URL('../render-task.js', import.meta.url);
  return laneOf(claimed) === 'fast'
    ? { name: 'render-pictures', module, timeLimitMs: FAST_LIMIT_MS }
    : { name: SLOW_TASKS, module, timeLimitMs: TIME_LIMIT_MS[claimed.spec.kind] };
}

const budgetOf = (bytes: number): ReadBudget => ({
  bytes: PASSES * bytes + MORE_BYTES,
  reads: Math.ceil((PASSES * bytes) / BLOCK_BYTES) + MORE_READS,
});

/** `render` returns what it cannot read as a result. What the task throws is unexpected. */
function madeOf(outcome: TaskOutcome<RenderOutput>): Made {
  if (outcome.kind === 'done') return outcome.output;
  if (outcome.reason === 'read_budget') return { kind: 'failed', ...notReadable(outcome.reason) };
  if (outcome.reason === 'error') throw new Error(outcome.message);
  throw new RenditionEndedItsProcess(outcome.reason);
}
