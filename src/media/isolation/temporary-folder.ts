import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** Followed by the id of the process. */
const PREFIX = 'media-task-';
/** Longer than any task. The id of a killed process may belong to another one by now. */
const ABANDONED_AFTER_MS = 6 * 3_600_000;

const inUse = new Set<string>();

/** Runs `work` with a new folder, which only this user can read, and removes the folder afterwards. */
export async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  inUse.add(basename(folder));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    inUse.delete(basename(folder));
  }
}

/** Removes folders of processes that were killed. @param now milliseconds since 1970 */
export async function removeAbandonedFolders(now: number): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(PREFIX) && !inUse.has(name));
  for (const name of names) {
    const path = join(tmpdir(), name);
    const facts = await stat(path).catch(() => null);
    const isOld = facts !== null && now - facts.mtimeMs > ABANDONED_AFTER_MS;
    if (isOld || !isRunning(Number(name.slice(PREFIX.length).split('-')[0])))
      await rm(path, { recursive: true, force: true });
  }
}

/** A folder of an earlier process with the id of this one is not in use. */
function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
