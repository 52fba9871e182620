import { type Environment, loadConfig, processEnvironment } from '#libs/config';
import { databaseOf, processConfigOf } from './process-config.js';
import type { RunningService } from './running-service.js';
import { runEntry } from './run-entry.js';
import type { ServiceDeclaration } from './service-declaration.js';
import { type DescribedService, describeService, startHttpService } from './start-http-service.js';

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
