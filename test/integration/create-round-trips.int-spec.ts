import { Database } from '#libs/database';
import { BusinessApi } from '../support/business-api.js';
import { inDays, PostsWorld } from '../support/posts-world.js';
import { RoundTrips } from '../support/round-trips.js';

const MOST = 5;

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
});
