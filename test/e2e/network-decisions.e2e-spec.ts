import { eventually } from '../support/eventually.js';
import { FictionalWorld } from '../support/fictional/fictional-world.js';

describe('a network that decides after it accepted a post', () => {
  let world: FictionalWorld;

  beforeAll(async () => {
    world = await FictionalWorld.start();
  });
  beforeEach(() => {
    world.network.isQuick = true;
    world.network.decidesLater = true;
  });
  afterEach(async () => {
    await world.publishing.stopWorkers();
    world.network.decidesLater = false;
    world.network.isDown = false;
    world.network.next.clear();
  });
  afterAll(() => world.stop());

  const shown = async (postId: string) => (await world.person('GET', `/api/posts/${postId}`)).body;
  const checksOf = async (postId: string) =>
    (await world.publishing.history(postId)).filter((type) => type === 'PublishCheckScheduled').length;
  const isAccepted = (postId: string, checks = 1) =>
    eventually(async () => expect(await checksOf(postId)).toBeGreaterThanOrEqual(checks));
  const isFailed = (postId: string) =>
    eventually(async () => expect((await shown(postId)).status).toBe('failed'));
  /** What followed its acceptance, other than checks. */
  const outcomesOf = async (postId: string) => {
    const history = await world.publishing.history(postId);
    const since = history.slice(history.indexOf('PublishCheckScheduled'));
    return since.filter((type) => type !== 'PublishCheckScheduled');
  };

  it('keeps neither account nor slot, and publishes the post once, over restarts and with two workers', async () => {
    const { brandId, name } = await world.connected();
    const accountId = `${name}-studio`;
    const text = `Decided later of ${name}`;
    await world.publishing.worker({ PUBLISH_CONCURRENCY: '1' });
    const before = world.network.countOf('POST /posts');
    const postId = await world.aPicture(brandId, text, accountId);
    await isAccepted(postId);
    expect(await shown(postId)).toMatchObject({
      ...{ status: 'scheduled', isBeingSent: true, holdReason: 'network_decision' },
      heldUntil: expect.any(String) as string,
    });
    const edit = await world.person('PUT', `/api/posts/${postId}`, { text: 'Other words' });
    expect([edit.status, edit.body.code]).toEqual([409, 'publishing_in_progress']);
    const meanwhile = await world.aText(brandId, `Meanwhile of ${name}`, accountId);
    await world.isPublished(meanwhile);
    await world.publishing.stopWorkers();
    await Promise.all([world.publishing.worker(), world.publishing.worker()]);
    // For longer than the time after which a dead attempt would be taken over.
    await isAccepted(postId, 4);
    expect(await outcomesOf(postId)).toEqual([]);
    world.network.decide('publish');
    await world.isPublished(postId);
    expect(await outcomesOf(postId)).toEqual(['PostPublished']);
    expect(world.postsOf(text)).toHaveLength(1);
    expect(world.network.countOf('POST /posts')).toBe(before + 2);
    expect(await world.preparationOf(postId)).toBeUndefined();
  });

  it('stores the ids that it returned, in the history and for the next check', async () => {
    const { brandId, name } = await world.connected();
    await world.publishing.worker();
    const postId = await world.aPicture(brandId, `With ids of ${name}`);
    await isAccepted(postId);
    const post = await world.publishing.post(postId);
    expect(post.status === 'scheduled' && post.attempt?.steps).toMatchObject({
      submission: expect.stringMatching(/^s-u-/) as string,
    });
    world.network.decide('publish');
    await world.isPublished(postId);
  });

  it('is not asked as for an attempt of a dead worker: a check that tells nothing decides nothing', async () => {
    const { brandId, name } = await world.connected();
    await world.publishing.worker();
    const postId = await world.aPicture(brandId, `Silent of ${name}`);
    await isAccepted(postId);
    world.network.isDown = true;
    // It begins later, on another network: a worker that took over both would have begun with the other one.
    const { postId: other, attemptId } = await world.publishing.abandonedAttempt(
      await world.publishing.connectedBrand(),
    );
    await eventually(async () =>
      expect(await world.publishing.post(other)).not.toMatchObject({ attempt: { attemptId } }),
    );
    // Takeovers that have begun end before.
    await world.publishing.stopWorkers();
    expect(await outcomesOf(postId)).toEqual([]);
  });

  it('fails the post when it refuses it', async () => {
    const { brandId, name } = await world.connected();
    await world.publishing.worker();
    const postId = await world.aPicture(brandId, `Refused later of ${name}`);
    await isAccepted(postId);
    world.network.decide('refuse');
    await isFailed(postId);
    expect((await shown(postId)).failure).toMatchObject({ class: 'permanent', networkCode: 'moderation' });
    expect(world.postsOf(`Refused later of ${name}`)).toEqual([]);
  });

  it('is asked when its acceptance was lost, and nothing is sent again', async () => {
    const { brandId, name } = await world.connected();
    const text = `Lost acceptance of ${name}`;
    world.network.next.set('POST /posts', 'hang up');
    const before = world.network.countOf('POST /posts');
    await world.publishing.worker();
    const postId = await world.aPicture(brandId, text);
    await isAccepted(postId, 2);
    world.network.decide('publish');
    await world.isPublished(postId);
    expect(world.network.countOf('POST /posts')).toBe(before + 1);
    expect(world.postsOf(text)).toHaveLength(1);
  });

  it('leaves the decision to a person when it does not decide within a budget', async () => {
    const { brandId, name } = await world.connected();
    await world.publishing.worker({ PUBLISH_DECISION_BUDGET_MS: '1000' });
    const postId = await world.aPicture(brandId, `Never decided of ${name}`);
    await isFailed(postId);
    expect((await shown(postId)).failure).toMatchObject({ class: 'unconfirmed', networkCode: 'undecided' });
  });
});

