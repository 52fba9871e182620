import type { ReadBudget, Source, SourceAddress } from './source.js';

export interface TaskContext {
  readonly source: Source;
  /** Absolute path of a temporary folder for its output files. The caller removes it. */
  readonly folder: string;
}

/** The exported function `run` of a task's module. Input and output are structured clones. */
export type TaskFunction<Input, Output> = (context: TaskContext, input: Input) => Promise<Output>;

/** The name of tasks that take minutes, or ran out of time before. They delay each other only. */
export const SLOW_TASKS = 'slow';

/** A module that runs in a process. */
export interface MediaTask<Input, Output> {
  /** Tasks with the same name share processes and a queue, so that long tasks do not delay short ones. */
  readonly name: string;
  /** The compiled module; it exports `run`. */
  readonly module: URL;
  /** Milliseconds, without the time that the task waits for the store. */
  readonly timeLimitMs: number;
  /** Never set; carries the types. */
  readonly types?: (input: Input) => Output;
}

export interface TaskRequest<Input> {
  readonly input: Input;
  readonly source: SourceAddress;
  readonly budget: ReadBudget;
  readonly folder: string;
}

/**
 * `failed`: the file is the reason, and another try would fail as well.
 * `out_of_memory`, `out_of_time`: the process was ended, or the task stopped itself with TaskTookTooLong. `error`: the task threw.
 */
export type TaskOutcome<Output> =
  | { readonly kind: 'done'; readonly output: Output }
  | { readonly kind: 'failed'; readonly reason: TaskFailureReason; readonly message: string };

export type TaskFailureReason = 'out_of_memory' | 'out_of_time' | 'read_budget' | 'died' | 'error';

export type ToProcess = TaskRequest<unknown> & { readonly module: string };

/** Messages from the process. `waiting` repeats while a read of the store is under way; `memory` is resident, before the end of a task. */
export type FromProcess =
  | { readonly kind: 'ready' | 'waiting' | 'running' }
  | { readonly kind: 'memory'; readonly bytes: number }
  | { readonly kind: 'settled'; readonly outcome: TaskOutcome<unknown> }
  | { readonly kind: 'store_failed'; readonly isGone: boolean; readonly message: string }
  | { readonly kind: 'machine_failed'; readonly message: string };
