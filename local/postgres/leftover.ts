import { execFile, spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

/**
 * * Stops the server if this process ends without stopping it, even when it is killed: the guard process waits on a pipe that
 * the system closes then.
 * @returns call it after the server has stopped
 */
export function guardAgainstSuddenDeath(serverPid: number): () => void {
  if (process.platform === 'win32') return () => undefined;
  const guard = spawn('/bin/sh', ['-c', 'read -r _; kill -INT "$0" 2>/dev/null', String(serverPid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  guard.on('error', () => undefined);
  return () => guard.kill('SIGKILL');
}

const run = promisify(execFile);

/** Much longer than the checkpoint of a fast shutdown. */
const SHUTDOWN_MS = 30_000;

/**
 * * A killed start may leave its server running or its `postmaster.pid`. The caller ensures that no other start uses this
 * folder, so that a server found here is a leftover and is stopped.
 */
export async function clearLeftovers(directory: string): Promise<void> {
  const lockFile = join(directory, 'postmaster.pid');
  const pid = Number((await readFile(lockFile, 'utf8').catch(() => '')).split('\n')[0]);
  if (!pid || !isRunning(pid)) return; // PostgreSQL itself clears a file whose process is gone
  if ((await programOf(pid)) !== 'postgres') return rm(lockFile, { force: true });
  process.kill(pid, 'SIGINT');
  // A zombie process keeps its id but has another name.
  for (let waited = 0; isRunning(pid) && (await programOf(pid)) === 'postgres'; waited += 50) {
    if (waited > SHUTDOWN_MS)
      throw new Error(`An earlier PostgreSQL (process ${pid}) does not stop. End it by hand.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function programOf(pid: number): Promise<string> {
  if (process.platform === 'win32') return 'postgres';
  const { stdout } = await run('ps', ['-o', 'comm=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return basename(stdout.trim());
}
