import { randomUUID } from 'node:crypto';
import { unknownMedia } from '#libs/content';
import type { GeneratedImage, ImageOrder } from '../../src/ai/images/drawing/draw-image.js';
import { type ClaimedImage, KeyedImagesStore } from '../../src/ai/images/keyed-images.store.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const anOrder = (prompt = 'A lighthouse', timeoutMs = 120_000): ImageOrder => ({
  brandId: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11',
  organizationId: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e12',
  createdBy: { created_by_type: 'user', created_by: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e13' },
  call: { userId: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e13', timeoutMs },
  image: { prompt, width: 64 },
});

const RESULT: GeneratedImage = {
  file: { ...unknownMedia(randomUUID()), status: 'inspecting', rejection: null, isInspected: false },
  model: 'openai/painter',
  requestedModel: 'openai/painter',
  cost: '0.04',
  attempts: [],
};

describe('the key of a picture', () => {
  let test: TestDatabase;
  /** Of two processes. */
  let one: KeyedImagesStore;
  let other: KeyedImagesStore;
  let key: string;

  beforeAll(async () => {
    test = await createTestDatabase();
    one = new KeyedImagesStore(test.database);
    other = new KeyedImagesStore(test.database);
  });
  beforeEach(async () => {
    key = randomUUID();
    await test.database.query('DELETE FROM ai.keyed_image');
  });
  afterAll(() => test.drop());

  const begin = async () => (await one.begin(key, anOrder())) as ClaimedImage;
  const isStored = (store: KeyedImagesStore, claimed: ClaimedImage) =>
    store.stored(test.database, claimed, RESULT);
  const age = (hours: number) =>
    test.database.query(
      `UPDATE ai.keyed_image SET created_at = now() - $1::int * interval '1 hour', due_at = now()`,
      [hours],
    );
  /** The first that is due. */
  const takeDue = async (store: KeyedImagesStore) => {
    const [due] = await store.due(1);
    return due && store.takeDue(due.key);
  };
  const endLeases = () => test.database.query('UPDATE ai.keyed_image SET due_at = now()');

  it('is one process’s until its lease ends, and the earlier claim is lost then', async () => {
    const first = await begin();
    expect(await other.begin(key, anOrder())).toBeUndefined();
    expect(await takeDue(other)).toBeUndefined();
    await endLeases();
    const second = (await takeDue(other)) as ClaimedImage;
    expect([second.key, second.order]).toEqual([key, anOrder()]);
    expect(await isStored(one, first)).toBe(false);
    await one.remove(first);
    await one.release(first);
    expect(await isStored(other, second)).toBe(true);
    expect(await other.find(key, anOrder())).toEqual({ isSame: true, result: RESULT });
    expect(await one.resume(key)).toBeUndefined();
  });

  it('is claimed once by processes that look at the same time', async () => {
    await begin();
    await endLeases();
    const taken = await Promise.all(Array.from({ length: 10 }, () => other.takeDue(key)));
    expect(taken.filter((claimed) => claimed !== undefined)).toHaveLength(1);
  });

  it('is due for the organizations in turn', async () => {
    const organizations = ['a', 'a', 'a', 'b'];
    for (const [at, organizationId] of organizations.entries())
      await one.begin(`${organizationId}${at}`, { ...anOrder(), organizationId });
    await endLeases();
    const due = await one.due(2);
    expect(due.map(({ organizationId }) => organizationId).sort()).toEqual(['a', 'b']);
    expect(await one.due(10)).toHaveLength(4);
    expect(await one.due(0)).toEqual([]);
  });

  it('is due first for the organization that used the least time', async () => {
    for (const [at, organizationId] of ['a', 'a', 'b', 'c'].entries())
      await one.begin(`${organizationId}${at}`, { ...anOrder(), organizationId });
    await endLeases();
    const next = async (used: string[]) => (await one.due(1, used))[0]?.organizationId;
    expect([await next(['a', 'b']), await next(['b', 'c', 'a'])]).toEqual(['c', 'b']);
  });

  it('is unfinished until its picture is stored', async () => {
    expect(await one.unfinished()).toEqual({ count: 0, age: 0 });
    const claimed = await begin();
    await age(2);
    const unfinished = await one.unfinished();
    expect(unfinished.count).toBe(1);
    expect(unfinished.age).toBeGreaterThanOrEqual(7_200);
    await isStored(one, claimed);
    expect(await one.unfinished()).toEqual({ count: 0, age: 0 });
  });

  it('is of one picture, whatever its time limit', async () => {
    await begin();
    expect(await one.find(key, anOrder('A lighthouse', 60_000))).toEqual({ isSame: true, result: null });
    expect(await one.find(key, anOrder('A harbour'))).toEqual({ isSame: false, result: null });
    expect(await one.find(randomUUID(), anOrder())).toBeUndefined();
  });

  it('is not repeated when the gateway may have forgotten it, and is new after a day', async () => {
    const first = await begin();
    await age(23);
    expect(await takeDue(other)).toBeUndefined();
    await age(24);
    expect([await one.find(key, anOrder()), await one.resume(key)]).toEqual([undefined, undefined]);
    const again = (await other.begin(key, anOrder('A harbour'))) as ClaimedImage;
    expect(again.attempts).toBe(first.attempts + 1);
    expect(await isStored(one, first)).toBe(false);
  });

  it('is deleted after a day; pictures that are not stored are counted', async () => {
    await begin();
    await one.begin(randomUUID(), anOrder());
    await isStored(one, { key, order: anOrder(), attempts: 1 });
    expect(await one.purge(10)).toEqual({ deleted: 0, lost: 0 });
    await test.database.query(`UPDATE ai.keyed_image SET created_at = now() - interval '1 day'`);
    expect(await one.purge(10)).toEqual({ deleted: 2, lost: 1 });
  });
});
