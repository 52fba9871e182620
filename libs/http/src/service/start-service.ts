import { type Environment, loadConfig, processEnvironment, unreadVariables } from '#libs/config';
import { ServiceInfo } from '../context/request-context.js';
import { closeOnSignals, ProcessIsEnding } from './close-on-signals.js';
import { logLine } from './loggable-error.js';
import { databaseOf, processConfigOf } from './process-config.js';
import type { RunningService } from './running-service.js';
import type { ServiceDeclaration } from './service-declaration.js';
import { type DescribedService, describeService, startHttpService } from './start-http-service.js';
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

const SELF_EXPLANATORY_ERRORS = new Set([
  'ConfigIsInvalid',
  'DatabaseIsNotSupported',
  'MigrationsAreMissing',
  'LogIsFromAnotherCluster',
]);

/** Whether the message says what to do, so that people need no stack. */
export const isSelfExplanatory = (error: unknown): error is Error =>
  error instanceof Error && SELF_EXPLANATORY_ERRORS.has(error.name);

function printStartError(name: string, error: unknown): void {
  const stack = error instanceof Error ? error.stack : String(error);
  const text = isSelfExplanatory(error) ? error.message : stack;
  process.stderr.write(`${name} does not run. ${text}\n`);
}

/** Loads the code of a service. @returns describes it from an environment, and throws ConfigIsInvalid with all problems */
export async function loadService(
  service: ServiceDeclaration,
): Promise<(environment: Environment) => DescribedService> {
  const describe = await service.describe();
  return (environment) =>
    describeService(environment, () => {
      const database = databaseOf(service, environment);
      const { port, managementPort } = loadConfig(processConfigOf(service), environment);
      return { ...describe(environment, database), database, service: service.slug, port, managementPort };
    });
}

/** Starts a service. Every service is stateless: run any number of replicas. */
export const startService = async (
  service: ServiceDeclaration,
  environment: Environment = processEnvironment(),
): Promise<RunningService> => startHttpService(environment, await loadService(service));

/** For an entry file: runs the service until a signal. */
export const runService = async (service: ServiceDeclaration): Promise<void> =>
  runEntry(`The ${inSentence(service)}`, await loadService(service));

/** Its title inside a sentence. */
export const inSentence = ({ title }: ServiceDeclaration): string =>
  title.charAt(0).toLowerCase() + title.slice(1);
