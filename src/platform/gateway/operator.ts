import { parseArgs } from 'node:util';
import { isUUID } from 'class-validator';
import { type Environment, loadConfig } from '#libs/config';
import { Database, withDataSource } from '#libs/database';
import { databaseOf } from '#libs/http';
import { GatewayAudit } from './audit/gateway-audit.js';
import { Credentials } from './credentials/credentials.js';
import { CredentialsStore } from './credentials/credentials.store.js';
import { type CommandInput, CommandIsRefused, runCommand } from './credentials/operator-command.js';
import { ensureDefaults, type PlatformDefault } from './credentials/platform-defaults.js';
import { rebuildUsage as rebuild } from './ai/usage/rollups/rebuild.command.js';
import { GatewayConfig } from './gateway.config.js';
import { gatewayService } from './service.js';
import { type DefaultModels, ensureModels } from './ai/models/preferences/platform-defaults.js';

const USAGE = `Usage: npm run gateway:credential -- list | add | rotate | enable | disable | delete
  list     [--organization ID]
  add      --provider NAME --label TEXT [--project ID] [--position N] [--organization ID]   the secret on stdin
  rotate   --id ID                                                                          the secret on stdin
  enable, disable, delete   --id ID
Without --organization: the defaults of the platform.`;

/**
 * The command `npm run gateway:credential`: manages credentials of providers in the database of the gateway. Its changes are audited
 * with the actor `operator`.
 * @param readSecret reads the secret, which is never an argument: arguments are visible to other users of the machine
 * @returns lines to print, without secrets
 * @throws CommandIsRefused, ConfigIsInvalid
 */
export function manageCredentials(
  environment: Environment,
  args: readonly string[],
  readSecret: () => Promise<string>,
): Promise<readonly string[]> {
  const input = readInput(args);
  return withStore(environment, ({ store }) => runCommand(store, input, readSecret));
}

/** Adds platform defaults that were never added, and updates those that this function added before. Repeating it has no effect. */
export function ensurePlatformCredentials(
  environment: Environment,
  defaults: readonly PlatformDefault[],
): Promise<void> {
  return withStore(environment, (stores) => ensureDefaults(stores, defaults));
}

/** Adds preferences of the platform that are missing. Repeating it has no effect. */
export function ensurePlatformModels(
  environment: Environment,
  defaults: readonly DefaultModels[],
): Promise<void> {
  return withStore(environment, ({ database }) => ensureModels(database, defaults));
}

export type { DefaultModels } from './ai/models/preferences/platform-defaults.js';
export type { PlatformDefault } from './credentials/platform-defaults.js';
export type { AiProviderName } from './credentials/providers.js';

/** The command `npm run usage:rebuild`. @returns lines to print */
export const rebuildUsage = (environment: Environment): Promise<readonly string[]> =>
  rebuild(databaseOf(gatewayService, environment));

export interface Stores {
  readonly database: Database;
  readonly credentials: Credentials;
  readonly store: CredentialsStore;
}

function withStore<T>(environment: Environment, work: (stores: Stores) => Promise<T>): Promise<T> {
  const credentials = new Credentials(loadConfig(GatewayConfig, environment));
  return withDataSource(databaseOf(gatewayService, environment), (dataSource) => {
    const database = new Database(dataSource);
    const store = new CredentialsStore(database, credentials, new GatewayAudit());
    return work({ database, credentials, store });
  });
}

/** @throws CommandIsRefused */
function readInput(args: readonly string[]): CommandInput {
  const { values, positionals } = parsed(args);
  const [verb = '', ...rest] = positionals;
  if (rest.length > 0) throw new CommandIsRefused(`Give the secret on stdin, not as an argument.\n${USAGE}`);
  for (const name of ['id', 'organization'] as const)
    if (values[name] !== undefined && !isUUID(values[name], 'loose'))
      throw new CommandIsRefused(`--${name} must be a UUID.\n${USAGE}`);
  const { position, id, organization, ...given } = values;
  const at = position === undefined ? undefined : Number(position);
  // As the database returns them: a secret is bound to the ids of its record.
  const ids = { id: id?.toLowerCase(), organization: organization?.toLowerCase() };
  return { ...given, ...ids, verb, position: at, usage: USAGE };
}

function parsed(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { id: text, organization: text, provider: text, label: text, project: text, position: text },
    });
  } catch (error) {
    throw new CommandIsRefused(`${(error as Error).message.split('. ')[0]}.\n${USAGE}`);
  }
}
