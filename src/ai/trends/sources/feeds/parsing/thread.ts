import { Worker } from 'node:worker_threads';

export interface ThreadLimits {
  readonly milliseconds: number;
  /** Of the heap of JavaScript. */
  readonly megabytes: number;
}

export type ThreadResult =
  | { readonly kind: 'done'; readonly output: unknown }
  | { readonly kind: 'failed'; readonly reason: 'out_of_time' | 'out_of_memory' | 'error' };

/**
 * Runs a module in a thread of its own, with limits, and ends the thread. The module reads `workerData` and posts one message.
 * Never rejects.
 */
export function runInThread(module: URL, input: unknown, limits: ThreadLimits): Promise<ThreadResult> {
  return new Promise((resolve) => {
    const worker = new Worker(module, {
      workerData: input,
      env: {},
      execArgv: [],
      resourceLimits: {
        maxOldGenerationSizeMb: limits.megabytes,
        maxYoungGenerationSizeMb: 16,
        stackSizeMb: 2,
      },
    });
    const end = (result: ThreadResult): void => {
      clearTimeout(timer);
      resolve(result);
      void worker.terminate();
    };
    const timer = setTimeout(() => end({ kind: 'failed', reason: 'out_of_time' }), limits.milliseconds);
    worker.once('message', (output) => end({ kind: 'done', output }));
    worker.once('error', ({ code }: NodeJS.ErrnoException) =>
      end({ kind: 'failed', reason: code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'out_of_memory' : 'error' }),
    );
    worker.once('exit', () => end({ kind: 'failed', reason: 'error' }));
  });
}
