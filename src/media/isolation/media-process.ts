import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { processEnvironment } from '#libs/config';
import { MediaProcessFailed } from './isolation.errors.js';
import type { FromProcess, MediaTask, TaskOutcome, TaskRequest, ToProcess } from './media-task.js';
import { SourceIsGone, SourceIsUnavailable } from './source.js';

/** The limit is checked that often: a process that was frozen, or a suspended machine, does not use up the limit at once. */
const STEPS = 20;
/** A paused process reports every second. One that is silent for longer than this and the limit is busy. */
const SILENCE_MS = 5_000;

/** Calls `onExpired` once after `limitMs` of running time. Pauses while the task waits for the store. */
export class Stopwatch {
  private timer: NodeJS.Timeout | undefined;
  private steps = 0;
  private silentSteps: number | undefined;

  constructor(
    private readonly limitMs: number,
    private readonly onExpired: () => void,
  ) {}

  /** Also resumes. */
  start(): void {
    this.silentSteps = undefined;
    this.timer ??= setInterval(() => this.step(), this.limitMs / STEPS);
  }

  /** Must be repeated while the task waits. */
  pause(): void {
    this.silentSteps = 0;
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private step(): void {
    if (this.silentSteps === undefined) this.steps += 1;
    else this.silentSteps += 1;
    const silentSteps = STEPS + Math.ceil((SILENCE_MS * STEPS) / this.limitMs);
    if (this.steps < STEPS && (this.silentSteps ?? 0) < silentSteps) return;
    this.stop();
    this.onExpired();
  }
}

/** Of the JavaScript heap, in MB. Buffers and pixels are outside of it; the process limits its whole memory itself. */
const HEAP_LIMITS = ['--max-old-space-size=128', '--max-semi-space-size=8'];
/** The variables that a process gets: no credentials. Without them it trusts other certificates than the worker. */
const ENVIRONMENT = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SystemRoot', 'TMPDIR', 'TEMP'];
/** V8 ends a process that exceeds its heap with SIGABRT; the watchdog and the kernel use SIGKILL. */
const MEMORY_SIGNALS = ['SIGABRT', 'SIGKILL'];

interface Running {
  readonly resolve: (outcome: TaskOutcome<unknown>) => void;
  readonly reject: (error: unknown) => void;
  readonly time: Stopwatch;
}

/** One child process, for one task after another. After it has ended, `isAlive` is false. */
export class MediaProcess {
  private readonly child: ChildProcess;
  private readonly exited: Promise<void>;
  private readonly ready = Promise.withResolvers<void>();
  private current: Running | undefined;
  isAlive = true;
  /** After its last task. */
  memoryBytes = 0;

  constructor() {
    this.child = fork(fileURLToPath(new URL('./process-entry.js', import.meta.url)), {
      env: pick(processEnvironment(), ENVIRONMENT),
      execArgv: HEAP_LIMITS,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.ready.promise.catch(() => undefined);
    this.exited = new Promise((resolve) => {
      this.child.once('error', (error) => this.ended(error.message)).once('error', () => resolve());
      this.child.once('exit', (code, signal) => this.ended(`exit ${code ?? signal}`, signal));
      this.child.once('exit', () => resolve());
    });
    this.child.on('message', (message: FromProcess) => this.receive(message));
  }

  /** @throws SourceIsGone, SourceIsUnavailable, MediaProcessFailed, or the reason of `signal` */
  async run<I, O>(
    task: MediaTask<I, O>,
    request: TaskRequest<I>,
    signal?: AbortSignal,
  ): Promise<TaskOutcome<O>> {
    await this.ready.promise;
    const { promise, resolve, reject } = Promise.withResolvers<TaskOutcome<unknown>>();
    const time = new Stopwatch(task.timeLimitMs, () => this.end());
    this.current = { resolve, reject, time };
    const abort = () => void this.stop(signal?.reason);
    try {
      signal?.throwIfAborted();
      signal?.addEventListener('abort', abort, { once: true });
      time.start();
      const message: ToProcess = { ...request, module: task.module.href };
      this.child.send(message, (error) => error && this.ended(error.message));
      return (await promise) as TaskOutcome<O>;
    } finally {
      time.stop();
      signal?.removeEventListener('abort', abort);
      this.current = undefined;
    }
  }

  /** Rejects the running task with `reason`. Resolves when the process has ended. */
  async stop(reason: unknown = new MediaProcessFailed('The worker ended the media process.')): Promise<void> {
    this.isAlive = false;
    this.current?.reject(reason);
    this.child.kill('SIGKILL');
    await this.exited;
  }

  private receive(message: FromProcess): void {
    if (message.kind === 'ready') return this.ready.resolve();
    if (message.kind === 'memory') this.memoryBytes = message.bytes;
    if (message.kind === 'settled') this.current?.resolve(message.outcome);
    if (message.kind === 'waiting') this.current?.time.pause();
    if (message.kind === 'running') this.current?.time.start();
    if (message.kind === 'machine_failed') this.current?.reject(new MediaProcessFailed(message.message));
    if (message.kind === 'store_failed')
      this.current?.reject(message.isGone ? new SourceIsGone() : new SourceIsUnavailable(message.message));
  }

  private ended(message: string, signal?: NodeJS.Signals | null): void {
    this.isAlive = false;
    this.ready.reject(new MediaProcessFailed(`The media process did not start: ${message}.`));
    const reason = signal && MEMORY_SIGNALS.includes(signal) ? 'out_of_memory' : 'died';
    this.current?.resolve({ kind: 'failed', reason, message: `The media process ended: ${message}.` });
  }

  private end(): void {
    this.isAlive = false;
    this.current?.resolve({ kind: 'failed', reason: 'out_of_time', message: 'The time limit is exceeded.' });
    this.child.kill('SIGKILL');
  }
}

const pick = (all: Readonly<Record<string, string | undefined>>, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])));
