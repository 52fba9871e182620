import { createHash, randomUUID } from 'node:crypto';
import { FixedClock } from '#libs/clock/testing';
import type { GrantedAccount } from '../../src/integrations/domain/provider-grants.js';
import type { NetworkCall, Prepared } from '../../src/integrations/domain/provider-publishing.js';
import type { PublishingProvider } from '../../src/integrations/provider.types.js';
import { CONNECTING, ContractSubject, refusalOf } from '../support/contract-subject.js';
import { MemoryFile } from '../support/memory-file.js';
import { aPicture, anAnimation } from '../support/pictures.js';
import type { SandboxForTests } from '../support/sandbox.js';
import { standInOfX, type StandInOfX } from '../support/stand-in-of-x.js';
import { makeVideo } from '../support/video-files.js';

interface MediaOfPost {
  readonly sha256: string;
  readonly altText?: string;
}

const UPLOAD = '/2/media/upload';
const CALLS = {
  initialize: `POST ${UPLOAD}/initialize`,
  append: `POST ${UPLOAD}/:id/append`,
  finalize: `POST ${UPLOAD}/:id/finalize`,
  status: `GET ${UPLOAD}`,
  describe: 'POST /2/media/metadata',
  create: 'POST /2/tweets',
};

/** A refusal as X writes it. */
const refusedWith = (status: number) => ({
  kind: 'answer-instead',
  status,
  body: JSON.stringify({ title: 'Odd', detail: 'Something odd.', type: 'about:blank', status }),
});

