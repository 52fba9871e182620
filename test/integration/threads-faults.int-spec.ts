import { FixedClock } from '#libs/clock/testing';
import { ContainerAttempts } from '../support/container-attempts.js';
import { outcomeOf } from '../support/publish-attempts.js';
import { aPicture } from '../support/pictures.js';
import { standInOfThreads } from '../support/stand-in-of-threads.js';
import { makeVideo } from '../support/video-files.js';

const ROUTES = {
  quota: 'GET /:version/:account/threads_publishing_limit',
  create: 'POST /:version/:account/threads',
  node: 'GET /:version/:node',
  publish: 'POST /:version/:account/threads_publish',
};
const DAY_MS = 86_400_000;
const SETTINGS = { inProgressAnswers: 0, containerError: null, quotaTotal: 1_000, lists: 'complete' };

describe('faults of Threads', () => {
  const clock = new FixedClock(new Date());
  let attempts: ContainerAttempts;
  let png: Buffer;
  let mp4: Buffer;

  beforeAll(async () => {
    attempts = await ContainerAttempts.start(standInOfThreads, clock);
    png = await aPicture(50, 40);
    mp4 = await makeVideo();
  });
  beforeEach(() => attempts.reset(SETTINGS));
  afterAll(() => attempts.subject.stop());

  const aPhoto = (altText: string | null = null) =>
    attempts.standIn.host.file(png, { contentType: 'image/png', altText });
  const aVideo = (altText: string | null = null) =>
    attempts.standIn.host.file(mp4, { kind: 'video', contentType: 'video/mp4', altText });
  const idOf = (result: { kind: string; platformPostId?: string }) => {
    expect(result.kind).toBe('published');
    return result.platformPostId ?? '';
  };

  describe('texts', () => {
    it('are containers too, and have a link as an attachment', async () => {
      const call = attempts.aCall([], { link: 'https://example.com/a' });
      const result = await attempts.publish(call);
      expect(await attempts.effects(call)).toEqual({ posts: 1, containers: 1 });
      if (result.kind !== 'published') throw new Error(result.kind);
      const { url } = attempts.standIn.sandbox;
      expect(result.platformPostUrl.startsWith(`${url}/threads-web/@acme/post/`)).toBe(true);
      const page = await attempts.standIn.sandbox.call('GET', result.platformPostUrl.slice(url.length));
      expect(String(page.body)).toContain('href="https://example.com/a"');
    });

    it('reply to each other in a thread', async () => {
      const parent = idOf(await attempts.publish(attempts.aCall([])));
      const call = attempts.aCall([], { replyTo: parent });
      const first = attempts.provider.firstStep(call.content);
      expect(first).toBe('container');
      idOf(await attempts.publish(call));
      expect(await attempts.standIn.effects('post.created', call.content.text)).toMatchObject([
        { inReplyTo: parent },
      ]);
    });

    it('wait for the post that they reply to', async () => {
      const parent = idOf(await attempts.publish(attempts.aCall([])));
      const call = attempts.aCall([], { replyTo: parent });
      await attempts.refuse(ROUTES.create, 24, 4_279_009);
      expect(outcomeOf((await attempts.steps(call)).last)).toEqual([
        'transient',
        'reply_target_not_visible',
        'wait',
      ]);
      idOf(await attempts.publish(call));
      expect(await attempts.effects(call)).toEqual({ posts: 1, containers: 1 });
    });

    it('replies that were lost are found in their own list', async () => {
      const parent = idOf(await attempts.publish(attempts.aCall([])));
      const call = attempts.aCall([], { replyTo: parent });
      const taken = await attempts.steps(call);
      await attempts.fault('drop-after-effect', ROUTES.publish);
      expect(await attempts.commit(call, taken)).toMatchObject({ kind: 'unconfirmed' });
      expect(await attempts.reconcile(call, taken)).toMatchObject({ kind: 'found' });
      expect((await attempts.effects(call)).posts).toBe(1);
    });

    it.each([
      ['500 characters with emoji', '🎉'.repeat(125), 'published'],
      ['one emoji more', `${'🎉'.repeat(125)}🎉`, 'refused'],
    ])('of %s are %s, as Threads counts', async (_, text, expected) => {
      const call = attempts.aCall([], { text });
      const taken = await attempts.steps(call);
      if (expected === 'published') idOf(await attempts.commit(call, taken));
      else expect(outcomeOf(taken.last)).toEqual(['permanent', 'text_too_long', undefined]);
    });

    it('with six links are refused with a reason', async () => {
      const text = Array.from({ length: 6 }, (_, index) => `https://example.com/${index}`).join(' ');
      expect(outcomeOf((await attempts.steps(attempts.aCall([], { text }))).last)).toEqual([
        'permanent',
        'too_many_links',
        undefined,
      ]);
    });
  });

  it('pictures and videos are shown together, each with its description', async () => {
    const files = [aPhoto('A roof'), aVideo('Rain'), aPhoto()];
    const call = attempts.aCall(files, { link: 'https://example.com/b' });
    idOf(await attempts.publish(call));
    const [post] = await attempts.standIn.effects(
      'post.created',
      `${call.content.text}\n\nhttps://example.com/b`,
    );
    expect(post?.media).toMatchObject([{ altText: 'A roof' }, { altText: 'Rain' }, { category: 'IMAGE' }]);
    expect(post?.media?.map(({ sha256 }) => sha256)).toEqual(files.map(({ sha256 }) => sha256));
  });

  it('a lost post is found by its text when the state of its container cannot be read', async () => {
    const call = attempts.aCall([aPhoto()]);
    const taken = await attempts.steps(call);
    await attempts.fault('drop-after-effect', ROUTES.publish);
    expect(await attempts.commit(call, taken)).toMatchObject({ kind: 'unconfirmed' });
    await attempts.fault('answer-instead', ROUTES.node, { status: 403, body: '{}' });
    expect(await attempts.reconcile(call, taken)).toMatchObject({ kind: 'found' });
    expect((await attempts.effects(call)).posts).toBe(1);
  });

  it('a post that another attempt may have made with a link instead of a picture is no evidence', async () => {
    const call = attempts.aCall([aPhoto()]);
    idOf(await attempts.publish(call));
    const since = new Date(0).toISOString();
    const search = await attempts.provider.reconcile({ ...call, prepared: null, since });
    if (search.kind !== 'found') throw new Error(search.kind);
    const content = { text: call.content.text, link: 'https://example.com/card' };
    expect(search.posts[0]?.mayBeOf({ content, since })).toBe(true);
  });

  describe('code 24 of the call that publishes', () => {
    it('while the container is processed is a wait, not a second container', async () => {
      await attempts.standIn.set({ inProgressAnswers: 2 });
      const call = attempts.aCall([aPhoto()]);
      const taken = await attempts.subject.steps(
        attempts.provider,
        call,
        undefined,
        ({ kind }) => kind === 'wait',
      );
      expect(outcomeOf(await attempts.commit(call, taken))).toEqual(['transient', 'media_not_ready', 'wait']);
      idOf(await attempts.commit(call, taken));
      expect(await attempts.effects(call)).toEqual({ posts: 1, containers: 1 });
    });

    it('although the container is finished is a wait as well', async () => {
      const call = attempts.aCall([]);
      const taken = await attempts.steps(call);
      await attempts.refuse(ROUTES.publish, 24, 4_279_009);
      expect(outcomeOf(await attempts.commit(call, taken))).toEqual(['transient', 'media_not_ready', 'wait']);
      idOf(await attempts.commit(call, taken));
      expect(await attempts.effects(call)).toEqual({ posts: 1, containers: 1 });
    });

    it('after the container expired prepares again', async () => {
      const call = attempts.aCall([]);
      const taken = await attempts.steps(call);
      clock.advance(DAY_MS);
      await attempts.reset(SETTINGS);
      const later = { ...call, accessToken: attempts.signedIn.grant.accessToken };
      expect(outcomeOf(await attempts.commit(later, taken))).toEqual([
        'permanent',
        'media_expired',
        'prepare-again',
      ]);
      expect((await attempts.effects(call)).posts).toBe(0);
    });

    it('after the container was published is no failure: the post is found', async () => {
      const call = attempts.aCall([]);
      const taken = await attempts.steps(call);
      await attempts.fault('drop-after-effect', ROUTES.publish);
      await attempts.commit(call, taken);
      expect(await attempts.commit(call, taken)).toMatchObject({ kind: 'unconfirmed' });
      expect(await attempts.reconcile(call, taken)).toMatchObject({ kind: 'found' });
      expect(await attempts.effects(call)).toEqual({ posts: 1, containers: 1 });
    });

    it.each([
      [403, { error: { message: 'No.', code: 10 } }],
      [429, {}],
      [200, { status: 'ARCHIVED' }],
    ])('is in doubt when the question for the state is answered %i %j', async (status, body) => {
      const call = attempts.aCall([]);
      const taken = await attempts.steps(call);
      idOf(await attempts.commit(call, taken));
      await attempts.fault('answer-instead', ROUTES.node, { status, body: JSON.stringify(body) });
      expect(await attempts.commit(call, taken)).toMatchObject({ kind: 'unconfirmed' });
      expect((await attempts.effects(call)).posts).toBe(1);
    });

    it('is in doubt when the state cannot be read', async () => {
      const call = attempts.aCall([]);
      const taken = await attempts.steps(call);
      await attempts.refuse(ROUTES.publish, 24, 4_279_009);
      await attempts.fault('drop-before-effect', ROUTES.node);
      expect(await attempts.commit(call, taken)).toMatchObject({ kind: 'unconfirmed' });
      expect((await attempts.effects(call)).posts).toBe(0);
    });
  });

  it.each([
    ['FAILED_DOWNLOADING_VIDEO', ['transient', 'media_not_fetched', 'prepare-again']],
    ['INVALID_ASPEC_RATIO', ['permanent', 'media_refused', undefined]],
    ['UNKNOWN', ['transient', 'media_processing_failed', 'prepare-again']],
  ])('a container that failed with %s', async (containerError, expected) => {
    await attempts.standIn.set({ containerError });
    const call = attempts.aCall([aVideo()]);
    expect(outcomeOf((await attempts.steps(call)).last)).toEqual(expected);
    expect(await attempts.effects(call)).toEqual({ posts: 0, containers: 1 });
  });

  it('a video that cannot be fetched fails in its container', async () => {
    attempts.standIn.host.failNext('gone');
    const call = attempts.aCall([aVideo()]);
    expect(outcomeOf((await attempts.steps(call)).last)).toEqual([
      'transient',
      'media_not_fetched',
      'prepare-again',
    ]);
    idOf(await attempts.publish(call));
    expect(await attempts.effects(call)).toEqual({ posts: 1, containers: 2 });
  });

  it('the quota of posts holds posts, not replies', async () => {
    const parent = idOf(await attempts.publish(attempts.aCall([])));
    await attempts.standIn.set({ quotaTotal: 0 });
    expect(outcomeOf((await attempts.steps(attempts.aCall([]))).last)).toEqual([
      'transient',
      'rate_limited',
      'hold',
    ]);
    idOf(await attempts.publish(attempts.aCall([], { replyTo: parent })));
  });
});
