import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../dist/local/postgres/embedded-postgres.js';
import { startEmbeddedObjectStorage } from '../../dist/local/object-store/embedded-object-storage.js';
import { freePort } from '../../dist/local/ports.js';

/** One PostgreSQL and one object store for the whole run. Jest does not map module names here, so this one file takes the build. */
export default async function globalSetup() {
  const { TEST_POOLER: pooler } = process.env;
  globalThis.testPostgres = await startPostgres();
  process.env.TEST_POSTGRES_URL = globalThis.testPostgres.url('postgres');
  if (pooler) {
    const { startPgBouncer } = await import('./pgbouncer.ts');
    globalThis.testPooler = await startPgBouncer(process.env.TEST_POSTGRES_URL, await freePort(), 25);
    process.env.TEST_POOLER_URL = globalThis.testPooler.url(process.env.TEST_POSTGRES_URL);
  }
  const objects = await mkdtemp(join(tmpdir(), 'content-operations-test-objects-'));
  const storage = await startEmbeddedObjectStorage({
    directory: objects,
    bucket: 'test',
    accessKeyId: 'test',
    secretAccessKey: 'test',
  });
  process.env.TEST_S3_ENDPOINT = storage.endpoint;
  globalThis.testObjects = {
    stop: () => storage.stop().then(() => rm(objects, { recursive: true, force: true })),
  };
}

const MOST_TRIES = 3;

/** Another program can take a free port while the cluster is created; then another port is used. */
async function startPostgres(tries = 1) {
  const { TEST_POSTGRES_PACKAGE: otherMajor } = process.env;
  try {
    return await startEmbeddedPostgres({
      binaries: otherMajor && (await import(otherMajor)),
      directory: await mkdtemp(join(tmpdir(), 'content-operations-test-')),
      port: await freePort(),
      persistent: false,
      password: 'test',
      settings: ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=300'],
    });
  } catch (error) {
    if (tries === MOST_TRIES || !/Address already in use/.test(error.message)) throw error;
    return startPostgres(tries + 1);
  }
}
