/** Runs a maintenance command and prints its lines. On failure prints the error to stderr and exits with status 1. */
export async function runMaintenance(command: () => Promise<readonly string[]>): Promise<void> {
  try {
    for (const line of await command()) process.stdout.write(`${line}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
