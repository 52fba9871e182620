/** How often we look. */
const EVERY_MS = 500;

/**
 * What `npm start` runs is told of signals by scripts/prepare.mjs, which ends with npm. Calls back once that was killed and
 * can tell nothing any more. A start by hand (`node dist/src/embedded.js`, nohup, a supervisor) is left alone.
 */
export function whenOrphaned(underNpm: boolean, callback: () => void): void {
  if (!underNpm) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, EVERY_MS);
  timer.unref();
}
