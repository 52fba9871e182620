import { spawn } from 'node:child_process';

/**
 * Stops the server when this process ends without having done so, by whatever death: the guard waits on a
 * pipe that the system closes with us.
 * @returns call it once the server has been stopped in order.
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
