import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Kept out of node_modules, which an install replaces, and of dist. */
const FOLDER = '.data';
const LOCK = join(FOLDER, 'preparing');

/** No install and build takes longer; a lock this old belongs to nobody, whoever has its number now. */
const LONGEST_MS = 15 * 60_000;
/** Between making the file and writing the number into it. */
const WRITING_MS = 2_000;

/** Two starts at once in one folder take turns; the lock of a process that is gone is taken over. */
export async function oneAtATime(work) {
  mkdirSync(FOLDER, { recursive: true });
  let told = false;
  while (!take()) {
    if (!told) console.log('Waiting for another start in this folder to finish installing and building …');
    told = true;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  const release = () => rmSync(LOCK, { force: true });
  process.once('exit', release);
  try {
    await work();
  } finally {
    process.off('exit', release); // by then the lock may be somebody else's
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
