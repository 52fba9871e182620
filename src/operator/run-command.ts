import { processEnvironment } from '#libs/config';
import { type Command, commandNamed } from './commands.js';

/**
 * Runs the command that the arguments of the process name, `<command> [argument …]`, and prints its lines. On failure prints the
 * error to stderr and sets exit status 1.
 * @param run by default on the environment of the process
 */
export async function runOperator(
  run: (command: Command, args: readonly string[]) => ReturnType<Command> = (command, args) =>
    command(processEnvironment(), args),
): Promise<void> {
  try {
    const [name, ...args] = process.argv.slice(2);
    for (const line of await run(await commandNamed(name), args)) process.stdout.write(`${line}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
