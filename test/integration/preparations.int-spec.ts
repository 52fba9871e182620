import { randomBytes, randomUUID } from 'node:crypto';
import type { PreparationKey } from '../../src/integrations/preparations/preparations.store.js';
import {
  PreparationIsTaken,
  PreparationsStore,
} from '../../src/integrations/preparations/preparations.store.js';
import { StaleSealsSweep } from '../../src/integrations/stale-seals.sweep.js';
import { PublishingForTests } from '../support/publishing.js';

const aKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const ADDRESS = 'https://upload.example.com/?signature=secret';
const UPLOADED = { ids: { upload: 'u-1' }, addresses: { upload: ADDRESS } };

describe('what is prepared of a post', () => {
  const [former, newest] = [aKey('former'), aKey('newest')];
  let world: PublishingForTests;
  let store: PreparationsStore;

  beforeAll(async () => {
    world = await PublishingForTests.start({ ENCRYPTION_KEYS: former });
    store = world.service(PreparationsStore);
  });
  afterEach(() => world.stopWorkers());
  afterAll(() => world.stop());

  const anAttempt = (more: Partial<PreparationKey> = {}): PreparationKey => ({
    postId: randomUUID(),
    attemptId: randomUUID(),
    connectionId: randomUUID(),
    fingerprint: 'f',
    ...more,
  });
  const uploaded = async (key = anAttempt()) => {
    await store.begin(key, 'reserve');
    await store.save(key, 'status', UPLOADED);
    return key;
  };
  const rowOf = async ({ postId }: PreparationKey) => {
    const rows = await world.test.database.query<{ step: string; state: string | null }>(
      'SELECT step, state FROM integrations.publish_preparation WHERE post_id = $1',
      [postId],
    );
    return rows[0];
  };

  it('is continued by the next attempt of the same content and connection, else begun again', async () => {
    const key = await uploaded();
    const next = { ...key, attemptId: randomUUID() };
    expect(await store.begin(next, 'reserve')).toMatchObject({ step: 'status', prepared: UPLOADED });
    for (const other of [{ fingerprint: 'g' }, { connectionId: randomUUID() }]) {
      const again = await uploaded();
      const begun = await store.begin({ ...again, attemptId: randomUUID(), ...other }, 'reserve');
      expect(begun).toMatchObject({ step: 'reserve', prepared: { ids: {}, addresses: {} } });
    }
  });

  it('belongs to one attempt at a time: a former one neither saves a step nor commits', async () => {
    const key = await uploaded();
    await store.begin({ ...key, attemptId: randomUUID() }, 'reserve');
    await expect(store.save(key, 'other', UPLOADED)).rejects.toThrow(PreparationIsTaken);
    await expect(store.startCommit(key)).rejects.toThrow(PreparationIsTaken);
    await expect(store.startAgain(key, 'reserve')).rejects.toThrow(PreparationIsTaken);
  });

  it('proves that an attempt did not commit, and keeps it from committing later', async () => {
    const key = await uploaded();
    expect(await store.takeBack(key.postId, randomUUID())).toBe(false);
    expect(await store.takeBack(key.postId, key.attemptId)).toBe(true);
    await expect(store.startCommit(key)).rejects.toThrow(PreparationIsTaken);
  });

  it('proves nothing of an attempt that began to commit, or that never prepared', async () => {
    const key = await uploaded();
    await store.startCommit(key);
    expect(await store.takeBack(key.postId, key.attemptId)).toBe(false);
    expect(await store.takeBack(randomUUID(), randomUUID())).toBe(false);
  });

  it('waits by the database’s clock', async () => {
    const key = await uploaded();
    const before = await world.test.database.query<{ now: Date }>('SELECT now() AS now');
    const until = await store.save(key, 'status', UPLOADED, 60_000);
    expect(Date.parse(until) - (before[0]?.now.getTime() ?? 0)).toBeGreaterThanOrEqual(60_000);
  });

  it('is encrypted, bound to its post', async () => {
    const [one, two] = [await uploaded(), await uploaded()];
    expect((await rowOf(one))?.state).not.toContain('signature');
    await world.test.database.query(
      `UPDATE integrations.publish_preparation SET state = (
         SELECT state FROM integrations.publish_preparation WHERE post_id = $1) WHERE post_id = $2`,
      [one.postId, two.postId],
    );
    expect(await store.find(two.postId, two.connectionId)).toBeNull();
    expect(await store.begin({ ...two, attemptId: randomUUID() }, 'reserve')).toMatchObject({
      step: 'reserve',
    });
  });

  it('is encrypted with the newest key by the sweep', async () => {
    const key = await uploaded();
    const worker = await world.worker({ ENCRYPTION_KEYS: [newest, former].join(',') });
    await worker.app.get(StaleSealsSweep, { strict: false }).tick();
    expect((await rowOf(key))?.state).toMatch(/^newest\./);
    const alone = await world.worker({ ENCRYPTION_KEYS: newest });
    const found = await alone.app
      .get(PreparationsStore, { strict: false })
      .find(key.postId, key.connectionId);
    expect(found).toMatchObject(UPLOADED);
  });

  it('is erased with its connection, but still tells what an attempt did not do', async () => {
    const key = await uploaded();
    await store.erase(key.connectionId);
    expect((await rowOf(key))?.state).toBeNull();
    expect(await store.find(key.postId, key.connectionId)).toBeNull();
    expect(await store.takeBack(key.postId, key.attemptId)).toBe(true);
  });

  it('is removed once no attempt can need it', async () => {
    const [old, fresh] = [await uploaded(), await uploaded()];
    await world.test.database.query(
      `UPDATE integrations.publish_preparation SET updated_at = now() - interval '9 days' WHERE post_id = $1`,
      [old.postId],
    );
    await store.forgetOld();
    expect([await rowOf(old), await rowOf(fresh)]).toEqual([undefined, expect.anything()]);
  });
});
