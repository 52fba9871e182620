import { createHash } from 'node:crypto';
import type { ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { loadConfig } from '#libs/config';
import { ObjectStorage, ObjectStorageConfig } from '#libs/object-storage';
import { blackPng } from '../support/hostile-files/pictures.js';
import { endless } from '../support/hostile-files/videos.js';
import { aBrandRow, aMediaFile } from '../support/media-files.js';
import { sharedStorage } from '../support/object-storage.js';
import { PublishingForTests } from '../support/publishing.js';
import { spawnEntry } from '../support/spawn-entry.js';
import { makeVideo, reorderedPictures } from '../support/video-files.js';
import { waitUntil } from '../support/wait-until.js';

describe('a worker that is killed while it inspects', () => {
  let world: PublishingForTests;
  let storage: ObjectStorage;
  const workers = new Set<ChildProcess>();

  beforeAll(async () => {
    world = await PublishingForTests.start();
    storage = new ObjectStorage(loadConfig(ObjectStorageConfig, sharedStorage()));
  });
  afterAll(async () => {
    for (const worker of workers) worker.kill('SIGKILL');
    storage.onApplicationShutdown();
    await world.stop();
  });

  const start = async () => {
    const environment = { ...world.environment, ...sharedStorage(), WORKER_MANAGEMENT_PORT: '0' };
    const { process: worker } = await spawnEntry('dist/src/worker.js', environment);
    workers.add(worker);
    return worker;
  };
  const upload = async (bytes: Buffer, contentType: string) => {
    const { database } = world.test;
    const brand = await aBrandRow(database);
    const file = await aMediaFile(database, brand.id, {
      status: 'uploading',
      contentType,
      bytes: bytes.length,
    });
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const etag = await storage.put(file.key, {
      body: Readable.from([bytes]),
      length: bytes.length,
      sha256,
      contentType,
    });
    await database.query(
      `UPDATE media.file SET status = 'inspecting', etag = $2, inspect_due_at = now() WHERE id = $1`,
      [file.id, etag],
    );
    return file.id;
  };
  const rowOf = async (id: string) => {
    const [row] = await world.test.database.query<Record<string, unknown>>(
      'SELECT * FROM media.file WHERE id = $1',
      [id],
    );
    return row ?? {};
  };
  const childrenOf = ({ pid }: ChildProcess) =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  const foldersOf = ({ pid }: ChildProcess) =>
    readdirSync(tmpdir()).filter((name) => /^media-task-[0-9a-f]+-(\d+)-/.exec(name)?.[1] === String(pid));

  const onLinux = process.platform === 'linux' ? it : it.skip;
  onLinux('takes its child process with it, and another worker ends the inspection', async () => {
    const first = await start();
    const busy = endless(await makeVideo({ format: 'mp4-fragmented', pictures: reorderedPictures(2) }));
    const id = await upload(busy, 'video/mp4');
    await waitUntil(() => childrenOf(first).length > 0 && foldersOf(first).length > 0);
    const children = childrenOf(first);
    first.kill('SIGKILL');
    await waitUntil(() => children.every((pid) => !existsSync(`/proc/${pid}`)));
    expect(await rowOf(id)).toMatchObject({
      status: 'inspecting',
      inspect_is_claimed: true,
      inspect_attempts: 1,
    });

    await world.test.database.query('UPDATE media.file SET inspect_due_at = now() WHERE id = $1', [id]);
    const second = await start();
    const good = await upload(blackPng(100, 100), 'image/png');
    await waitUntil(async () => (await rowOf(id)).status === 'rejected', 60_000);
    expect(await rowOf(id)).toMatchObject({ inspect_takeovers: 1, inspect_failures: 2 });
    await waitUntil(async () => (await rowOf(good)).status === 'ready', 60_000);
    // The folder of a task is removed after its outcome is stored.
    await waitUntil(() => [...foldersOf(first), ...foldersOf(second)].length === 0);
    expect(await world.test.database.query('SELECT key FROM media.object_to_remove WHERE adoptable')).toEqual(
      [],
    );
  });
});
