import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { BoundedQueue } from '#libs/concurrency';
import { MediaIsolationConfig } from './isolation.config.js';
import { MediaProcessFailed, MediaProcessesAreBusy } from './isolation.errors.js';
import { MediaProcess } from './media-process.js';
import { removeAbandonedFolders } from './temporary-folder.js';
import type { MediaTask, TaskOutcome, TaskRequest } from './media-task.js';

/** Waiting tasks with the same name. */
const MAX_WAITING = 64;
const WAITING = { total: MAX_WAITING, perOrigin: MAX_WAITING, unknownTotal: MAX_WAITING };
/** An idle child holds about 70 MB. */
const IDLE_MS = 60_000;
/** A larger child is replaced after its task, so that what one file left behind does not count for the next. */
const MAX_IDLE_BYTES = 350e6;

interface Lane {
  readonly queue: BoundedQueue;
  readonly idle: Set<MediaProcess>;
}

/**
 * Runs all code that parses bytes of users, in child processes: a forged file can end its process, but not the worker. A child has
 * no credentials, and limits of heap, memory, time and reads. Children start with the first task and end after a minute without
 * one. Why not threads: docs/decisions/0029-media-processes.md.
 */
@Injectable()
export class MediaProcesses implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly lanes = new Map<string, Lane>();
  private readonly processes = new Map<MediaProcess, NodeJS.Timeout | undefined>();
  private isStopped = false;

  constructor(private readonly config: MediaIsolationConfig) {}

  async onApplicationBootstrap(): Promise<void> {
    await removeAbandonedFolders(performance.timeOrigin);
  }

  /**
   * `failed` is the fault of the file; errors are not, and the task can be repeated after them. An abort ends the process.
   * @throws SourceIsGone, SourceIsUnavailable, MediaProcessFailed, MediaProcessesAreBusy, or the reason of `signal`
   * @param onStart the task has waited for its turn, and starts
   */
  async run<I, O>(
    task: MediaTask<I, O>,
    request: TaskRequest<I>,
    signal?: AbortSignal,
    onStart?: () => void,
  ): Promise<TaskOutcome<O>> {
    const lane = this.laneOf(task.name);
    return lane.queue.run(task, async () => {
      signal?.throwIfAborted();
      const process = this.take(lane);
      onStart?.();
      try {
        return await process.run(task, request, signal);
      } finally {
        await this.giveBack(lane, process);
      }
    });
  }

  /** Ends all processes; running tasks are rejected. */
  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    await Promise.all([...this.processes.keys()].map((process) => this.remove(process)));
  }

  private laneOf(name: string): Lane {
    const lane = this.lanes.get(name) ?? {
      queue: new BoundedQueue(this.config.processes, WAITING, () => new MediaProcessesAreBusy()),
      idle: new Set<MediaProcess>(),
    };
    this.lanes.set(name, lane);
    return lane;
  }

  private take(lane: Lane): MediaProcess {
    if (this.isStopped) throw new MediaProcessFailed('The worker shuts down.');
    const [waiting] = lane.idle;
    if (waiting) lane.idle.delete(waiting);
    const process = waiting?.isAlive ? waiting : new MediaProcess();
    if (waiting && waiting !== process) this.processes.delete(waiting);
    clearTimeout(this.processes.get(process));
    this.processes.set(process, undefined);
    return process;
  }

  private async giveBack(lane: Lane, process: MediaProcess): Promise<void> {
    if (!process.isAlive || this.isStopped || process.memoryBytes > MAX_IDLE_BYTES)
      return this.remove(process);
    lane.idle.add(process);
    const end = () => {
      lane.idle.delete(process);
      void this.remove(process);
    };
    this.processes.set(process, setTimeout(end, IDLE_MS).unref());
  }

  private async remove(process: MediaProcess): Promise<void> {
    clearTimeout(this.processes.get(process));
    this.processes.delete(process);
    await process.stop();
  }
}
