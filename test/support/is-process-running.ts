/** Whether a process of that number exists. One that has ended counts until its parent, or init, has taken note of it. */
export function isProcessRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
