import { type Environment, processEnvironment, unreadVariables } from '#libs/config';
import { closeOnSignals, ProcessIsEnding } from './close-on-signals.js';
import { logLine } from './log-line.js';
import { ServiceInfo } from '../context/service-info.js';
import type { DescribedService } from './start-http-service.js';
import { startWhenDatabaseIsReachable } from './start-when-database-is-reachable.js';

/**
 * Runs an entry file: starts when the database is reachable, prints the address, closes on a signal. When the service cannot
 * start, the exit status is 1 and self-explanatory errors are printed without a stack.
 */
export async function runEntry(
  name: string,
  describe: (environment: Environment) => DescribedService,
): Promise<void> {
  const unread = unreadVariables(processEnvironment());
  if (unread.length > 0) logLine('warn', name, `No process reads ${unread.join(', ')}: see .env.example`);
  try {
    const { service } = await closeOnSignals(
      async (ending) => {
        const service = await startWhenDatabaseIsReachable(processEnvironment(), describe, ending);
        return { service, close: () => service.closeAfterBalancerDelay() };
      },
      (error) => printStartError(name, error),
    );
    const { url, managementUrl, app } = service;
    logLine('info', app.get(ServiceInfo).name, `${name} listens on ${url}, management on ${managementUrl}`);
  } catch (error) {
    if (error instanceof ProcessIsEnding) return;
    printStartError(name, error);
    process.exitCode = 1;
  }
}

/** Errors whose message says what to do. */
const SELF_EXPLANATORY_ERRORS = new Set([
  'ConfigIsInvalid',
  'DatabaseIsNotSupported',
  'MigrationsAreMissing',
  'LogIsFromAnotherCluster',
]);

function printStartError(name: string, error: unknown): void {
  const known = error instanceof Error && SELF_EXPLANATORY_ERRORS.has(error.name);
  const text = known ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${name} does not run. ${text}\n`);
}
