import { randomBytes, randomUUID } from 'node:crypto';
import {
  PreparationIsTaken,
  type PreparationKey,
  PreparationsStore,
} from '../../src/integrations/preparations/preparations.store.js';
import { ReencryptTokens } from '../../src/integrations/sweeps/reencrypt-tokens.sweep.js';
import { AttemptJournal } from '../../src/posts/publishing/attempt-journal.js';
import type { Claimed } from '../../src/posts/publishing/attempt.js';
import { PublishingForTests } from '../support/publishing.js';

const aKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const ADDRESS = 'https://upload.example.com/?signature=secret';
const UPLOADED = { ids: { upload: 'u-1' }, addresses: { upload: ADDRESS }, notes: { parts: '1' } };

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

  it('is begun again when the bytes of a file are others, and stays evidence about the content', async () => {
    const key = anAttempt();
    await store.begin(key, 'reserve', 'rendition-1');
    await store.save(key, 'append', UPLOADED);
    const next = { ...key, attemptId: randomUUID() };
    expect(await store.begin(next, 'reserve', 'rendition-1')).toMatchObject({ step: 'append' });
    expect(await store.find(key)).toMatchObject(UPLOADED);
    const last = { ...key, attemptId: randomUUID() };
    expect(await store.begin(last, 'reserve', 'rendition-2')).toMatchObject({
      step: 'reserve',
      prepared: { ids: {}, addresses: {} },
    });
    expect(await store.reclaim(key.postId, next.attemptId)).toBe(false);
    expect(await store.reclaim(key.postId, last.attemptId)).toBe(true);
  });

  it('belongs to one attempt at a time: a former one neither saves a step nor commits', async () => {
    const key = await uploaded();
    await store.begin({ ...key, attemptId: randomUUID() }, 'reserve');
    await expect(store.save(key, 'other', UPLOADED)).rejects.toThrow(PreparationIsTaken);
    await expect(store.startCommit(key)).rejects.toThrow(PreparationIsTaken);
    await expect(store.startAgain(key, 'reserve')).rejects.toThrow(PreparationIsTaken);
  });

  it('is no evidence about other content or another connection', async () => {
    const key = await uploaded();
    expect(await store.find(key)).toMatchObject(UPLOADED);
    expect(await store.find({ ...key, fingerprint: 'g' })).toBeNull();
    expect(await store.find({ ...key, connectionId: randomUUID() })).toBeNull();
  });

  it('tells how long ago the irreversible call began, however long the attempt before it took', async () => {
    const key = await uploaded();
    const anHourAgo = `UPDATE integrations.publish_preparation SET updated_at = now() - interval '1 hour' WHERE post_id = $1`;
    await world.test.database.query(anHourAgo, [key.postId]);
    expect((await store.find(key))?.quietMs).toBeGreaterThanOrEqual(3_600_000);
    await store.startCommit(key);
    expect((await store.find(key))?.quietMs).toBeLessThan(3_600_000);
  });

  it('proves that an attempt did not commit, and keeps it from committing later', async () => {
    const key = await uploaded();
    expect(await store.reclaim(key.postId, randomUUID())).toBe(false);
    expect(await store.reclaim(key.postId, key.attemptId)).toBe(true);
    await expect(store.startCommit(key)).rejects.toThrow(PreparationIsTaken);
  });

  it('returns the same for that attempt only, which does not start again', async () => {
    const key = await uploaded();
    await store.reclaim(key.postId, key.attemptId);
    expect(await store.reclaim(key.postId, key.attemptId)).toBe(true);
    expect(await store.reclaim(key.postId, randomUUID())).toBe(false);
    await expect(store.begin(key, 'reserve')).rejects.toThrow(PreparationIsTaken);
    const next = { ...key, attemptId: randomUUID() };
    expect(await store.begin(next, 'reserve')).toMatchObject({ step: 'status', prepared: UPLOADED });
    await store.startCommit(next);
    expect(await store.reclaim(key.postId, next.attemptId)).toBe(false);
  });

  it('proves nothing of an attempt that began to commit, or that never prepared', async () => {
    const key = await uploaded();
    await store.startCommit(key);
    expect(await store.reclaim(key.postId, key.attemptId)).toBe(false);
    expect(await store.reclaim(randomUUID(), randomUUID())).toBe(false);
  });

  it('is stored with its event or not at all, and the attempt continues from it', async () => {
    const own = { brandId: await world.brand(), connectionId: randomUUID() };
    const { postId, attemptId } = await world.abandonedAttempt(own);
    const from = await world.posts.load(postId);
    const changed = { ...from, id: postId, events: [] };
    const claimed = { attemptId, postId, organizationId: randomUUID(), changed } as unknown as Claimed;
    const journal = new AttemptJournal(world.publisherPosts(world.test.database), claimed);
    const rolledBack = world.test.database.transaction(async () => {
      await journal.record({ upload: 'u-1', second: 'u-2' });
      throw new PreparationIsTaken();
    });
    await expect(rolledBack).rejects.toThrow(PreparationIsTaken);
    expect(journal.changed).toEqual(changed);
    await world.test.database.transaction(() => journal.record({ upload: 'u-3' }));
    const { version, state } = await world.posts.load(postId);
    expect(version).toBe(from.version + 1);
    expect(journal.changed).toMatchObject({ version, state });
  });

  it('waits by the database’s clock', async () => {
    const key = await uploaded();
    const before = await world.test.database.query<{ now: Date }>('SELECT now() AS now');
    const until = await store.save(key, 'status', UPLOADED, 60_000);
    expect(Date.parse(until) - (before[0]?.now.getTime() ?? 0)).toBeGreaterThanOrEqual(60_000);
    expect(Date.parse(await store.until(key, 120_000))).toBeGreaterThanOrEqual(Date.parse(until) + 60_000);
    expect(Date.parse((await store.postponed(key, 120_000)) ?? '')).toBeGreaterThanOrEqual(
      Date.parse(until) + 60_000,
    );
    const other = { ...key, attemptId: randomUUID() };
    await expect(store.until(other, 1)).rejects.toThrow(PreparationIsTaken);
    await expect(store.postponed(other, 1)).rejects.toThrow(PreparationIsTaken);
  });

  it('is postponed within the budget of all its waits, less and less often', async () => {
    const key = await uploaded();
    let count = 0;
    while ((await store.postponed(key, 1_000)) !== null) count += 1;
    expect(count).toBeLessThan(150);
    expect(await store.postponed(key, 1_000)).toBeNull();
    const [short, long] = [await uploaded(), await uploaded()];
    await store.save(short, 'status', UPLOADED, 120_000);
    expect(await store.postponed(short, 1_000, 120_000)).toBeNull();
    // The wait until midnight is no reason to end the processing that follows.
    expect(Date.parse((await store.postponed(long, 50_000_000)) ?? '')).toBeGreaterThan(
      Date.now() + 49_000_000,
    );
    expect(await store.postponed(long, 1_000)).not.toBeNull();
  });

  it('is encrypted, bound to its post', async () => {
    const [one, two] = [await uploaded(), await uploaded()];
    expect((await rowOf(one))?.state).not.toContain('signature');
    await world.test.database.query(
      `UPDATE integrations.publish_preparation SET state = (
         SELECT state FROM integrations.publish_preparation WHERE post_id = $1) WHERE post_id = $2`,
      [one.postId, two.postId],
    );
    expect(await store.find(two)).toBeNull();
    expect(await store.begin({ ...two, attemptId: randomUUID() }, 'reserve')).toMatchObject({
      step: 'reserve',
    });
  });

  it('is encrypted with the newest key by the sweep', async () => {
    const key = await uploaded();
    const worker = await world.worker({ ENCRYPTION_KEYS: [newest, former].join(',') });
    await worker.app.get(ReencryptTokens, { strict: false }).tick();
    expect((await rowOf(key))?.state).toMatch(/^newest\./);
    const alone = await world.worker({ ENCRYPTION_KEYS: newest });
    const found = await alone.app.get(PreparationsStore, { strict: false }).find(key);
    expect(found).toMatchObject(UPLOADED);
  });

  it('is erased with its connection, but still proves that an attempt did not commit', async () => {
    const key = await uploaded();
    await store.erase(key.connectionId);
    expect((await rowOf(key))?.state).toBeNull();
    expect(await store.find(key)).toBeNull();
    expect(await store.reclaim(key.postId, key.attemptId)).toBe(true);
  });

  it('is not written again by the attempt that its connection was disconnected from', async () => {
    const key = await uploaded();
    await store.erase(key.connectionId);
    await expect(store.save(key, 'status', UPLOADED)).rejects.toThrow(PreparationIsTaken);
    await expect(store.startAgain(key, 'reserve')).rejects.toThrow(PreparationIsTaken);
    await expect(store.startCommit(key)).rejects.toThrow(PreparationIsTaken);
    await expect(store.begin(key, 'reserve')).rejects.toThrow(PreparationIsTaken);
    expect((await rowOf(key))?.state).toBeNull();
    const next = { ...key, attemptId: randomUUID() };
    expect(await store.begin(next, 'reserve')).toMatchObject({ step: 'reserve' });
  });

  it('is erased a day after the last attempt, but still proves that an attempt did not commit', async () => {
    const key = await uploaded();
    await world.test.database.query(
      `UPDATE integrations.publish_preparation SET updated_at = now() - interval '25 hours' WHERE post_id = $1`,
      [key.postId],
    );
    await store.deleteOld();
    expect(await rowOf(key)).toMatchObject({ state: null });
    expect(await store.reclaim(key.postId, key.attemptId)).toBe(true);
  });

  it('is removed once no attempt can need it', async () => {
    const [old, fresh] = [await uploaded(), await uploaded()];
    await world.test.database.query(
      `UPDATE integrations.publish_preparation SET updated_at = now() - interval '9 days' WHERE post_id = $1`,
      [old.postId],
    );
    await store.deleteOld();
    expect([await rowOf(old), await rowOf(fresh)]).toEqual([undefined, expect.anything()]);
  });
});
