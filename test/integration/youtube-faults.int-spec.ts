import { randomUUID } from 'node:crypto';
import type { GrantedAccount } from '../../src/integrations/domain/provider-grants.js';
import type {
  CommitResponse,
  NetworkCall,
  Prepared,
  PreparedBefore,
} from '../../src/integrations/domain/provider-publishing.js';
import type { PublishingProvider } from '../../src/integrations/provider.types.js';
import { CONNECTING, ContractSubject, NOTHING, refusalOf } from '../support/contract-subject.js';
import { MemoryFile } from '../support/memory-file.js';
import { standInOfYoutube, type StandInOfYoutube } from '../support/stand-in-of-youtube.js';

const [BEGIN, PART, UNIT] = ['POST /upload/youtube/v3/videos', 'PUT /upload/youtube/v3/videos', 262_144];
const DAY_MS = 86_400_000;

/** Faults of YouTube, each with the number of videos that were published. */
describe('a fault of YouTube', () => {
  let subject: ContractSubject<StandInOfYoutube>;
  let standIn: StandInOfYoutube;
  let provider: PublishingProvider;
  let account: GrantedAccount;

  beforeAll(async () => {
    subject = await ContractSubject.start(standInOfYoutube);
    standIn = subject.standIn;
    provider = await subject.providerAt();
    account = await subject.anAccount(provider);
  });
  afterAll(() => subject.stop());
  afterEach(async () => {
    await standIn.sandbox.control('DELETE', '/faults');
    await settings({ storedBytesOfPart: 0, bytesSentAgain: 'ignored', sessionSeconds: 604_800 });
    await settings({ uploadsPerChannel: 1_000_000, verifiedProject: true, uploadsPerDay: 1_000_000 });
    await standIn.gateway.test.database.query('UPDATE gateway.video_quota SET exhausted = false');
  });

  const settings = (changes: object) => standIn.sandbox.control('PUT', '/youtube/settings', changes);
  const fault = (more: object) => standIn.sandbox.fault({ times: 1, network: 'youtube', ...more });
  const aCall = (files = standIn.files(), options = {}): NetworkCall => ({
    ...CONNECTING,
    account: account.profile,
    accessToken: account.grant.accessToken,
    attemptId: randomUUID(),
    content: { ...standIn.content(`Fault ${randomUUID()}`), options },
    files,
  });
  const aSmallFile = () => [
    new MemoryFile(Buffer.alloc(3 * UNIT + 100, 1), { kind: 'video', contentType: 'video/mp4' }),
  ];
  const steps = (call: NetworkCall, from?: { step: string | null; prepared: Prepared }) =>
    subject.steps(provider, call, from);
  const commit = (call: NetworkCall, prepared: Prepared): Promise<CommitResponse> =>
    provider.commit({ ...call, prepared, maySend: () => true });
  const publishedOf = async ({ content: { text } }: NetworkCall): Promise<number> =>
    (await standIn.published()).filter((each) => each === text).length;
  const stoppedBy = async (call: NetworkCall) => refusalOf((await steps(call)).last);
  const search = (call: NetworkCall, prepared: PreparedBefore, minutesLater = 1) =>
    provider.reconcile({
      ...call,
      prepared,
      since: new Date(Date.now() - minutesLater * 60_000).toISOString(),
    });

  it('308 with less than was sent: goes on after what was stored', async () => {
    await settings({ storedBytesOfPart: 1_500_000 });
    const call = aCall();
    const { prepared } = await steps(call);
    const answer = await commit(call, prepared);
    expect(answer.kind).toBe('published');
    expect(await standIn.media.received(call.content.text)).toHaveLength(1);
    expect(await publishedOf(call)).toBe(1);
  });

  it('308 with less than was sent, of the last part: the rest is sent within the same call', async () => {
    const call = aCall(aSmallFile());
    const { prepared } = await steps(call);
    await settings({ storedBytesOfPart: 60 });
    expect((await commit(call, prepared)).kind).toBe('published');
    expect(await publishedOf(call)).toBe(1);
  });

  it('308 without progress, of the last part: nothing is published, and it may be repeated', async () => {
    const call = aCall(aSmallFile());
    const { prepared } = await steps(call);
    await fault({ kind: 'answer-instead', status: 308, route: PART });
    // Without Range, YouTube has nothing: the upload begins again.
    expect(await commit(call, prepared)).toMatchObject({
      kind: 'refused',
      refusal: { remedy: { kind: 'prepare-again' } },
    });
    expect(await publishedOf(call)).toBe(0);
  });

  it('bytes that were sent again are refused: asks what it has, and goes on there', async () => {
    await settings({ bytesSentAgain: 'refused' });
    const call = aCall();
    const first = await subject.steps(provider, call, undefined, ({ kind }) => kind === 'next');
    await standIn.media.loseNextPart();
    const lost = await steps(call, first);
    expect(lost.last?.kind).toBe('no-answer');
    const { step, prepared } = await steps(call, lost);
    expect(step).toBeNull();
    expect((await commit(call, prepared)).kind).toBe('published');
    expect(await publishedOf(call)).toBe(1);
  });

  it.each([404, 410])('%d of the session: is prepared again', async (status) => {
    await fault({ kind: 'answer-instead', status, route: PART });
    expect(await stoppedBy(aCall())).toMatchObject({
      failure: { code: 'media_expired' },
      remedy: { kind: 'prepare-again' },
    });
  });

  it('a session that ended before the last part: publishes nothing and is prepared again', async () => {
    const call = aCall(aSmallFile());
    const { prepared } = await steps(call);
    await settings({ sessionSeconds: 0 });
    expect(await commit(call, prepared)).toMatchObject({
      kind: 'refused',
      refusal: { remedy: { kind: 'prepare-again' } },
    });
    await settings({ sessionSeconds: 604_800 });
    const again = await steps(
      { ...call, attemptId: randomUUID() },
      { step: provider.firstStep(call.content), prepared },
    );
    expect((await commit(call, again.prepared)).kind).toBe('published');
    expect(await publishedOf(call)).toBe(1);
  });

  it.each(['drop-after-effect', 'cut-answer', 'server-error-after-effect', 'unreadable-answer'])(
    '%s of the last part: in doubt, and the session names the video',
    async (kind) => {
      const call = aCall(aSmallFile());
      const { prepared } = await steps(call);
      await fault({ kind, route: PART, body: '<html>' });
      expect((await commit(call, prepared)).kind).toBe('unconfirmed');
      expect(await search(call, prepared)).toMatchObject({
        kind: 'found',
        posts: [{ platformPostUrl: expect.stringContaining('/youtube-web/watch?v=') }],
      });
      // A repeat gets the same video: a session makes one.
      expect((await commit(call, prepared)).kind).toBe('published');
      expect(await publishedOf(call)).toBe(1);
    },
  );

  it('a last part that was lost on its way: in doubt while it may still arrive, then the session shows that there is no video', async () => {
    const call = aCall(aSmallFile());
    const { prepared } = await steps(call);
    await fault({ kind: 'drop-before-effect', route: PART });
    expect((await commit(call, prepared)).kind).toBe('unconfirmed');
    expect(await search(call, prepared)).toMatchObject({ kind: 'pending' });
    expect(await search(call, prepared, 16)).toEqual({ kind: 'not-delivered' });
    // A long upload: the attempt began long before its last part was sent.
    expect(await search(call, { ...prepared, quietMs: 14 * 60_000 }, 300)).toMatchObject({ kind: 'pending' });
    expect(await search(call, { ...prepared, quietMs: 15 * 60_000 }, 300)).toEqual({ kind: 'not-delivered' });
    expect(await publishedOf(call)).toBe(0);
  });

  it('quotaExceeded: holds the channel until the reset, and no further call is made', async () => {
    await fault({ kind: 'usage-capped', route: BEGIN });
    const { failure, remedy } = await stoppedBy(aCall());
    expect(failure).toMatchObject({ code: 'quota_exhausted', class: 'transient' });
    if (remedy?.kind !== 'hold') throw new Error(remedy?.kind);
    expect(remedy.milliseconds).toBeGreaterThan(0);
    expect(remedy.milliseconds).toBeLessThanOrEqual(25 * 3_600_000);
    const before = (await standIn.sandbox.ledger('?kind=upload.begun')).length;
    expect((await stoppedBy(aCall())).failure.code).toBe('quota_exhausted');
    expect(await standIn.sandbox.ledger('?kind=upload.begun')).toHaveLength(before);
  });

  it('uploadLimitExceeded: holds the channel for a day', async () => {
    await settings({ uploadsPerChannel: 0 });
    expect(await stoppedBy(aCall())).toMatchObject({
      failure: { code: 'upload_limit_reached' },
      remedy: { kind: 'hold', milliseconds: DAY_MS },
    });
  });

  it('an ended token: is renewed', async () => {
    await fault({ kind: 'unauthorized', route: BEGIN });
    expect(await stoppedBy(aCall())).toMatchObject({
      failure: { code: 'token_refused', class: 'auth' },
      remedy: { kind: 'refresh' },
    });
  });

  it.each(['channelSuspended', 'insufficientPermissions', 'forbiddenPrivacySetting'])(
    '%s: fails for good',
    async (reason) => {
      await fault({ kind: 'forbidden', reason, route: BEGIN });
      const refusal = await stoppedBy(aCall());
      expect(refusal).toMatchObject({ failure: { class: 'permanent', networkCode: reason } });
      expect(refusal.remedy).toBeUndefined();
    },
  );

  it('the provider gateway is down: nothing was sent', async () => {
    const call = aCall(aSmallFile());
    const { prepared } = await steps(call);
    const away = await subject.providerAt('http://127.0.0.1:1');
    expect(
      await away.prepare({ ...call, step: provider.firstStep(call.content) ?? '', prepared: NOTHING }),
    ).toMatchObject({
      kind: 'no-answer',
      failure: { class: 'transient' },
    });
    expect((await away.commit({ ...call, prepared, maySend: () => true })).kind).toBe('not-sent');
    expect(await publishedOf(call)).toBe(0);
  });

  it('an account without a channel: is refused with what to do', async () => {
    const { accessToken } = await standIn.sandbox.account('onlywatches', { hasChannel: false }, 'youtube');
    const grant = { ...account.grant, accessToken };
    await expect(provider.accounts(grant, CONNECTING)).rejects.toMatchObject({
      code: 'authorization_failed',
      message: expect.stringContaining('has no YouTube channel'),
    });
  });

  it('sends the options of the post; without a choice the video is private', async () => {
    const options = {
      privacy: 'public',
      madeWithAi: true,
      madeForKids: true,
      tags: ['roast', 'how to'],
    } as const;
    const shown = async (call: NetworkCall) => {
      const { prepared } = await steps(call);
      const answer = await commit(call, prepared);
      if (answer.kind !== 'published') throw new Error(answer.kind);
      const { body } = await standIn.sandbox.call(
        'GET',
        new URL(answer.platformPostUrl).pathname + new URL(answer.platformPostUrl).search,
      );
      return String(body);
    };
    const page = await shown(aCall(aSmallFile(), options));
    for (const word of ['public', 'made for kids', 'altered content', 'tags: roast, how to'])
      expect(page).toContain(word);
    expect(await shown(aCall(aSmallFile()))).toMatch(/· private/);
    await settings({ verifiedProject: false });
    expect(await shown(aCall(aSmallFile(), options))).toMatch(/· private/);
  });
});
