import type { Environment } from '#libs/config';
import { processEnvironment } from '#libs/config';
import { closeOnSignals, ProcessIsEnding } from './close-on-signals.js';
import { logLine } from './log-line.js';
import { ServiceInfo } from './service-info.js';
import type { DescribedService } from './start-http-service.js';
import { startWhenDatabaseAnswers } from './start-when-database-answers.js';

/**
 * What an entry file does when it is executed: start once the database answers, say where, stop in order on a signal. What
 * keeps a service from starting is printed without a stack when it is meant for a person, and the exit status is 1.
 */
export async function runEntry(
  name: string,
  describe: (environment: Environment) => DescribedService,
): Promise<void> {
  try {
    const { service } = await closeOnSignals(
      async (ending) => {
        const service = await startWhenDatabaseAnswers(processEnvironment(), describe, ending);
        return { service, close: () => service.closeBehindBalancer() };
      },
      (error) => complain(name, error),
    );
    const { url, managementUrl, app } = service;
    logLine('info', app.get(ServiceInfo).name, `${name} listens on ${url}, management on ${managementUrl}`);
  } catch (error) {
    if (error instanceof ProcessIsEnding) return;
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
