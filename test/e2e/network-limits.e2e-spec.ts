import { jest } from '@jest/globals';
import type { LimitReading, NetworkLimit } from '../../src/integrations/domain/network-limits.js';
import { FictionalWorld } from '../support/fictional/fictional-world.js';
import { FICTIONAL, FictionalProvider } from '../support/fictional/fictional.provider.js';
import { waitUntil } from '../support/wait-until.js';

const HOUR_MS = 3_600_000;
const ofAccount: NetworkLimit = {
  ...{ name: 'posts-per-hour', scope: 'account', counts: 'posts', max: 2 },
  window: { kind: 'rolling', windowMs: HOUR_MS },
};
const ofApp: NetworkLimit = { ...ofAccount, name: 'posts-of-app-per-hour', scope: 'app', max: 3 };
const ofCalls: NetworkLimit = { ...ofAccount, name: 'calls-per-hour', counts: 'calls', max: 3 };

describe('a network that publishes limits', () => {
  let world: FictionalWorld;

  beforeAll(async () => {
    world = await FictionalWorld.start();
  });
  afterEach(async () => {
    await world.publishing.stopWorkers();
    jest.restoreAllMocks();
    await world.api.test.database.query('DELETE FROM integrations.network_usage');
    await world.api.test.database.query('DELETE FROM integrations.platform_hold');
    // What waits for the end of a limit is not published by the next test.
    await world.api.test.database.query('DELETE FROM posts.publication');
  });
  afterAll(() => world.stop());

  const limited = (...limits: readonly NetworkLimit[]) =>
    jest.spyOn(FictionalProvider.prototype, 'limits').mockReturnValue(limits);
  const says = (...readings: readonly LimitReading[]) =>
    jest.spyOn(FictionalProvider.prototype, 'readingsIn').mockReturnValue(readings);
  const posts = (brandId: string, accountId: string, count: number, text: string) =>
    Promise.all(
      Array.from({ length: count }, () =>
        world.publishing.schedule({
          ...{ brandId, authorId: world.userId, platform: FICTIONAL, text, inMs: 1 },
          target: { accountId },
        }),
      ),
    );
  const settled = async (ids: readonly string[]) => {
    const states = async () => {
      const all = await Promise.all(ids.map((id) => world.publishing.post(id)));
      return all.map((post) =>
        post.status === 'scheduled' ? (post.held?.reason ?? 'waiting') : post.status,
      );
    };
    await waitUntil(async () => !(await states()).includes('waiting'));
    return (await states()).sort();
  };
  const integrationsOf = async (brandId: string) => {
    const { body } = await world.person('GET', `/api/integrations?brandId=${brandId}`);
    return body.data as { account: { id: string }; heldUntil: string | null; holdReason: string | null }[];
  };
  const twoWorkers = () => Promise.all([world.publishing.worker(), world.publishing.worker()]);

  it('is never asked once the limit of an account is reached, by two workers; other accounts go on', async () => {
    limited(ofAccount);
    const { brandId, name } = await world.connected();
    const full = await posts(brandId, `${name}-shop`, 5, `full ${name}`);
    const other = await posts(brandId, `${name}-studio`, 1, `other ${name}`);
    await twoWorkers();
    expect(await settled([...full, ...other])).toEqual([
      ...['published', 'published', 'published'],
      ...['rate_limit_reached', 'rate_limit_reached', 'rate_limit_reached'],
    ]);
    expect(world.postsOf(`full ${name}`)).toHaveLength(2);
    const held = (await integrationsOf(brandId)).map(({ account, holdReason }) => [account.id, holdReason]);
    expect(held).toEqual(
      expect.arrayContaining([
        [`${name}-shop`, 'rate_limit_reached'],
        [`${name}-studio`, null],
      ]),
    );
  });

  it('makes all its posts wait when the limit of this service is reached, and stays connectable', async () => {
    limited(ofApp);
    const first = await world.connected();
    const second = await world.connected();
    const ids = [
      ...(await posts(first.brandId, `${first.name}-shop`, 3, `app ${first.name}`)),
      ...(await posts(second.brandId, `${second.name}-shop`, 3, `app ${first.name}`)),
    ];
    await twoWorkers();
    const [published, held] = [
      Array<string>(3).fill('published'),
      Array<string>(3).fill('rate_limit_reached'),
    ];
    expect(await settled(ids)).toEqual([...published, ...held]);
    expect(world.postsOf(`app ${first.name}`)).toHaveLength(3);
    const { body } = await world.person('GET', '/api/integrations');
    const status = (body.providers as { platform: string }[]).find(({ platform }) => platform === FICTIONAL);
    expect(status).toMatchObject({ readiness: 'sandbox-only', connectable: true });
    expect((await world.connected()).accounts).toHaveLength(2);
  });

  it('counts the steps before the irreversible call where each call counts', async () => {
    limited(ofCalls);
    world.network.isQuick = true;
    const { brandId, name } = await world.connected();
    const before = world.network.calls.length;
    const postId = await world.aPicture(brandId, `steps ${name}`, `${name}-shop`);
    await world.publishing.worker();
    await waitUntil(async () => (await settled([postId]))[0] === 'rate_limit_reached');
    const calls = world.network.calls.slice(before);
    expect(calls.filter((call) => /\/(uploads|put|posts)/.test(call))).toHaveLength(3);
    expect(world.postsOf(`steps ${name}`)).toHaveLength(0);
    world.network.isQuick = false;
  });

  it('is believed when it says that nothing is left', async () => {
    limited({ ...ofAccount, max: 100 });
    const { brandId, name } = await world.connected();
    const resetsAt = new Date(Date.now() + HOUR_MS / 2).toISOString();
    says({ name: ofAccount.name, remaining: 0, resetsAt, max: null });
    const ids = await posts(brandId, `${name}-shop`, 3, `said ${name}`);
    // One: what a network says reaches other workers up to a second later.
    await world.publishing.worker();
    expect(await settled(ids)).toEqual(['published', 'rate_limit_reached', 'rate_limit_reached']);
    const [shop] = (await integrationsOf(brandId)).filter(({ account }) => account.id === `${name}-shop`);
    expect(Math.abs(Date.parse(shop?.heldUntil ?? '') - Date.parse(resetsAt))).toBeLessThan(5_000);
  });

  it('takes no use for a call that never left', async () => {
    limited(ofAccount);
    const { brandId, name } = await world.connected();
    const [used] = await posts(brandId, `${name}-shop`, 1, `first ${name}`);
    const commit = jest
      .spyOn(FictionalProvider.prototype, 'commit')
      .mockResolvedValue({ kind: 'not-sent', failure: UNREACHABLE });
    const worker = await world.publishing.worker();
    await waitUntil(() => commit.mock.calls.length >= 3);
    commit.mockRestore();
    await worker.close();
    const [row] = await world.api.test.database.query<{ used: number }>(
      'SELECT (SELECT sum(n) FROM unnest(used) n)::int AS used FROM integrations.network_usage',
    );
    expect([used, row?.used]).toEqual([expect.any(String), 0]);
  });

  it('needs no statement without limits', async () => {
    const { brandId, name } = await world.connected();
    const ids = await posts(brandId, `${name}-shop`, 2, `free ${name}`);
    await world.publishing.worker();
    expect(await settled(ids)).toEqual(['published', 'published']);
    expect(await world.api.test.database.query('SELECT FROM integrations.network_usage')).toEqual([]);
  });
});

const UNREACHABLE = {
  code: 'network_unreachable',
  class: 'transient',
  networkCode: null,
  message: 'Fictional could not be reached; nothing was sent.',
  nextStep: 'Retry in some minutes.',
} as const;
