import { setTimeout as delay } from 'node:timers/promises';

/** Sockets, processes and pipes end with a delay. */
const GRACE_MS = 10_000;

/** What keeps a process from ending. Requests in flight, such as those of files, end by themselves. */
const HANDLES = /Wrap$|^(Timeout|MessagePort|FSEvent|StatWatcher|Signal)/;

function activeHandles() {
  const counts = new Map();
  for (const kind of process.getActiveResourcesInfo())
    if (HANDLES.test(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/**
 * Call before a test file, and call the result after it. A file that leaves a server, socket, child process or timer keeps
 * its worker from ending and may disturb later files.
 * @returns rejects with what is left after the grace
 */
export function watchLeftovers() {
  // Both are opened when they are first used, which is no leftover of the file that does.
  for (const stream of [process.stdout, process.stderr]) stream.writable;
  const before = activeHandles();
  return async () => {
    const deadline = performance.now() + GRACE_MS;
    for (;;) {
      const left = [...activeHandles()].filter(([kind, count]) => count > (before.get(kind) ?? 0));
      if (left.length === 0) return;
      if (performance.now() > deadline) {
        const list = left.map(([kind, count]) => `${count - (before.get(kind) ?? 0)} ${kind}`).join(', ');
        throw new Error(`This file leaves open: ${list}. Close what it started in afterAll or afterEach.`);
      }
      await delay(10, undefined, { ref: false });
    }
  };
}
