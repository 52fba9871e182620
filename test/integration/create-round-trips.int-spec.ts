import { randomUUID } from 'node:crypto';
import { Database } from '#libs/database';
import { BusinessApi } from '../support/business-api.js';
import { inDays, PostsWorld } from '../support/posts-world.js';
import { RoundTrips } from '../support/round-trips.js';

const MOST = 5;
/** The claim of the key, which others must see, and the end of the transaction. */
const MOST_WITH_KEY = MOST + 2;

describe('the round trips to PostgreSQL', () => {
  let api: BusinessApi;
  let posts: PostsWorld;
  let roundTrips: RoundTrips;
  beforeAll(async () => {
    api = await BusinessApi.start();
    posts = await PostsWorld.of(api);
    roundTrips = new RoundTrips(api.service.app.get(Database, { strict: false }));
    await posts.post();
  });
  afterAll(() => api.stop());

  it.each([
    ['of a draft', () => ({})],
    ['of a scheduled post', () => ({ scheduledAt: inDays(2) })],
    ['of a post with the same text as another one', () => ({ text: 'Said before', scheduledAt: inDays(3) })],
  ])('that the creation %s takes are at most five', async (_, fields) => {
    await posts.post(fields());
    const made = await roundTrips.during(() => posts.post(fields()));
    expect(made.length).toBeGreaterThan(0);
    expect(made.length <= MOST ? [] : made).toEqual([]);
  });

  it.each([
    ['of a draft', () => ({})],
    ['of a scheduled post', () => ({ scheduledAt: inDays(4) })],
  ])('that the creation %s with an Idempotency-Key takes are at most seven', async (_, fields) => {
    const create = async () => {
      const body = { brandId: posts.brandId, platform: 'x', text: randomUUID(), ...fields() };
      const key = { 'idempotency-key': randomUUID() };
      const created = await posts.call('POST', '/api/posts', body, key);
      const again = () => posts.call('POST', '/api/posts', body, key);
      expect(created.status).toBe(201);
      return { id: created.body.id as string, again };
    };
    await create();
    let created: Awaited<ReturnType<typeof create>> | undefined;
    const made = await roundTrips.during(async () => (created = await create()));
    expect(made.length <= MOST_WITH_KEY ? [] : made).toEqual([]);
    expect((await created?.again())?.body.id).toBe(created?.id);
  });
});
