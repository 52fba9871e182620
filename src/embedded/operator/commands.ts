import { text } from 'node:stream/consumers';
import { processEnvironment } from '#libs/config';
import { manageCredentials, rebuildUsage } from '../../platform/gateway/operator.js';
import { administerPlatform } from '../../platform/identity/operator.js';
import { runOperatorCommand } from './operate.js';

/** npm run identity:admin */
export const runIdentityAdmin = (): Promise<void> =>
  runOperatorCommand(processEnvironment(), (environment) =>
    administerPlatform(environment, process.argv.slice(2)),
  );

/** npm run gateway:credential */
export const runGatewayCredential = (): Promise<void> =>
  runOperatorCommand(processEnvironment(), (environment) =>
    manageCredentials(environment, process.argv.slice(2), () => text(process.stdin)),
  );

/** npm run usage:rebuild */
export const runUsageRebuild = (): Promise<void> => runOperatorCommand(processEnvironment(), rebuildUsage);
