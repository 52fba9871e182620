import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Environment, isProduction, isSet, loadConfig, processEnvironment } from '#libs/config';
import { migrate } from '../src/operator/apply-migrations.js';
import { runOperator } from '../src/operator/run-command.js';
import { claim } from './data-folder-claim.js';
import { ensureFolder, readPrivateFile } from './data-folder.js';
import { embeddedPostgresPort } from './postgres/embedded-postgres.js';
import { localDatabaseUrl, startLocalDatabase } from './local-stores.js';
import { EmbeddedConfig } from './embedded.config.js';
import { localEnvironment } from './environments.js';
import { messageFor, Refusal } from './refusal.js';
import { ensureSecrets, generateSecrets, type Secrets } from './secrets.js';

const READY_INTERVAL_MS = 200;
const READY_ATTEMPTS = 100;

type Command = (environment: Environment) => Promise<readonly string[]>;

/**
 * Runs an operator's command on DATABASE_URL, or on the embedded database of the data folder, whether `npm start` runs or not. With
 * DATABASE_URL, generated secrets are used only if a start has generated them: a new key would make records unreadable for others.
 * @returns the lines of the command
 */
export async function operate(given: Environment, command: Command): Promise<readonly string[]> {
  const config = loadConfig(EmbeddedConfig, given);
  const folder = resolve(config.dataDirectory);
  const file = join(folder, 'secrets.json');
  const run = (secrets: Secrets, stores: Environment) =>
    command({ ...localEnvironment(given, config, secrets, stores), PUBLIC_URL: '' });
  if (isSet(given, 'DATABASE_URL')) {
    const known = await readPrivateFile<Partial<Secrets>>(file);
    const isLocal = known && !isProduction(given);
    return isLocal ? run({ ...generateSecrets(), ...(known as Secrets) }, {}) : command(given);
  }
  if (isProduction(given))
    throw new Refusal('NODE_ENV is production, where nothing is generated. Set DATABASE_URL.');
  await ensureFolder(folder);
  return onEmbedded(folder, file, run);
}

async function onEmbedded(
  folder: string,
  file: string,
  run: (secrets: Secrets, stores: Environment) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const held = await claim(folder).catch((error: unknown) => {
    if (error instanceof Refusal) return undefined;
    throw error;
  });
  try {
    const secrets = await ensureSecrets(file);
    if (!held) return await run(secrets, await runningStores(folder, secrets));
    const server = await startLocalDatabase(folder, secrets.postgresPassword, () => undefined);
    try {
      const stores = { DATABASE_URL: server.databaseUrl };
      await migrate(stores);
      return await run(secrets, stores);
    } finally {
      await server.stop();
    }
  } finally {
    await held?.release();
  }
}

/** Waits for a server that another process starts. @throws Refusal when it is not ready in time */
async function runningStores(folder: string, { postgresPassword }: Secrets): Promise<Environment> {
  for (let attempt = 0; attempt < READY_ATTEMPTS; attempt += 1) {
    const port = await embeddedPostgresPort(join(folder, 'postgres'));
    if (port !== undefined) return { DATABASE_URL: localDatabaseUrl(port, postgresPassword) };
    await sleep(READY_INTERVAL_MS);
  }
  throw new Refusal('Another process uses this folder, and its database is not ready. Repeat the command.');
}

/** `node dist/local/operator.js <command> [argument …]` */
export const runLocalOperator = (): Promise<void> =>
  runOperator((command, args) =>
    operate(processEnvironment(), (environment) => command(environment, args)).catch((error: unknown) => {
      const text = messageFor(error);
      throw text === undefined ? error : new Error(text, { cause: error });
    }),
  );
