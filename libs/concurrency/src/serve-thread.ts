import { parentPort } from 'node:worker_threads';
import type { ThreadMessage } from './limited-thread.js';

/** In the module of a `LimitedThread`: answers each input. An error of `work` ends the thread. */
export function serveThread<T>(work: (input: T) => unknown): void {
  const post = (message: ThreadMessage): void => parentPort?.postMessage(message);
  parentPort?.on('message', (input: T) => {
    post({ kind: 'begins' });
    post({ kind: 'done', output: work(input) });
  });
}