describe('a network that names the post with the same content', () => {
  let world: FictionalWorld;

  beforeAll(async () => {
    world = await FictionalWorld.start();
  });
  afterEach(() => world.publishing.stopWorkers());
  afterAll(() => world.stop());

  const failed = async (postId: string) => {
    await eventually(async () => expect((await world.publishing.post(postId)).status).toBe('failed'));
    return world.publishing.failureOf(postId);
  };
  /** The answer to its first attempt was lost, a person said that it is not live, and it is sent again. */
  const sentAgain = async (brandId: string, text: string, existing: string) => {
    world.network.next.set('POST /posts', 'hang up');
    const postId = await world.aText(brandId, text);
    await world.publishing.worker();
    expect(await failed(postId)).toMatchObject({ class: 'unconfirmed' });
    const item = `/api/content-ops/items/${postId}`;
    expect((await world.person('POST', `${item}/resolve`, { delivered: false })).status).toBe(200);
    world.network.next.set('POST /posts', { status: 400, body: { error: 'duplicate', existing } });
    expect((await world.person('POST', `${item}/retry`)).status).toBe(200);
    return postId;
  };

  it('proves that an attempt in doubt published it', async () => {
    const { brandId, name } = await world.connected();
    const text = `In doubt of ${name}`;
    const id = `f-${world.network.posts.length + 1}`;
    const postId = await sentAgain(brandId, text, id);
    await world.isPublished(postId);
    expect(await world.publishing.post(postId)).toMatchObject({ platformPostId: id });
    expect(world.postsOf(text)).toHaveLength(1);
  });

  it('proves nothing of a post that another post of ours is', async () => {
    const { brandId, name } = await world.connected();
    const other = await world.aText(brandId, `Another of ${name}`);
    await world.publishing.worker();
    await world.isPublished(other);
    await world.publishing.stopWorkers();
    const published = await world.publishing.post(other);
    const id = published.status === 'published' ? published.platformPostId : '';
    const postId = await sentAgain(brandId, `Not that of ${name}`, id);
    await eventually(async () =>
      expect(await world.publishing.failureOf(postId)).toMatchObject({ networkCode: 'duplicate' }),
    );
  });

  it('proves nothing for a post without an attempt in doubt', async () => {
    const { brandId, name } = await world.connected();
    const existing = `f-${world.network.posts.length + 100}`;
    world.network.next.set('POST /posts', { status: 400, body: { error: 'duplicate', existing } });
    const postId = await world.aText(brandId, `Without doubt of ${name}`);
    await world.publishing.worker();
    expect(await failed(postId)).toMatchObject({ networkCode: 'duplicate', class: 'permanent' });
  });
});
