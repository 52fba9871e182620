import { Worker } from 'node:worker_threads';

/**
 * Ends this process with SIGKILL when it uses more memory than `maxBytes` (native buffers and pixels included) or when its parent
 * is gone. In a process of its own, because a forged file can keep the main process busy for ever.
 */
export function startWatchdog(maxBytes: number): void {
  const code = `
    const { ppid } = process;
    setInterval(() => {
      if (process.ppid !== ppid || process.memoryUsage.rss() > ${maxBytes}) process.kill(process.pid, 'SIGKILL');
    }, ${INTERVAL_MS})`;
  new Worker(code, { eval: true, env: {}, resourceLimits: { maxOldGenerationSizeMb: 8 } }).unref();
}

const INTERVAL_MS = 50;
