import { readFileSync } from 'node:fs';

/** Interval of the check. */
const EVERY_MS = 500;

/**
 * Under npm, a signal may end npm, or the shell between npm and this process, without reaching this process. Sends SIGTERM to
 * this process when one of the two has ended. Without npm (nohup, a supervisor) the caller may end.
 */
export function exitWhenOrphaned() {
  if (!process.env.npm_lifecycle_event) return;
  const before = callers();
  const timer = setInterval(() => {
    if (callers() === before) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, EVERY_MS);
  timer.unref();
}

/** The parent and, where that is not npm itself and the system shows it in /proc, the parent's parent. */
function callers() {
  try {
    const [, name, parent] = /\((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${process.ppid}/stat`, 'utf8'));
    return name.startsWith('npm') ? `${process.ppid}` : `${process.ppid} ${parent}`;
  } catch {
    return `${process.ppid}`;
  }
}
