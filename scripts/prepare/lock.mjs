import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Not in node_modules or dist, which are replaced. */
const FOLDER = '.data';
const LOCK = join(FOLDER, 'preparing');

/** Longer than any install and build. An older lock is stale, even if its process id is in use again. */
const LONGEST_MS = 15 * 60_000;
/** Maximum time between creating the file and writing the process id. */
const WRITING_MS = 2_000;

/** Runs concurrent starts in one folder one after the other. Replaces the lock of a dead process. */
export async function withLock(work) {
  mkdirSync(FOLDER, { recursive: true });
  let hasLogged = false;
  while (!take()) {
    if (!hasLogged)
      console.log('Waiting for another start in this folder to finish installing and building …');
    hasLogged = true;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  const release = () => rmSync(LOCK, { force: true });
  process.once('exit', release);
  try {
    await work();
  } finally {
    process.off('exit', release); // from here on, another process can own the lock
    release();
  }
}

function take() {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  if (!isAbandoned()) return false;
  rmSync(LOCK, { force: true });
  return take();
}

function isAbandoned() {
  try {
    const age = Date.now() - statSync(LOCK).mtimeMs;
    if (age > LONGEST_MS) return true;
    const pid = Number(readFileSync(LOCK, 'utf8'));
    return pid ? !isRunning(pid) : age > WRITING_MS;
  } catch {
    return false; // gone in the meantime
  }
}

function isRunning(pid) {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
