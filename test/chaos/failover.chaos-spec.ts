import { OwnPostgres } from '../support/own-postgres.js';
import { PublishingForTests } from '../support/publishing.js';
import { waitUntil } from '../support/wait-until.js';

const POSTS = 12;
const ACCOUNTS = 4;
const BY_ITSELF_MS = 60_000;

describe('a failover that loses the last commits', () => {
  let server: OwnPostgres;
  let world: PublishingForTests;

  beforeEach(async () => {
    server = await OwnPostgres.start();
    // Longer than the copy takes: posts that fall due meanwhile are in it, their publication is not.
    world = await PublishingForTests.start({}, await server.test());
    // As a network that takes the same words twice.
    await world.sandbox.control('PUT', '/x/settings', { duplicateWindowSeconds: 0 });
  }, BY_ITSELF_MS);
  afterEach(async () => {
    await world.stop();
    await server.tearDown();
  }, BY_ITSELF_MS);

  const statusesOf = async (ids: readonly string[]) =>
    Promise.all(ids.map(async (id) => (await world.post(id)).status));

  it(
    'sends no published post again, and marks posts without evidence as unconfirmed',
    async () => {
      const ways = [];
      for (let index = 0; index < ACCOUNTS; index++) ways.push(await world.connectedBrand());
      await world.worker();
      const before = await world.schedule({ brandId: ways[0]?.brandId ?? '', inMs: 1 });
      await waitUntil(async () => (await world.post(before)).status === 'published');
      await world.stopWorkers();

      const ids: string[] = [];
      for (let index = 0; index < POSTS; index++)
        ids.push(await world.schedule({ brandId: ways[index % ACCOUNTS]?.brandId ?? '', inMs: 1 }));
      const refused = await world.schedule({
        brandId: ways[0]?.brandId ?? '',
        text: 'Refused then',
        inMs: 1,
      });
      const later = await world.schedule({ brandId: ways[1]?.brandId ?? '', inMs: BY_ITSELF_MS / 2 });
      await server.copy();

      await world.sandbox.fault({ kind: 'forbidden', textContains: 'Refused then', times: 1 });
      await world.worker();
      await waitUntil(async () =>
        (await statusesOf([...ids, refused])).every((status) => status !== 'scheduled'),
      );
      const live = await world.published();
      expect(ids.map((id) => live[`Post ${id}`])).toEqual(ids.map(() => 1));
      const named = new Map(await Promise.all(ids.map(async (id) => [id, await world.post(id)] as const)));
      await world.stopWorkers();

      await server.promoteCopy();
      expect(await statusesOf(ids)).toEqual(ids.map(() => 'scheduled'));
      await Promise.all([world.worker(), world.worker()]);
      await waitUntil(async () =>
        (await statusesOf([...ids, refused])).every((status) => status !== 'scheduled'),
      );
      await waitUntil(async () => (await world.post(later)).status === 'published', BY_ITSELF_MS);

      const counts = await world.published();
      expect(ids.map((id) => counts[`Post ${id}`])).toEqual(ids.map(() => 1));
      for (const id of ids) {
        const { platformPostId } = named.get(id) as { platformPostId?: string };
        expect(await world.post(id)).toMatchObject({ status: 'published', platformPostId });
      }
      expect(counts['Refused then']).toBeUndefined();
      expect(await world.failureOf(refused)).toMatchObject({ class: 'unconfirmed' });
      expect(counts[`Post ${before}`]).toBe(1);
      expect(counts[`Post ${later}`]).toBe(1);
    },
    4 * BY_ITSELF_MS,
  );
});
