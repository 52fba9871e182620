import { join } from 'node:path';
import {
  type EmbeddedPostgres,
  embeddedPostgresUrl,
  startEmbeddedPostgres,
} from './postgres/embedded-postgres.js';
import { freePort } from './ports.js';

const DATABASE = 'content_operations';

export interface LocalDatabase extends EmbeddedPostgres {
  readonly databaseUrl: string;
}

/** The cluster of the data folder with the database. Its port is a free one, because only this process uses it. */
export async function startLocalDatabase(
  dataDirectory: string,
  password: string,
  lost: (sentence: string) => void,
): Promise<LocalDatabase> {
  const server = await startEmbeddedPostgres({
    directory: join(dataDirectory, 'postgres'),
    port: await freePort(),
    persistent: true,
    password,
    settings: ['max_connections=200'],
    onDeath: (how) =>
      lost(
        `PostgreSQL ended by itself (${how}), so everything stops. Nothing that was saved is lost: start again.`,
      ),
  });
  await server.createDatabase(DATABASE);
  return { ...server, databaseUrl: server.url(DATABASE) };
}

/** Address of the database of a server that another process has started. */
export const localDatabaseUrl = (port: number, password: string): string =>
  embeddedPostgresUrl({ port, password }, DATABASE);
