import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import sharp from 'sharp';
import { FileSource } from './file-source.js';
import { HttpSource } from './http-source.js';
import { TaskTookTooLong } from './isolation.errors.js';
import type { FromProcess, TaskFailureReason, TaskFunction, ToProcess } from './media-task.js';
import { ReadBudgetIsExceeded, SourceIsGone } from './source.js';

/**
 * Ends this process with SIGKILL when it uses more memory than `maxBytes` (native buffers and pixels included) or when its parent
 * is gone. In a process of its own, because a forged file can keep the main process busy for ever.
 */
function startWatchdog(maxBytes: number): void {
  const code = `
    const { ppid } = process;
    setInterval(() => {
      if (process.ppid !== ppid || process.memoryUsage.rss() > ${maxBytes}) process.kill(process.pid, 'SIGKILL');
    }, ${INTERVAL_MS})`;
  new Worker(code, { eval: true, env: {}, resourceLimits: { maxOldGenerationSizeMb: 8 } }).unref();
}

const INTERVAL_MS = 50;

/** Enough for the pixel limits of `inspection/domain/limits.ts`. */
const MAX_MEMORY_BYTES = 800e6;
/** How often the process reports that it still waits for the store. */
const REPORT_MS = 1_000;

/** The worker's other processes go first, and the kernel ends this process first when memory is short. */
function yieldToOthers(): void {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  if (process.platform === 'linux') writeFileSync('/proc/self/oom_score_adj', '1000');
}

/** Loaders of other formats, such as SVG and PDF, are never needed. */
function limitSharp(): void {
  sharp.concurrency(1);
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  const formats = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif'].map((name) => `VipsForeignLoad${name}`);
  sharp.unblock({ operation: formats });
}

const tell = (message: FromProcess): void => void process.send?.(message);

let reports: NodeJS.Timeout | undefined;

function reportWaiting(isWaiting: boolean): void {
  clearInterval(reports);
  tell({ kind: isWaiting ? 'waiting' : 'running' });
  if (isWaiting) reports = setInterval(() => tell({ kind: 'waiting' }), REPORT_MS);
}

async function runTask({ module, input, source: address, budget, folder }: ToProcess): Promise<FromProcess> {
  const source = address.url.startsWith('file:')
    ? new FileSource(address)
    : new HttpSource(address, budget, reportWaiting);
  try {
    const { run } = (await import(module)) as { run: TaskFunction<unknown, unknown> };
    const output = await run({ source, folder }, input);
    return storeFailure(source) ?? { kind: 'settled', outcome: { kind: 'done', output } };
  } catch (error) {
    return storeFailure(source) ?? failureOf(error);
  } finally {
    source.close();
    tell({ kind: 'memory', bytes: process.memoryUsage.rss() });
    clearInterval(reports);
  }
}

function storeFailure({ storeFailure: failure }: Pick<HttpSource, 'storeFailure'>): FromProcess | undefined {
  if (!failure) return undefined;
  return { kind: 'store_failed', isGone: failure instanceof SourceIsGone, message: failure.message };
}

function failureOf(error: unknown): FromProcess {
  const { message, syscall } = error as NodeJS.ErrnoException;
  // A full disk or too many open files: not the fault of the file.
  if (syscall !== undefined) return { kind: 'machine_failed', message };
  return { kind: 'settled', outcome: { kind: 'failed', reason: reasonOf(error), message: String(message) } };
}

function reasonOf(error: unknown): TaskFailureReason {
  if (error instanceof TaskTookTooLong) return 'out_of_time';
  return error instanceof ReadBudgetIsExceeded ? 'read_budget' : 'error';
}

// A parser may leave a promise behind that fails with its read. The task itself reports what matters.
process.on('unhandledRejection', () => undefined);
// A terminal sends them to all processes of its group; the worker decides when this one ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());
yieldToOthers();
limitSharp();
startWatchdog(MAX_MEMORY_BYTES);
process.on('message', (task: ToProcess) => void runTask(task).then(tell));
tell({ kind: 'ready' });
