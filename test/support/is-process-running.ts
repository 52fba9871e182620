/** Whether a process with this id exists. An ended process counts until its parent, or init, has reaped it. */
export function isProcessRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
