import { parentPort, Worker } from 'node:worker_threads';

export interface ThreadLimits {
  /** For one input, from when the thread has received it. */
  readonly milliseconds: number;
  /** Of the heap of JavaScript. */
  readonly megabytes: number;
}

export type ThreadResult =
  | { readonly kind: 'done'; readonly output: unknown }
  | { readonly kind: 'failed'; readonly reason: 'out_of_time' | 'out_of_memory' | 'error' };

/** What `serveThread` posts for each input: that its work begins, then its output. */
export type ThreadMessage = { readonly kind: 'begins' } | Extract<ThreadResult, { kind: 'done' }>;

/** Until a thread begins its input, on a busy machine. */
const LONGEST_START_MS = 30_000;
const FAILED: ThreadResult = { kind: 'failed', reason: 'error' };

/**
 * Runs hostile work in a thread that can exhaust its own time and memory, but not those of the process. A thread that fails is ended,
 * and the next input gets a new one. It must be closed.
 */
export class LimitedThread {
  private worker: Worker | undefined;
  private settle: ((result: ThreadResult) => void) | undefined;
  private timer: NodeJS.Timeout | undefined;

  /** @param module calls `serveThread` */
  constructor(
    private readonly module: URL,
    private readonly limits: ThreadLimits,
  ) {}

  /** One input at a time: the earlier one must have ended. Never rejects. */
  run(input: unknown): Promise<ThreadResult> {
    const { promise, resolve } = Promise.withResolvers<ThreadResult>();
    this.settle = resolve;
    this.timer = setTimeout(() => this.end(FAILED), LONGEST_START_MS);
    this.worker ??= this.start();
    this.worker.ref();
    this.worker.postMessage(input);
    return promise;
  }

  /** Ends the thread. Work that runs fails. */
  async close(): Promise<void> {
    const { worker } = this;
    this.end(FAILED);
    await worker?.terminate();
  }

  private start(): Worker {
    const worker = new Worker(this.module, {
      env: {},
      execArgv: [],
      resourceLimits: {
        maxOldGenerationSizeMb: this.limits.megabytes,
        maxYoungGenerationSizeMb: 16,
        stackSizeMb: 2,
      },
    });
    const whileUsed =
      <T>(listen: (event: T) => void) =>
      (event: T) => {
        if (this.worker === worker) listen(event);
      };
    const fail = ({ code }: NodeJS.ErrnoException): void =>
      this.end(code === 'ERR_WORKER_OUT_OF_MEMORY' ? { kind: 'failed', reason: 'out_of_memory' } : FAILED);
    worker.on(
      'message',
      whileUsed((message: ThreadMessage) => this.receive(message)),
    );
    worker.on('error', whileUsed(fail));
    worker.on(
      'exit',
      whileUsed(() => this.end(FAILED)),
    );
    return worker;
  }

  private receive(message: ThreadMessage): void {
    if (message.kind === 'done') return this.end(message);
    const { milliseconds } = this.limits;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.end({ kind: 'failed', reason: 'out_of_time' }), milliseconds);
  }

  private end(result: ThreadResult): void {
    clearTimeout(this.timer);
    // A thread without work does not keep the process from ending.
    if (result.kind === 'done') this.worker?.unref();
    else {
      void this.worker?.terminate();
      this.worker = undefined;
    }
    this.settle?.(result);
    this.settle = undefined;
  }
}

/** Runs hostile work once, in a thread of its own that ends with it. Never rejects. @param module calls `serveThread` */
export async function runInThread(module: URL, limits: ThreadLimits, input: unknown): Promise<ThreadResult> {
  const thread = new LimitedThread(module, limits);
  try {
    return await thread.run(input);
  } finally {
    await thread.close();
  }
}

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
