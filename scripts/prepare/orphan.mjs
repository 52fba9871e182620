import { readFileSync } from 'node:fs';

/** How often we look. */
const EVERY_MS = 500;

/**
 * Under npm a signal may end npm, or the shell between npm and us, and never reach us. Tells us to end, and with us what we
 * run, once one of the two is gone. Who calls us without npm (nohup, a supervisor) may be gone.
 */
export function endWhenOrphaned() {
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
