import { parentPort } from 'node:worker_threads';
import type { ThreadMessage } from './limited-thread.js';

/** In the module of a `LimitedThread`: answers each input. An error of `work` ends the thread. */
export function serveThread<T>(work: (input: T) => unknown): void {
  const post = (message: ThreadMessage): void => parentPort?.postMessage(message);
  const answer = async (input: T): Promise<void> => {
    post({ kind: 'begins' });
    post({ kind: 'done', output: await work(input) });
  };
  // A rejection is not handled, which ends the thread.
  parentPort?.on('message', (input: T) => void answer(input));
}
