/** Interval of the check. */
const EVERY_MS = 500;

/**
 * Calls back when scripts/prepare.mjs, which forwards signals under `npm start`, was killed. Does nothing for a direct start
 * (`node dist/local/main.js`, nohup, a supervisor).
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
