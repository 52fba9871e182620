import { FixedClock } from '#libs/clock/testing';
import type { FetchedFile } from '../support/media-host.js';
import { ContainerAttempts } from '../support/container-attempts.js';
import { refusalOf } from '../support/contract-subject.js';
import { outcomeOf } from '../support/publish-attempts.js';
import { aPicture } from '../support/pictures.js';
import { standInOfInstagram } from '../support/stand-in-of-instagram.js';
import { steadyPictures, makeVideo } from '../support/video-files.js';

const ROUTES = {
  quota: 'GET /:version/:account/content_publishing_limit',
  create: 'POST /:version/:account/media',
  node: 'GET /:version/:node',
  publish: 'POST /:version/:account/media_publish',
  list: 'GET /:version/:account/media',
};
const DAY_MS = 86_400_000;
const SETTINGS = {
  inProgressAnswers: 0,
  containerError: null,
  quotaTotal: 1_000,
  usagePercent: 1,
  lists: 'complete',
};

describe('faults of Instagram', () => {
  const clock = new FixedClock(new Date());
  let attempts: ContainerAttempts;
  let jpeg: Buffer;
  let mp4: Buffer;

  beforeAll(async () => {
    attempts = await ContainerAttempts.start(standInOfInstagram, clock);
    jpeg = await aPicture(400, 400, { format: 'jpeg' });
    mp4 = await makeVideo({ pictures: steadyPictures(0, 4) });
  });
  beforeEach(() => attempts.reset(SETTINGS));
  afterAll(() => attempts.subject.stop());

  const aPhoto = (more: object = {}) =>
    attempts.standIn.host.file(jpeg, { contentType: 'image/jpeg', ...more });
  const aVideo = () =>
    attempts.standIn.host.file(mp4, { kind: 'video', contentType: 'video/mp4', altText: 'Rain' });
  const pageOf = async (path: string) => String((await attempts.standIn.sandbox.call('GET', path)).body);

  describe('of a container', () => {
    it.each([
      ['Media upload has failed with error code 2207026', ['permanent', 'media_refused', undefined]],
      [
        'Media upload has failed with error code 2207053',
        ['transient', 'media_processing_failed', 'prepare-again'],
      ],
    ])('ERROR is a definite failure: %s', async (containerError, expected) => {
      await attempts.standIn.set({ containerError });
      const call = attempts.aCall([aPhoto()]);
      expect(outcomeOf((await attempts.steps(call)).last)).toEqual(expected);
      expect(await attempts.effects(call)).toEqual({ posts: 0, containers: 1 });
    });

    it('IN_PROGRESS is waited for, without another container', async () => {
      await attempts.standIn.set({ inProgressAnswers: 4 });
      const call = attempts.aCall([aPhoto()]);
      const began = clock.now().getTime();
      expect(await attempts.publish(call)).toMatchObject({ kind: 'published' });
      expect(clock.now().getTime() - began).toBe(3_000 + 3_000 + 6_000 + 12_000);
      expect(await attempts.effects(call)).toEqual({ posts: 1, containers: 1 });
    });

    it.each([
      ['a picture', aPhoto, 600_000],
      ['a video', aVideo, 3_600_000],
    ])('that is never FINISHED is replaced by another one, for %s', async (_, aFile, budgetMs) => {
      await attempts.standIn.set({ inProgressAnswers: 1_000_000 });
      const call = attempts.aCall([aFile()]);
      const began = clock.now().getTime();
      expect(outcomeOf((await attempts.steps(call)).last)).toEqual([
        'transient',
        'network_processing_timeout',
        'prepare-again',
      ]);
      const waited = clock.now().getTime() - began;
      expect(waited).toBeGreaterThanOrEqual(budgetMs);
      expect(waited).toBeLessThan(2 * budgetMs);
      expect(await attempts.effects(call)).toEqual({ posts: 0, containers: 1 });
      await attempts.standIn.set({ inProgressAnswers: 0 });
      expect(await attempts.publish(call)).toMatchObject({ kind: 'published' });
      expect(await attempts.effects(call)).toEqual({ posts: 1, containers: 2 });
    });

    it('EXPIRED while it is waited for is prepared again', async () => {
      await attempts.standIn.set({ inProgressAnswers: 1 });
      const call = attempts.aCall([aPhoto()]);
      const begun = await attempts.subject.steps(
        attempts.provider,
        call,
        undefined,
        ({ kind }) => kind === 'wait',
      );
      clock.advance(DAY_MS);
      await attempts.reset(SETTINGS);
      const later = { ...call, accessToken: attempts.signedIn.grant.accessToken };
      expect(outcomeOf((await attempts.steps(later, begun)).last)).toEqual([
        'permanent',
        'media_expired',
        'prepare-again',
      ]);
      expect(await attempts.publish(later)).toMatchObject({ kind: 'published' });
      expect(await attempts.effects(call)).toEqual({ posts: 1, containers: 2 });
    });

    it('EXPIRED when it is published is prepared again', async () => {
      const call = attempts.aCall([aPhoto()]);
      const taken = await attempts.steps(call);
      clock.advance(DAY_MS);
      await attempts.reset(SETTINGS);
      const later = { ...call, accessToken: attempts.signedIn.grant.accessToken };
      expect(outcomeOf(await attempts.commit(later, taken))).toEqual([
        'permanent',
        'media_expired',
        'prepare-again',
      ]);
      expect(await attempts.effects(call)).toEqual({ posts: 0, containers: 1 });
    });

    it('that may have expired by our own clock is not published, and its steps begin again', async () => {
      const call = attempts.aCall([aPhoto(), aPhoto()]);
      const { prepared } = await attempts.steps(call);
      const late = { ...prepared, ageMs: 0.95 * DAY_MS };
      expect(outcomeOf(await attempts.commit(call, { prepared: late }))).toEqual([
        'permanent',
        'media_expired',
        'prepare-again',
      ]);
      const step = await attempts.provider.prepare({ ...call, step: 'status', prepared: late });
      expect(step).toEqual({ kind: 'next', step: 'item/0' });
      expect((await attempts.effects(call)).posts).toBe(0);
    });

    it('that is not ready yet is a definite refusal, and is published by the next call', async () => {
      await attempts.standIn.set({ inProgressAnswers: 2 });
      const call = attempts.aCall([aPhoto()]);
      const taken = await attempts.subject.steps(
        attempts.provider,
        call,
        undefined,
        ({ kind }) => kind === 'wait',
      );
      expect(outcomeOf(await attempts.commit(call, taken))).toEqual(['transient', 'media_not_ready', 'wait']);
      expect((await attempts.effects(call)).posts).toBe(0);
      expect(await attempts.commit(call, taken)).toMatchObject({ kind: 'published' });
      expect(await attempts.effects(call)).toEqual({ posts: 1, containers: 1 });
    });

    it('that Instagram does not find for a moment is asked for again', async () => {
      await attempts.refuse(ROUTES.node, 100, 33);
      const call = attempts.aCall([aPhoto()]);
      expect(await attempts.publish(call)).toMatchObject({ kind: 'published' });
      expect(await attempts.effects(call)).toEqual({ posts: 1, containers: 1 });
    });
  });

  describe('when an answer is lost', () => {
    it.each(['quota', 'create', 'node'] as const)('to %s, the post is published once', async (name) => {
      await attempts.fault('drop-after-effect', ROUTES[name]);
      const call = attempts.aCall([aPhoto()]);
      const lost = await attempts.steps(call);
      expect(lost.last).toMatchObject({ kind: 'no-answer', failure: { class: 'transient' } });
      expect(await attempts.commit(call, await attempts.steps(call, lost))).toMatchObject({
        kind: 'published',
      });
      expect(await attempts.effects(call)).toEqual({ posts: 1, containers: name === 'create' ? 2 : 1 });
    });

    it.each([
      ['drop-after-effect', {}],
      ['cut-answer', {}],
      ['server-error-after-effect', { status: 500 }],
      ['server-error-after-effect', { status: 502 }],
      ['unreadable-answer', { body: '{"id":' }],
    ])('to publish by %s %j, the state of the container is the evidence', async (kind, more) => {
      const call = attempts.aCall([aPhoto()]);
      const taken = await attempts.steps(call);
      await attempts.fault(kind, ROUTES.publish, more);
      expect(await attempts.commit(call, taken)).toMatchObject({ kind: 'unconfirmed' });
      const search = await attempts.reconcile(call, taken);
      if (search.kind !== 'found') throw new Error(search.kind);
      expect(search.posts).toHaveLength(1);
      expect(search.posts[0]?.mayBeOf({ content: call.content, since: new Date(0).toISOString() })).toBe(
        false,
      );
      expect(await attempts.effects(call)).toEqual({ posts: 1, containers: 1 });
    });

    it('and the call is repeated all the same, the post is not published twice', async () => {
      const call = attempts.aCall([aPhoto()]);
      const taken = await attempts.steps(call);
      await attempts.fault('drop-after-effect', ROUTES.publish);
      await attempts.commit(call, taken);
      expect(await attempts.commit(call, taken)).toMatchObject({ kind: 'unconfirmed' });
      const again = await attempts.steps(call, { step: 'status', prepared: taken.prepared });
      // Not even a call that would be refused.
      await attempts.refuse(ROUTES.publish, 36_004, 2_207_010);
      expect(await attempts.commit(call, again)).toMatchObject({ kind: 'unconfirmed' });
      expect(await attempts.effects(call)).toEqual({ posts: 1, containers: 1 });
    });

    it('and nothing was published, that is believed only after the call must have ended', async () => {
      const call = attempts.aCall([aPhoto()]);
      const taken = await attempts.steps(call);
      await attempts.fault('drop-before-effect', ROUTES.publish);
      expect(await attempts.commit(call, taken)).toMatchObject({ kind: 'unconfirmed' });
      expect(await attempts.reconcile(call, taken)).toEqual({ kind: 'pending', milliseconds: 30_000 });
      expect(await attempts.reconcile(call, taken, 16 * 60_000)).toEqual({ kind: 'not-delivered' });
      expect((await attempts.effects(call)).posts).toBe(0);
    });

    it('and the container has expired, nothing was published', async () => {
      const call = attempts.aCall([aPhoto()]);
      const taken = await attempts.steps(call);
      clock.advance(DAY_MS);
      await attempts.reset(SETTINGS);
      const later = { ...call, accessToken: attempts.signedIn.grant.accessToken };
      expect(await attempts.reconcile(later, taken)).toEqual({ kind: 'not-delivered' });
    });

    it('and the list does not show the post, a person decides at last', async () => {
      const call = attempts.aCall([aPhoto()]);
      const taken = await attempts.steps(call);
      await attempts.commit(call, taken);
      await attempts.standIn.set({ lists: 'empty' });
      expect(await attempts.reconcile(call, taken)).toMatchObject({ kind: 'pending' });
      expect(await attempts.reconcile(call, taken, 16 * 60_000)).toEqual({ kind: 'unknown' });
      await attempts.fault('server-error-before-effect', ROUTES.node);
      expect(await attempts.reconcile(call, taken)).toEqual({ kind: 'unknown' });
    });

    it('and the container failed, nothing was published', async () => {
      await attempts.standIn.set({ containerError: 'Media upload has failed with error code 2207053' });
      const call = attempts.aCall([aPhoto()]);
      const { prepared } = await attempts.subject.steps(
        attempts.provider,
        call,
        undefined,
        (response) => 'step' in response && response.step === 'status',
      );
      expect(await attempts.reconcile(call, { prepared })).toMatchObject({ kind: 'pending' });
      expect(await attempts.reconcile(call, { prepared }, 16 * 60_000)).toMatchObject({
        kind: 'refused',
        failure: { code: 'media_processing_failed' },
      });
    });

    it('a post without a caption is found when it is the only one', async () => {
      const call = attempts.aCall([aPhoto()], { text: '' });
      const taken = await attempts.steps(call);
      await attempts.commit(call, taken);
      expect(await attempts.reconcile(call, { prepared: { ...taken.prepared } })).toMatchObject({
        kind: 'found',
      });
      expect(
        await attempts.provider.reconcile({
          account: call.account,
          accessToken: call.accessToken,
          organizationId: call.organizationId,
          content: call.content,
          prepared: null,
          since: new Date(0).toISOString(),
        }),
      ).toEqual({ kind: 'unknown' });
    });
  });

  describe('of single calls', () => {
    it.each([
      ['quota', 190, 463, ['auth', 'token_refused', 'refresh']],
      ['create', 190, undefined, ['auth', 'token_refused', 'refresh']],
      ['node', 190, undefined, ['auth', 'token_refused', 'refresh']],
      ['create', 4, undefined, ['transient', 'rate_limited', 'hold']],
      ['create', 25, 2_207_050, ['permanent', 'forbidden_by_network', undefined]],
      ['create', 36_003, 2_207_009, ['permanent', 'media_refused', undefined]],
    ] as const)('%s answers %i/%s', async (name, code, subcode, expected) => {
      await attempts.refuse(ROUTES[name], code, subcode);
      const call = attempts.aCall([aPhoto()]);
      expect(outcomeOf((await attempts.steps(call)).last)).toEqual(expected);
      expect((await attempts.effects(call)).posts).toBe(0);
    });

    it.each([
      [190, undefined, ['auth', 'token_refused', 'refresh']],
      [9, 2_207_042, ['transient', 'rate_limited', 'hold']],
      [36_004, 2_207_010, ['permanent', 'text_too_long', undefined]],
    ] as const)('publish answers %i/%s: nothing was published', async (code, subcode, expected) => {
      const call = attempts.aCall([aPhoto()]);
      const taken = await attempts.steps(call);
      await attempts.refuse(ROUTES.publish, code, subcode);
      expect(outcomeOf(await attempts.commit(call, taken))).toEqual(expected);
      expect((await attempts.effects(call)).posts).toBe(0);
    });

    it.each([
      [4, 2_207_051],
      [-1, 2_207_001],
      [2, undefined],
    ])('publish answers %i/%s: the post may be live', async (code, subcode) => {
      const call = attempts.aCall([aPhoto()]);
      const taken = await attempts.steps(call);
      await attempts.refuse(ROUTES.publish, code, subcode);
      expect(await attempts.commit(call, taken)).toMatchObject({ kind: 'unconfirmed' });
      expect((await attempts.effects(call)).posts).toBe(0);
    });

    it('a file that cannot be fetched twice and then can, is published once', async () => {
      await attempts.refuse(ROUTES.create, 9_004, 2_207_052, 2);
      const call = attempts.aCall([aPhoto()]);
      let taken = await attempts.steps(call);
      for (let refused = 0; refused < 2; refused += 1) {
        expect(outcomeOf(taken.last)).toEqual(['permanent', 'media_not_fetched', 'wait']);
        taken = await attempts.steps(call, taken);
      }
      expect(await attempts.commit(call, taken)).toMatchObject({ kind: 'published' });
      expect(await attempts.effects(call)).toEqual({ posts: 1, containers: 1 });
    });

    it('the quota is read before a container is created, and holds the account when it is used up', async () => {
      await attempts.standIn.set({ quotaTotal: 0 });
      const call = attempts.aCall([aPhoto()]);
      const { last } = await attempts.steps(call);
      expect(refusalOf(last).remedy).toEqual({ kind: 'hold', milliseconds: 3_600_000 });
      expect(last?.readings).toContainEqual({ name: 'posts-per-day', remaining: 0, resetsAt: null, max: 0 });
      expect(await attempts.effects(call)).toEqual({ posts: 0, containers: 0 });
    });

    it.each([
      [403, '{"error":{"message":"No permission","code":10}}'],
      [500, '{"error":{"message":"Oops","code":2,"is_transient":true}}'],
      [400, ''],
    ])('a quota that Instagram does not tell (%i %s) holds nothing back', async (status, body) => {
      await attempts.fault('answer-instead', ROUTES.quota, { status, body });
      const call = attempts.aCall([aPhoto()]);
      expect(await attempts.publish(call)).toMatchObject({ kind: 'published' });
      expect(await attempts.effects(call)).toEqual({ posts: 1, containers: 1 });
    });

    it('a used up budget of calls holds the account as long as Instagram states', async () => {
      await attempts.standIn.set({ usagePercent: 101 });
      const { last } = await attempts.steps(attempts.aCall([aPhoto()]));
      expect(refusalOf(last).remedy).toEqual({ kind: 'hold', milliseconds: 5 * 60_000 });
      expect(last?.readings?.map(({ name, remaining }) => [name, remaining])).toEqual([
        ['percent-of-account-calls', 0],
      ]);
    });

    it.each(['drop-before-effect', 'server-error-before-effect', 'unreadable-answer'])(
      'a permalink that is lost by %s leaves the post published, at the address of the account',
      async (kind) => {
        const call = attempts.aCall([aPhoto()]);
        const taken = await attempts.steps(call);
        await attempts.fault(kind, ROUTES.node);
        const result = await attempts.commit(call, taken);
        const { url } = attempts.standIn.sandbox;
        expect(result).toMatchObject({ kind: 'published', platformPostUrl: `${url}/instagram-web/acme/` });
        expect(await attempts.effects(call)).toEqual({ posts: 1, containers: 1 });
      },
    );
  });

  describe('of files', () => {
    it.each([
      ['a PNG', () => aPicture(400, 400), ['permanent', 'media_refused', undefined]],
      [
        'a JPEG that is none',
        () => Promise.resolve(Buffer.from('ffd8ffe0 is no picture')),
        ['permanent', 'media_not_fetched', 'wait'],
      ],
      [
        'a cut JPEG',
        () => Promise.resolve(jpeg.subarray(0, jpeg.length / 2)),
        ['permanent', 'media_not_fetched', 'wait'],
      ],
      ['a panorama', () => aPicture(800, 300, { format: 'jpeg' }), ['permanent', 'media_refused', undefined]],
    ] as const)('%s is refused as Instagram does', async (_, bytes, expected) => {
      const file = attempts.standIn.host.file(await bytes(), { contentType: 'image/jpeg' });
      const call = attempts.aCall([file]);
      expect(outcomeOf((await attempts.steps(call)).last)).toEqual(expected);
      expect((await attempts.effects(call)).posts).toBe(0);
    });

    it('a video that is none fails in its container', async () => {
      const file = attempts.standIn.host.file(jpeg, { kind: 'video', contentType: 'video/mp4' });
      const { last } = await attempts.steps(attempts.aCall([file]));
      expect(outcomeOf(last)).toEqual(['permanent', 'media_refused', undefined]);
      expect(refusalOf(last).failure.networkCode).toBe('2207026');
    });
  });

  describe('without faults', () => {
    const mediaOf = async (text: string) =>
      (await attempts.standIn.effects('post.created', text)).flatMap(
        ({ media = [] }) => media as readonly { category: string; sha256: string; altText?: string }[],
      );
    const urlOf = (result: { kind: string; platformPostUrl?: string }) => {
      expect(result.kind).toBe('published');
      return (result.platformPostUrl ?? '').replace(attempts.standIn.sandbox.url, '');
    };

    it('a carousel shows pictures and videos in their order, with descriptions of pictures, marked as made with AI', async () => {
      const files: FetchedFile[] = [
        aPhoto({ altText: ' A roof ' }),
        aVideo(),
        aPhoto({ altText: 'x'.repeat(2_000) }),
      ];
      const call = attempts.aCall(files, { options: { madeWithAi: true } });
      const path = urlOf(await attempts.publish(call));
      const media = await mediaOf(call.content.text);
      expect(media.map(({ sha256 }) => sha256)).toEqual(files.map(({ sha256 }) => sha256));
      expect(media.map(({ altText }) => altText?.length)).toEqual([6, undefined, 1_000]);
      const page = await pageOf(path);
      expect(page).toContain('made with AI');
      expect(page).toContain('<video');
      expect(page).toContain('alt="A roof"');
    });

    it.each([
      [{}, 'reel in the feed'],
      [{ format: 'reel' as const }, '· reel<'],
      [{ coverAtMs: 1_500 }, 'cover at 1500 ms'],
    ])('a video is a reel: %j', async (options, note) => {
      const call = attempts.aCall([aVideo()], { options });
      const page = await pageOf(urlOf(await attempts.publish(call)));
      expect(page).toContain(note);
      expect((await mediaOf(call.content.text)).map(({ category }) => category)).toEqual(['REELS']);
    });

    it('stories are pictures and videos without a caption, and are found in their own list', async () => {
      const searched: string[] = [];
      for (const file of [aPhoto({ altText: 'A roof' }), aVideo()]) {
        const call = attempts.aCall([file], { options: { format: 'story' } });
        const taken = await attempts.steps(call);
        expect(await pageOf(urlOf(await attempts.commit(call, taken)))).toContain('story');
        expect(await attempts.standIn.effects('post.created', call.content.text)).toEqual([]);
        searched.push((await attempts.reconcile(call, taken)).kind);
      }
      // Of two stories since the attempt began, either may be its own.
      expect(searched).toEqual(['found', 'pending']);
    });
  });
});