describe('posts with files on X', () => {
  const clock = new FixedClock(new Date('2026-11-21T10:00:00.000Z'));
  let subject: ContractSubject<StandInOfX>;
  let sandbox: SandboxForTests;
  let provider: PublishingProvider;
  let account: GrantedAccount;
  const files: Record<'picture' | 'animation' | 'video', Buffer> = {} as never;

  beforeAll(async () => {
    subject = await ContractSubject.start(() => standInOfX(clock));
    ({ sandbox } = subject.standIn);
    provider = await subject.providerAt();
    files.picture = await aPicture(50, 40);
    files.animation = await anAnimation(20, 10, 3);
    files.video = await makeVideo();
  });
  beforeEach(async () => {
    await sandbox.control('DELETE', '/faults');
    // Tokens last two hours of this clock.
    account = await subject.anAccount(provider);
    await sandbox.control('PUT', '/x/settings', {
      ...{ mediaProcessingSeconds: 1, mediaProcessingError: null, mediaFinalizedAgain: 'same' },
      ...{ mediaExpirySeconds: 86_400, maxVideoMinutes: 20 },
    });
  });
  afterAll(() => subject.stop());

  const aPhoto = async (seed: number, altText: string | null = null) =>
    new MemoryFile(await aPicture(50, 40, { seed }), {
      ...{ mediaId: `photo-${seed}`, contentType: 'image/png', altText },
    });
  const theAnimation = () =>
    new MemoryFile(files.animation, { kind: 'animation', contentType: 'image/gif', altText: 'Moving' });
  const theVideo = () => new MemoryFile(files.video, { kind: 'video', contentType: 'video/mp4' });
  const aCall = (sent: readonly MemoryFile[], text = `Post ${randomUUID()}`): NetworkCall => ({
    account: account.profile,
    accessToken: account.grant.accessToken,
    ...CONNECTING,
    attemptId: randomUUID(),
    content: {
      ...{ text, title: null, link: null, target: {}, options: {}, replyTo: null },
      mediaIds: sent.map(({ mediaId }) => mediaId),
    },
    files: sent,
  });
  /** Every wait takes as long as X asked. */
  const steps = (call: NetworkCall, from?: { step: string | null; prepared: Prepared }) =>
    subject.steps(provider, call, from, (response) => {
      if (response.kind === 'wait') clock.advance(response.milliseconds);
      return false;
    });
  const commit = (call: NetworkCall, prepared: Prepared) =>
    provider.commit({ ...call, prepared, maySend: () => true });
  const postsOf = async ({ content: { text } }: NetworkCall): Promise<MediaOfPost[][]> =>
    (await sandbox.ledger('?kind=post.created'))
      .filter((effect: { text: string }) => effect.text === text)
      .map(({ media }: { media: MediaOfPost[] }) => media);
  const hashOf = ({ content }: MemoryFile) => createHash('sha256').update(content).digest('hex');

  it('show four photos in their order, with the alt texts that they have', async () => {
    const photos = [await aPhoto(1), await aPhoto(2, ' A roof '), await aPhoto(3, 'x'.repeat(2_000))];
    const call = aCall([...photos, await aPhoto(4, '  ')]);
    const { prepared, step } = await steps(call);
    expect(step).toBeNull();
    expect(await commit(call, prepared)).toMatchObject({ kind: 'published' });
    const [media, another] = await postsOf(call);
    expect(another).toBeUndefined();
    expect(media?.map(({ sha256 }) => sha256)).toEqual((call.files as MemoryFile[]).map(hashOf));
    expect(media?.map(({ altText }) => altText)).toEqual([
      undefined,
      'A roof',
      `${'x'.repeat(999)}…`,
      undefined,
    ]);
  });

  it.each(['animation', 'video'] as const)('show a %s after the wait that X asks for', async (kind) => {
    await sandbox.control('PUT', '/x/settings', { mediaProcessingSeconds: 9 });
    const call = aCall([kind === 'video' ? theVideo() : theAnimation()]);
    const waits: number[] = [];
    const { prepared, step } = await subject.steps(provider, call, undefined, (response) => {
      if (response.kind !== 'wait') return false;
      waits.push(response.milliseconds);
      clock.advance(response.milliseconds);
      return false;
    });
    expect([step, waits]).toEqual([null, [5_000, 4_000]]);
    expect(await commit(call, prepared)).toMatchObject({ kind: 'published' });
    expect((await postsOf(call)).map((media) => media.map(({ sha256 }) => sha256))).toEqual([
      (call.files as MemoryFile[]).map(hashOf),
    ]);
  });

  it('that X cannot process are a definite failure with X’s reason', async () => {
    await sandbox.control('PUT', '/x/settings', { mediaProcessingError: 'UnsupportedMedia' });
    const { last } = await steps(aCall([theVideo()]));
    expect(refusalOf(last)).toEqual({
      failure: expect.objectContaining({
        code: 'media_processing_failed',
        class: 'permanent',
        networkCode: 'UnsupportedMedia',
      }),
    });
  });

  it('that are longer than the account may publish are a definite failure of the post', async () => {
    await sandbox.control('PUT', '/x/settings', { maxVideoMinutes: 0 });
    const call = aCall([theVideo()]);
    const { prepared } = await steps(call);
    const refusal = refusalOf(await commit(call, prepared));
    expect([refusal.failure.code, refusal.failure.class, refusal.remedy]).toEqual([
      'video_too_long',
      'permanent',
      undefined,
    ]);
    expect(await postsOf(call)).toEqual([]);
  });

  it('have parts of a thread as their parents', async () => {
    const [first, second] = [aCall([await aPhoto(20)]), aCall([await aPhoto(21)])];
    const parent = await commit(first, (await steps(first)).prepared);
    if (parent.kind !== 'published') throw new Error(parent.kind);
    const reply = { ...second, content: { ...second.content, replyTo: parent.platformPostId } };
    expect(await commit(reply, (await steps(reply)).prepared)).toMatchObject({ kind: 'published' });
    const [effect] = await sandbox.ledger(
      `?${new URLSearchParams({ text: second.content.text }).toString()}`,
    );
    expect(effect).toMatchObject({ inReplyTo: parent.platformPostId, media: [expect.anything()] });
  });

  it('that need more segments than X takes are refused without a call', async () => {
    const before = (await sandbox.ledger()).length;
    const file = new MemoryFile(files.video, {
      kind: 'video',
      contentType: 'video/mp4',
      bytes: 4_194_304_001,
    });
    expect(refusalOf((await steps(aCall([file]))).last).failure).toMatchObject({
      code: 'media_too_large',
      class: 'permanent',
    });
    expect(await sandbox.ledger()).toHaveLength(before);
  });

  it('have no text when they have none to send', async () => {
    const call = aCall([await aPhoto(5)], '');
    const { prepared } = await steps(call);
    const before = await postsOf(call);
    expect(await commit(call, prepared)).toMatchObject({ kind: 'published' });
    expect(await postsOf(call)).toHaveLength(before.length + 1);
  });

  it.each(['', 'The same words'])(
    'are found by their files when the answer is lost, with the text %j of another post',
    async (text) => {
      const since = clock.now().toISOString();
      const [lost, other] = [aCall([await aPhoto(6)], text), aCall([await aPhoto(7)], text)];
      const [first, second] = [(await steps(lost)).prepared, (await steps(other)).prepared];
      await commit(other, second);
      const request = {
        account: account.profile,
        accessToken: account.grant.accessToken,
        since,
        ...CONNECTING,
      };
      const search = () => provider.reconcile({ ...request, content: lost.content, prepared: first });
      expect(await search()).toEqual({ kind: 'unknown' });
      await sandbox.fault({ kind: 'drop-after-effect', route: CALLS.create, times: 1 });
      expect(await commit(lost, first)).toMatchObject({ kind: 'unconfirmed' });
      const found = await search();
      if (found.kind !== 'found') throw new Error(found.kind);
      expect(found.posts).toHaveLength(1);
      expect(found.posts[0]?.mayBeOf({ content: { text, link: null }, since })).toBe(false);
      const forgotten = await provider.reconcile({ ...request, content: lost.content, prepared: null });
      expect(forgotten.kind).toBe(text === '' ? 'unknown' : 'found');
    },
  );

  describe('when the answer to finalize is lost', () => {
    const uploads = async (id: string | undefined) =>
      (await sandbox.ledger('?kind=media.finalized')).filter((effect: { id: string }) => effect.id === id)
        .length;
    const loseFinalize = (kind = 'drop-after-effect') =>
      sandbox.fault({
        kind,
        ...(kind === 'answer-instead' && { status: 503 }),
        route: CALLS.finalize,
        times: 1,
      });

    it.each([
      ['refuses', 'a photo', 'refused'],
      ['refuses', 'a video', 'refused'],
      ['repeats', 'a photo', 'same'],
    ])('and X %s a second one, %s is uploaded once', async (_does, what, mediaFinalizedAgain) => {
      await sandbox.control('PUT', '/x/settings', { mediaFinalizedAgain });
      const call = aCall(
        [what === 'a video' ? theVideo() : await aPhoto(30, 'A roof'), await aPhoto(31)].slice(
          0,
          what === 'a video' ? 1 : 2,
        ),
      );
      const before = (await sandbox.ledger('?kind=media.initialized')).length;
      for (let lost = 0; lost < call.files.length; lost += 1) await loseFinalize();
      const { step, prepared } = await steps(call);
      expect(step).toBeNull();
      expect(await commit(call, prepared)).toMatchObject({ kind: 'published' });
      expect(await postsOf(call)).toHaveLength(1);
      expect((await sandbox.ledger('?kind=media.initialized')).length - before).toBe(call.files.length);
      expect(await uploads(prepared.ids['media-0'])).toBe(1);
    });

    it('X is asked for the status, after a wait, before anything is repeated', async () => {
      await loseFinalize();
      const { last } = await subject.steps(
        provider,
        aCall([await aPhoto(32)]),
        undefined,
        ({ kind }) => kind === 'wait',
      );
      expect(last).toEqual({ kind: 'wait', step: 'confirm/0', milliseconds: 5_000 });
    });

    it('and it had no effect, it is repeated, and lost again, without another upload', async () => {
      const call = aCall([await aPhoto(33)]);
      const before = (await sandbox.ledger('?kind=media.initialized')).length;
      await loseFinalize('drop-before-effect');
      await loseFinalize('answer-instead');
      await loseFinalize();
      expect(await commit(call, (await steps(call)).prepared)).toMatchObject({ kind: 'published' });
      expect((await sandbox.ledger('?kind=media.initialized')).length - before).toBe(1);
    });

    it('a refused second one is no verdict on the file: it is uploaded again when X does not accept its id', async () => {
      const call = aCall([await aPhoto(34)]);
      await loseFinalize('drop-before-effect');
      await sandbox.fault({ ...refusedWith(400), route: CALLS.finalize, times: 1 });
      const { step, prepared } = await steps(call);
      expect(step).toBeNull();
      expect(refusalOf(await commit(call, prepared))).toMatchObject({
        failure: { code: 'media_expired' },
        remedy: { kind: 'prepare-again' },
      });
      expect(await commit(call, (await steps(call)).prepared)).toMatchObject({ kind: 'published' });
    });

    it('and X no longer knows the id, the upload begins again', async () => {
      await loseFinalize();
      await sandbox.fault({ ...refusedWith(404), route: CALLS.status, times: 1 });
      expect(refusalOf((await steps(aCall([await aPhoto(35)]))).last)).toMatchObject({
        failure: { code: 'media_expired' },
        remedy: { kind: 'prepare-again' },
      });
    });

    it('and X cannot be reached for the status, that is asked again', async () => {
      const call = aCall([theVideo()]);
      await loseFinalize();
      await sandbox.fault({ kind: 'drop-after-effect', route: CALLS.status, times: 1 });
      const lost = await steps(call);
      expect(lost).toMatchObject({ step: 'confirm/0', last: { kind: 'no-answer' } });
      expect(await commit(call, (await steps(call, lost)).prepared)).toMatchObject({ kind: 'published' });
    });
  });

  it.each(
    Object.keys(CALLS).filter((name) => name !== 'create' && name !== 'finalize') as (keyof typeof CALLS)[],
  )('are published once when the answer to %s is lost', async (name) => {
    await sandbox.fault({ kind: 'drop-after-effect', route: CALLS[name], times: 1 });
    const call = name === 'status' ? aCall([theVideo()]) : aCall([await aPhoto(8, 'A roof')]);
    const lost = await steps(call);
    expect(lost.last).toMatchObject({ kind: 'no-answer', failure: { class: 'transient' } });
    const { prepared } = await steps(call, lost);
    expect(await commit(call, prepared)).toMatchObject({ kind: 'published' });
    const media = (await postsOf(call)).map((each) => each.map(({ sha256 }) => sha256));
    expect(media).toEqual([(call.files as MemoryFile[]).map(hashOf)]);
  });

  it('are uploaded again when an id is about to end, before the post and in the middle of an upload', async () => {
    const call = aCall([await aPhoto(9), await aPhoto(10)]);
    const whole = await steps(call);
    const late = (prepared: Prepared): Prepared => ({ ...prepared, ageMs: 0.95 * 86_400_000 });
    const before = (await sandbox.ledger()).length;
    expect(refusalOf(await commit(call, late(whole.prepared)))).toMatchObject({
      failure: { code: 'media_expired', networkCode: null },
      remedy: { kind: 'prepare-again' },
    });
    expect(await sandbox.ledger()).toHaveLength(before);
    const next = await provider.prepare({ ...call, step: 'status/1', prepared: late(whole.prepared) });
    expect(next).toEqual({ kind: 'next', step: 'initialize/0' });
    const again = await steps(call, { step: 'initialize/0', prepared: whole.prepared });
    expect(again.prepared.ids['media-0']).not.toBe(whole.prepared.ids['media-0']);
    expect(again.prepared.ids['media-1']).toBe(whole.prepared.ids['media-1']);
    expect(await commit(call, again.prepared)).toMatchObject({ kind: 'published' });
  });

  it.each(['append', 'finalize', 'status'])(
    'are uploaded again when X has dropped an id before %s',
    async (name) => {
      await sandbox.control('PUT', '/x/settings', { mediaExpirySeconds: 3_600 });
      const call = aCall([theVideo()]);
      const begun = await subject.steps(
        provider,
        call,
        undefined,
        (response) => 'step' in response && response.step.startsWith(name),
      );
      clock.advance(3_600_000);
      expect(refusalOf((await steps(call, begun)).last)).toMatchObject({
        failure: { code: 'media_expired', class: 'permanent' },
        remedy: { kind: 'prepare-again' },
      });
    },
  );

  it('are uploaded again when X does not accept an id with the post', async () => {
    await sandbox.control('PUT', '/x/settings', { mediaExpirySeconds: 3_600 });
    const call = aCall([theVideo()]);
    const { prepared } = await steps(call);
    clock.advance(3_600_000);
    expect(refusalOf(await commit(call, prepared))).toMatchObject({
      failure: { code: 'media_expired', class: 'permanent' },
      remedy: { kind: 'prepare-again' },
    });
    expect(await postsOf(call)).toEqual([]);
  });

  it('begin again when the rendition has another length than the one that is half uploaded', async () => {
    const call = aCall([await aPhoto(11)]);
    const begun = await subject.steps(provider, call, undefined, () => true);
    const other = { ...call, files: [new MemoryFile(await aPicture(60, 60), { contentType: 'image/png' })] };
    const { prepared } = await steps(other, begun);
    expect(await commit(other, prepared)).toMatchObject({ kind: 'published' });
    expect((await postsOf(other))[0]?.[0]?.sha256).toBe(hashOf(other.files[0] as MemoryFile));
  });

  const REFUSALS = [
    [{ kind: 'unauthorized' }, 'token_refused', 'auth', 'refresh'],
    [{ kind: 'rate-limited', resetSeconds: 60 }, 'rate_limited', 'transient', 'postpone'],
    [{ kind: 'usage-capped' }, 'usage_capped', 'configuration', undefined],
    [{ kind: 'forbidden', reason: 'client-forbidden' }, 'client_forbidden', 'configuration', undefined],
    [{ kind: 'forbidden', reason: 'suspended' }, 'forbidden_by_network', 'permanent', undefined],
  ] as const;
  it.each(
    (['initialize', 'append', 'finalize', 'status', 'describe'] as const).flatMap((name) =>
      REFUSALS.map((row) => [name, ...row] as const),
    ),
  )('classify a refusal of %s: %j is %s', async (name, fault, code, failureClass, remedy) => {
    await sandbox.fault({ ...fault, route: CALLS[name], times: 1 });
    const call = name === 'status' ? aCall([theVideo()]) : aCall([await aPhoto(12, 'A roof')]);
    const refusal = refusalOf((await steps(call)).last);
    expect([refusal.failure.code, refusal.failure.class, refusal.remedy?.kind]).toEqual([
      code,
      failureClass,
      remedy,
    ]);
    expect(await postsOf(call)).toEqual([]);
  });

  it.each([
    ['initialize', 400, 'media_refused', undefined],
    ['initialize', 413, 'media_refused', undefined],
    ['append', 400, 'media_refused', 'prepare-again'],
    ['append', 413, 'media_refused', undefined],
    ['finalize', 400, 'media_refused', 'prepare-again'],
    ['status', 404, 'media_expired', 'prepare-again'],
    ['describe', 400, 'alt_text_refused', undefined],
  ] as const)('classify %s answering %i as %s', async (name, status, code, remedy) => {
    await sandbox.fault({ ...refusedWith(status), route: CALLS[name], times: 1 });
    const call = name === 'status' ? aCall([theVideo()]) : aCall([await aPhoto(13, 'A roof')]);
    const refusal = refusalOf((await steps(call)).last);
    expect([refusal.failure.code, refusal.failure.class, refusal.remedy?.kind]).toEqual([
      code,
      'permanent',
      remedy,
    ]);
  });

  it.each(['initialize', 'status'] as const)('repeat %s when its answer is no answer of X', async (name) => {
    for (const body of ['', 'null', '{"data":{"id":7}}', '{"data":null}', '<html></html>'])
      await sandbox.fault({ kind: 'unreadable-answer', body, route: CALLS[name], times: 1 });
    await sandbox.fault({ kind: 'server-error-after-effect', status: 503, route: CALLS[name], times: 1 });
    const call = name === 'status' ? aCall([theVideo()]) : aCall([await aPhoto(14)]);
    let taken = await steps(call);
    for (let lost = 0; lost < 6; lost += 1) {
      expect(taken.last).toMatchObject({ kind: 'no-answer', failure: { class: 'transient' } });
      taken = await steps(call, taken);
    }
    expect(await commit(call, taken.prepared)).toMatchObject({ kind: 'published' });
    expect(await postsOf(call)).toHaveLength(1);
  });
});
