import { text } from 'node:stream/consumers';
import { type Environment, processEnvironment } from '#libs/config';

/** @returns lines to print */
export type Command = (environment: Environment, args: readonly string[]) => Promise<readonly string[]>;

/** The commands of operators by name. Each is loaded alone. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  migrate: async () => (await import('./apply-migrations.js')).runMigrations,
  'rebuild-projections': async () => (await import('./rebuild-projections.js')).runRebuild,
  'renumber-events': async () => (await import('./renumber-events.js')).runRenumbering,
  'identity-admin': async () => (await import('../platform/identity/operator.js')).administerPlatform,
  'gateway-credential': async () => {
    const { manageCredentials } = await import('../platform/gateway/operator.js');
    return (environment, args) => manageCredentials(environment, args, () => text(process.stdin));
  },
  'usage-rebuild': async () => (await import('../platform/gateway/operator.js')).rebuildUsage,
};

/** @throws Error that lists the commands when there is none of this name */
export async function commandNamed(name = ''): Promise<Command> {
  if (!Object.hasOwn(COMMANDS, name))
    throw new Error(`There is no command "${name}". Use one of: ${Object.keys(COMMANDS).join(', ')}.`);
  return COMMANDS[name]!();
}

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
