import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** Followed by host, id and start of the process, and random characters. */
const PREFIX = 'media-task-';
/** Longer than any task. */
const ABANDONED_AFTER_MS = 6 * 3_600_000;
/** Where the system does not tell when a process started. */
const UNKNOWN_START = '0';
/** Containers that share a folder have the same ids of processes; their host names differ. */
const HOST = createHash('sha256').update(hostname()).digest('hex').slice(0, 12);

const inUse = new Set<string>();

/** Runs `work` with a new folder, which only this user can read, and removes the folder afterwards. */
export async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const owner = [HOST, process.pid, startOf(process.pid) ?? UNKNOWN_START].join('-');
  const folder = await mkdtemp(join(tmpdir(), `${PREFIX}${owner}-`));
  inUse.add(basename(folder));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    inUse.delete(basename(folder));
  }
}

/** Removes folders of processes of this host that were killed, and old ones of any host. @param now milliseconds since 1970 */
export async function removeAbandonedFolders(now: number): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(PREFIX) && !inUse.has(name));
  for (const name of names) {
    const path = join(tmpdir(), name);
    const facts = await stat(path).catch(() => null);
    const isOld = facts !== null && now - facts.mtimeMs > ABANDONED_AFTER_MS;
    if (isOld || isOfDeadProcess(name)) await rm(path, { recursive: true, force: true });
  }
}

/** A folder of an earlier process with the id of this one is not in use. */
function isOfDeadProcess(name: string): boolean {
  const [host, pid, start] = name.slice(PREFIX.length).split('-');
  if (host !== HOST || start === undefined || !Number.isInteger(Number(pid))) return false;
  if (Number(pid) === process.pid) return true;
  return start === UNKNOWN_START ? !isRunning(Number(pid)) : startOf(Number(pid)) !== start;
}

/** Ticks since the boot, so that an id that another process got is not mistaken (proc(5), field 22 of stat). null: not known, or it ended */
function startOf(pid: number): string | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the name in parentheses, which may contain spaces.
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
