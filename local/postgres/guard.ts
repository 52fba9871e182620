import { spawn } from 'node:child_process';

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
