import { readFileSync } from 'node:fs';

/** How often the ancestors are looked at. */
const EVERY_MS = 500;

/**
 * Under npm a signal may end npm, or the shell between npm and us, and never reach us. Calls back once one of the two
 * is gone. A start by hand (`node dist/src/embedded.js`, nohup, a supervisor) is left alone.
 */
export function whenOrphaned(underNpm: boolean, callback: () => void): void {
  if (!underNpm) return;
  const before = ancestors();
  const timer = setInterval(() => {
    if (ancestors() === before) return;
    clearInterval(timer);
    callback();
  }, EVERY_MS);
  timer.unref();
}

/** The parent and, where the system shows it in /proc, the parent's parent. */
function ancestors(): string {
  try {
    return `${process.ppid} ${parentIn(readFileSync(`/proc/${process.ppid}/stat`, 'utf8'))}`;
  } catch {
    return String(process.ppid);
  }
}

/** The number of the parent, after the state. The name before it may hold spaces and brackets, as npm's own: proc_pid_stat(5). */
export function parentIn(stat: string): string | undefined {
  const [, , parent] = stat.slice(stat.lastIndexOf(')') + 1).split(' ');
  return parent;
}
