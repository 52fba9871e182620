import { inDoubt } from '#libs/content';
import { setting } from '#libs/config/testing';
import { NetworkOutageConfig } from '../../src/integrations/outages/network-outage.config.js';
import { NetworkOutages } from '../../src/integrations/outages/network-outages.store.js';
import { eventually } from '../support/eventually.js';
import type { ConnectedBrand } from '../support/publishing.js';
import { FICTIONAL } from '../support/fictional/fictional.provider.js';
import { FictionalWorld } from '../support/fictional/fictional-world.js';

const QUICK = {
  PUBLISH_RETRY_WAIT_MS: '100',
  NETWORK_TIMEOUT_MS: '1000',
  PUBLISH_LEASE_MS: '2500',
};
/** Accounts without an answer that make an outage, by default. */
const ACCOUNTS = 3;

interface Way {
  readonly brandId: string;
  readonly accountId: string;
  readonly text: string;
}

describe('a network that does not answer', () => {
  let world: FictionalWorld;
  let onX: ConnectedBrand;

  beforeAll(async () => {
    world = await FictionalWorld.start(QUICK, [setting(NetworkOutageConfig, { probeMs: 100 })]);
    onX = await world.publishing.connectedBrand();
  });
  afterEach(async () => {
    await world.publishing.stopWorkers();
    await world.network.listen();
    world.network.isDown = false;
    await query('DELETE FROM integrations.network_outage');
    for (const { id } of await query<{ id: string }>('SELECT post_id AS id FROM posts.publication'))
      await world.person('DELETE', `/api/posts/${id}`);
  });
  afterAll(() => world.stop());

  const query = <Row extends object>(sql: string, values?: unknown[]) =>
    world.api.test.database.query<Row>(sql, values);
  const attemptsOf = async (postId: string) =>
    (await world.publishing.history(postId)).filter((type) => type === 'PublishAttemptStarted').length;
  const allAttempts = async (ids: readonly string[]) =>
    (await Promise.all(ids.map(attemptsOf))).reduce((sum, each) => sum + each, 0);
  const shown = async (postId: string) => (await world.person('GET', `/api/posts/${postId}`)).body;
  const retryingOf = async (postId: string) => (await shown(postId)).retrying as { since: string } | null;
  /** One account each. */
  const ways = (count: number): Promise<Way[]> =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const { brandId, name } = await world.connected();
        return { brandId, accountId: `${name}-studio`, text: `Words of ${name}` };
      }),
    );
  const aWay = async () => (await ways(1))[0] as Way;
  const schedule = ({ brandId, text, accountId }: Way) => world.aText(brandId, text, accountId);
  /** One after another: the renditions of all pending files are made at once. */
  const pictures = async (of: readonly Way[]) => {
    const ids: string[] = [];
    for (const { brandId, text, accountId } of of) ids.push(await world.aPicture(brandId, text, accountId));
    return ids;
  };
  const isRetried = (postId: string) =>
    eventually(async () => expect(await attemptsOf(postId)).toBeGreaterThan(1));
  const isWaiting = (postId: string) =>
    eventually(async () =>
      expect(await shown(postId)).toMatchObject({
        ...{ status: 'scheduled', isBeingSent: false, holdReason: 'network_unreachable' },
      }),
    );
  const outage = async () =>
    (
      await query<{ isDown: boolean; probes: number }>(
        'SELECT open_since IS NOT NULL AS "isDown", probes FROM integrations.network_outage',
      )
    )[0];
  const isDown = () => eventually(async () => expect(await outage()).toMatchObject({ isDown: true }));

  it('leaves a post scheduled, shows why and when it goes on, and publishes it once', async () => {
    const way = await aWay();
    await world.network.refuse();
    const postId = await schedule(way);
    await world.publishing.worker();
    await isRetried(postId);
    await isWaiting(postId);
    expect(await shown(postId)).toMatchObject({
      failure: null,
      heldUntil: expect.any(String) as string,
      retrying: { code: 'network_unreachable', networkCode: 'ECONNREFUSED' },
    });
    const queue = await world.person('GET', `/api/content-ops/queue?brandId=${way.brandId}`);
    expect(queue.body.data).toMatchObject([
      { contentId: postId, publishStatus: 'scheduled', retrying: { code: 'network_unreachable' } },
    ]);
    await world.network.listen();
    await world.isPublished(postId);
    expect(world.postsOf(way.text)).toHaveLength(1);
  });

  it('fails a post after its budget, which outlasts workers, and a retry begins another', async () => {
    const way = await aWay();
    await world.network.refuse();
    const postId = await schedule(way);
    const budget = { PUBLISH_RETRY_BUDGETS: 'fictional=1500' };
    await world.publishing.worker(budget);
    await isRetried(postId);
    const first = await retryingOf(postId);
    await world.publishing.stopWorkers();
    await world.publishing.worker(budget);
    await eventually(async () => expect((await shown(postId)).status).toBe('failed'));
    const failure = { class: 'transient', code: 'network_unreachable', networkCode: 'ECONNREFUSED' };
    const failed = (await shown(postId)).failure as { failedAt: string };
    expect(failed).toMatchObject(failure);
    const lasted = Date.parse(failed.failedAt) - Date.parse(first?.since ?? '');
    expect(lasted).toBeGreaterThanOrEqual(1_500);
    const attempts = await attemptsOf(postId);
    expect((await world.person('POST', `/api/content-ops/items/${postId}/retry`)).status).toBe(200);
    await eventually(async () => expect(await attemptsOf(postId)).toBeGreaterThan(attempts + 1));
    const second = await retryingOf(postId);
    expect(second && second.since > failed.failedAt).toBe(true);
  });

  it('does not keep its posts from being edited, moved or deleted', async () => {
    const [edited, moved, deleted] = (await ways(3)) as [Way, Way, Way];
    await world.network.refuse();
    const ids = await Promise.all([edited, moved, deleted].map(schedule));
    await world.publishing.worker();
    await Promise.all(ids.map(isWaiting));
    const [edit = '', move = '', remove = ''] = ids;
    const changed = async (id: string, method: 'PUT' | 'DELETE', body?: object) =>
      eventually(async () =>
        expect((await world.person(method, `/api/posts/${id}`, body)).status).toBeLessThan(300),
      );
    const text = `Other ${edited.text}`;
    await changed(edit, 'PUT', { text });
    await changed(move, 'PUT', { scheduledAt: new Date(Date.now() + 3_600_000).toISOString() });
    await changed(remove, 'DELETE');
    expect(await retryingOf(move)).toBeNull();
    await world.network.listen();
    await world.isPublished(edit);
    expect(world.network.posts.map((post) => post.text)).toEqual(expect.arrayContaining([text]));
    for (const way of [edited, moved, deleted]) expect(world.postsOf(way.text)).toEqual([]);
  });

  it('is left alone but for one probe at a time, over all workers, and then gets every post once', async () => {
    const all = await ways(12);
    world.network.isDown = true;
    await Promise.all([world.publishing.worker(), world.publishing.worker()]);
    world.network.isQuick = true;
    const first = await pictures(all.slice(0, ACCOUNTS));
    await isDown();
    const later = await pictures(all.slice(ACCOUNTS));
    const ids = [...first, ...later];
    await Promise.all(ids.map(isWaiting));
    await eventually(async () => expect((await outage())?.probes).toBeGreaterThan(2));
    const probes = (await outage())?.probes ?? 0;
    // Each probe is one attempt; of the first posts, those that were on their way when the outage was found may have failed twice.
    expect(await allAttempts(later)).toBeLessThanOrEqual(probes + 1);
    const meanwhile = await world.publishing.schedule({ brandId: onX.brandId, inMs: 1 });
    await eventually(async () => expect((await world.publishing.post(meanwhile)).status).toBe('published'));
    world.network.isDown = false;
    await Promise.all(ids.map((id) => world.isPublished(id)));
    for (const { text } of all) expect(world.postsOf(text)).toHaveLength(1);
    expect((await outage())?.isDown).toBe(false);
  });

  it('is probed by one of two workers that claim the probe at once', async () => {
    const outages = world.publishing.service(NetworkOutages);
    const failure = inDoubt('No answer.');
    for (const accountKey of ['1', '2', '3'])
      await outages.failed({ platform: FICTIONAL, accountKey, failure, isProbe: false });
    await query('UPDATE integrations.network_outage SET probe_at = clock_timestamp()');
    const claim = () => outages.claimProbes([FICTIONAL], 60_000);
    const claimed = await Promise.all([claim(), claim()]);
    expect(claimed.flatMap((platforms) => [...platforms])).toEqual([FICTIONAL]);
    expect([...(await claim())]).toEqual([]);
  });

  it('is not said to be down because of one account', async () => {
    const way = await aWay();
    await world.network.refuse();
    const ids = await Promise.all([1, 2, 3, 4].map((n) => schedule({ ...way, text: `${way.text} ${n}` })));
    await world.publishing.worker();
    for (const id of ids) await isRetried(id);
    expect((await outage())?.isDown).toBe(false);
  });

  it('is probed by another worker when one dies while it probes', async () => {
    const all = await ways(ACCOUNTS);
    await world.network.refuse();
    const ids = await Promise.all(all.map(schedule));
    await world.publishing.worker();
    await isDown();
    await world.publishing.stopWorkers();
    // As a worker leaves it behind that claimed a probe and was killed.
    await query(`UPDATE integrations.network_outage SET probe_at = clock_timestamp() + interval '1 s'`);
    await world.network.listen();
    await world.publishing.worker();
    await Promise.all(ids.map((id) => world.isPublished(id)));
    for (const { text } of all) expect(world.postsOf(text)).toHaveLength(1);
  });

  it('takes no slot that another network needs, however slowly it answers', async () => {
    const slow = (await ways(10)).map((way) => ({ ...way, text: `Slow ${way.text}` }));
    const gate = Promise.withResolvers<void>();
    world.network.pause = gate.promise;
    try {
      const all = await Promise.all(slow.map(schedule));
      const eight = { PUBLISH_CONCURRENCY: '8', NETWORK_TIMEOUT_MS: '9000', PUBLISH_LEASE_MS: '30000' };
      await world.publishing.worker(eight);
      await eventually(async () => expect(await allAttempts(all)).toBeGreaterThan(4));
      const brands = await Promise.all([1, 2, 3, 4, 5].map(() => world.publishing.connectedBrand()));
      const quick = await Promise.all(
        brands.map(({ brandId }) => world.publishing.schedule({ brandId, inMs: 1 })),
      );
      for (const id of quick)
        await eventually(async () => expect((await world.publishing.post(id)).status).toBe('published'));
      expect(world.network.posts.filter(({ text }) => text.startsWith('Slow'))).toEqual([]);
      gate.resolve();
      await Promise.all(all.map((id) => world.isPublished(id)));
    } finally {
      gate.resolve();
      world.network.pause = Promise.resolve();
    }
  });
});
