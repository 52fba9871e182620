import { LimitedThread, type ThreadLimits, type ThreadResult } from './limited-thread.js';

/** Runs hostile work once, in a thread of its own that ends with it. Never rejects. @param module calls `serveThread` */
export async function runInThread(module: URL, limits: ThreadLimits, input: unknown): Promise<ThreadResult> {
  const thread = new LimitedThread(module, limits);
  try {
    return await thread.run(input);
  } finally {
    await thread.close();
  }
}
