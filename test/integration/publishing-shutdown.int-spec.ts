import { PublishingForTests } from '../support/publishing.js';
import { waitUntil } from '../support/wait-until.js';

describe('a worker that is shut down while posts are due', () => {
  let world: PublishingForTests;

  beforeEach(async () => {
    world = await PublishingForTests.start();
  });
  afterEach(() => world.stop());

  it('publishes the posts it has claimed, leaves the rest to other workers, and fails none', async () => {
    const brands = await Promise.all(Array.from({ length: 8 }, () => world.connectedBrand()));
    const fault = await world.sandbox.fault({
      kind: 'delay-before-effect',
      delayMs: 700,
      route: 'POST /2/tweets',
    });
    const due = Date.now() + 2_000;
    const schedule = (brandId: string) => world.schedule({ brandId, inMs: due - Date.now() });
    const postIds = await Promise.all(
      brands.flatMap(({ brandId }) => [1, 2, 3, 4].map(() => schedule(brandId))),
    );
    const worker = await world.worker();
    const callsBegun = async () => {
      const { body } = await world.sandbox.control('GET', '/faults');
      const [{ hits }] = body.data as [{ hits: number }];
      return hits;
    };
    await waitUntil(async () => (await callsBegun()) > brands.length);
    await worker.close();
    await world.sandbox.control('DELETE', `/faults/${fault}`);

    const found = await Promise.all(postIds.map((postId) => world.post(postId)));
    expect(found.filter(({ status }) => status === 'failed')).toEqual([]);
    const scheduled = found.filter(({ status }) => status === 'scheduled');
    expect(scheduled.length).toBeGreaterThan(0);
    expect(scheduled.length).toBeLessThan(postIds.length);

    await world.worker();
    const isPublished = async (postId: string) => (await world.post(postId)).status === 'published';
    for (const postId of postIds) await waitUntil(() => isPublished(postId));
    expect(Object.values(await world.published())).toEqual(postIds.map(() => 1));
  });
});
