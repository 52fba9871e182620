import { closeOnSignals } from './close-on-signals.js';
import type { RunningService } from './running-service.js';

/**
 * What an entry file does when it is executed: start, say where, stop in order on a signal. What keeps a service
 * from starting is printed without a stack when it is meant for a person, and the exit status is 1.
 */
export async function runEntry(name: string, start: () => Promise<RunningService>): Promise<void> {
  try {
    const { service } = await closeOnSignals(
      async () => {
        const service = await start();
        return { service, close: () => service.closeBehindBalancer() };
      },
      (error) => complain(name, error),
    );
    process.stdout.write(`${name} listens on ${service.url}, management on ${service.managementUrl}\n`);
  } catch (error) {
    complain(name, error);
    process.exitCode = 1;
  }
}

/** Errors that say themselves what to do. */
const FOR_PEOPLE = new Set([
  'ConfigIsInvalid',
  'DatabaseIsUnfit',
  'MigrationsAreMissing',
  'LogIsFromTheFuture',
]);

function complain(name: string, error: unknown): void {
  const known = error instanceof Error && FOR_PEOPLE.has(error.name);
  const text = known ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${name} does not run. ${text}\n`);
}
