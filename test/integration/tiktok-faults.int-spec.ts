import { randomUUID } from 'node:crypto';
import type { AddressInfo, Server } from 'node:net';
import { createServer } from 'node:http';
import type { PostOptions } from '#libs/content';
import type { GrantedAccount } from '../../src/integrations/domain/provider-grants.js';
import type {
  CommitResponse,
  NetworkCall,
  Prepared,
} from '../../src/integrations/domain/provider-publishing.js';
import type { PublishingProvider } from '../../src/integrations/provider.types.js';
import { CONNECTING, ContractSubject, refusalOf } from '../support/contract-subject.js';
import { MemoryFile } from '../support/memory-file.js';
import { aPicture } from '../support/pictures.js';
import { standInOfTikTok, type StandInOfTikTok } from '../support/stand-in-of-tiktok.js';
import { makeVideo } from '../support/video-files.js';

const PHOTOS = 'POST /v2/post/publish/content/init/';
const VIDEO = 'POST /v2/post/publish/video/init/';
const CREATOR = 'POST /v2/post/publish/creator_info/query/';

/** Faults of TikTok, each with the number of posts that were published. */
describe('a fault of TikTok', () => {
  let subject: ContractSubject<StandInOfTikTok>;
  let standIn: StandInOfTikTok;
  let provider: PublishingProvider;
  let account: GrantedAccount;
  let video: Buffer;
  let mediaHost: Server;
  let photo: Buffer;

  beforeAll(async () => {
    subject = await ContractSubject.start(standInOfTikTok);
    standIn = subject.standIn;
    provider = await subject.providerAt();
    account = await subject.anAccount(provider);
    video = await makeVideo({ soundFrom: null });
    photo = await aPicture(400, 500, { format: 'jpeg' });
    mediaHost = createServer((request, response) => {
      if (request.url === '/gone') return void response.writeHead(404).end();
      if (request.url === '/moved') return void response.writeHead(302, { location: '/photo' }).end();
      response.end(request.url === '/text' ? 'no picture' : photo);
    });
    await new Promise<void>((resolve) => mediaHost.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    mediaHost.close();
    await subject.stop();
  });
  afterEach(async () => {
    await standIn.sandbox.control('DELETE', '/faults');
    await settings({ failReason: null, audited: true, verifiedUrlPrefixes: null, errorStatus: 'documented' });
    await settings({
      publicPostIds: 'given',
      processingSeconds: 0,
      uploadUrlSeconds: 3_600,
      postsPerDay: 10_000,
    });
  });

  const settings = (changes: object) => standIn.sandbox.control('PUT', '/tiktok/settings', changes);
  const fault = (more: object) => standIn.sandbox.fault({ times: 1, network: 'tiktok', ...more });
  const aVideo = () => [new MemoryFile(video, { kind: 'video', contentType: 'video/mp4' })];
  const photos = (...paths: string[]) =>
    paths.map((path) =>
      Object.assign(new MemoryFile(photo), {
        address: () => `http://127.0.0.1:${(mediaHost.address() as AddressInfo).port}${path}`,
      }),
    );
  const aCall = (files = aVideo(), options: PostOptions = { privacy: 'public' }): NetworkCall => ({
    ...CONNECTING,
    account: account.profile,
    accessToken: account.grant.accessToken,
    attemptId: randomUUID(),
    content: { ...standIn.content(`Fault ${randomUUID()}`), options, mediaIds: files.map(() => 'm1') },
    files,
  });
  const commit = (call: NetworkCall, prepared: Prepared): Promise<CommitResponse> =>
    provider.commit({ ...call, prepared, maySend: () => true });
  const search = (call: NetworkCall, prepared: Prepared, minutesLater = 1) =>
    provider.reconcile({
      ...call,
      prepared,
      since: new Date(Date.now() - minutesLater * 60_000).toISOString(),
    });
  /** Every step, the irreversible call and what TikTok decided. */
  const sent = async (call: NetworkCall) => {
    const { step, prepared, last } = await subject.steps(provider, call);
    if (step !== null) throw new Error(last?.kind);
    const answer = await commit(call, prepared);
    const ids = answer.kind === 'accepted' ? answer.ids : {};
    const known = { ...prepared, ids: { ...prepared.ids, ...ids } };
    return { answer, known, decision: await search(call, known) };
  };
  const stoppedBy = async (call: NetworkCall) => refusalOf((await subject.steps(provider, call)).last);
  const publishedOf = async ({ content: { text } }: NetworkCall): Promise<number> =>
    (await standIn.published()).filter((each) => each === text).length;

  it.each(['internal', 'file_format_check_failed', 'frame_rate_check_failed', 'auth_removed'])(
    'PROCESSING, then FAILED %s: refused, and the accepted part is never sent again',
    async (reason) => {
      await settings({ failReason: reason });
      const call = aCall();
      const { answer, known, decision } = await sent(call);
      expect(answer.kind).toBe('accepted');
      expect(decision).toMatchObject({ kind: 'refused', failure: { networkCode: reason } });
      expect(await commit(call, known)).toMatchObject({
        kind: 'refused',
        refusal: { remedy: { kind: 'prepare-again' } },
      });
      expect(await publishedOf(call)).toBe(0);
    },
  );

  it('PROCESSING_UPLOAD with all bytes: pending', async () => {
    await settings({ processingSeconds: 60 });
    const call = aCall();
    expect((await sent(call)).decision.kind).toBe('pending');
    expect(await publishedOf(call)).toBe(1);
  });

  it('no public id of a private or unmoderated post: its publish id is the id', async () => {
    const call = aCall(aVideo(), { privacy: 'private' });
    const { decision } = await sent(call);
    if (decision.kind !== 'found') throw new Error(decision.kind);
    expect(decision.posts[0]?.platformPostId).toMatch(/^v_pub_file~/);
    expect(decision.posts[0]?.platformPostUrl).toMatch(/\/@acme$/);
    expect(await publishedOf(call)).toBe(1);
  });

  it('a public id of 19 digits is kept exactly', async () => {
    const call = aCall();
    const { decision } = await sent(call);
    if (decision.kind !== 'found') throw new Error(decision.kind);
    const [{ id }] = (await standIn.sandbox.ledger(
      `?${new URLSearchParams({ text: call.content.text, kind: 'post.created' }).toString()}`,
    )) as [{ id: string }];
    expect(decision.posts[0]?.platformPostId).toBe(id);
  });

  it('a lost answer to the last part: unconfirmed, then found', async () => {
    const call = aCall();
    const { prepared } = await subject.steps(provider, call);
    await fault({ kind: 'drop-after-effect', route: 'PUT /video/' });
    expect((await commit(call, prepared)).kind).toBe('unconfirmed');
    expect((await search(call, prepared)).kind).toBe('found');
    expect(await publishedOf(call)).toBe(1);
  });

  it('a last part that never arrived: not delivered, once it cannot be on its way any more', async () => {
    const call = aCall();
    const { prepared } = await subject.steps(provider, call);
    await fault({ kind: 'drop-before-effect', route: 'PUT /video/' });
    expect((await commit(call, prepared)).kind).toBe('unconfirmed');
    expect((await search(call, prepared)).kind).toBe('pending');
    expect((await search(call, prepared, 16)).kind).toBe('not-delivered');
    const confirmed = { ...prepared, ids: { ...prepared.ids, committed: prepared.ids.publish ?? '' } };
    expect((await search(call, confirmed, 16)).kind).toBe('pending');
    expect(await publishedOf(call)).toBe(0);
  });

  it('a last part that arrived after it was put back: its repeat is in doubt, and begins no other upload', async () => {
    const call = aCall();
    const { prepared } = await subject.steps(provider, call);
    await fault({ kind: 'drop-after-effect', route: 'PUT /video/' });
    await commit(call, prepared);
    expect((await commit(call, prepared)).kind).toBe('unconfirmed');
    expect((await search(call, prepared)).kind).toBe('found');
    expect(await publishedOf(call)).toBe(1);
  });

  it('a dead upload address: prepared again', async () => {
    await settings({ uploadUrlSeconds: 0 });
    const call = aCall();
    const { prepared } = await subject.steps(provider, call);
    expect(await commit(call, prepared)).toMatchObject({
      kind: 'refused',
      refusal: { failure: { code: 'media_expired' }, remedy: { kind: 'prepare-again' } },
    });
    expect(await publishedOf(call)).toBe(0);
  });

  it.each([
    ['access_token_invalid', { kind: 'unauthorized' }, 'auth'],
    ['rate_limit_exceeded', { kind: 'rate-limited' }, 'transient'],
    ['reached_active_user_cap', { kind: 'usage-capped' }, 'transient'],
    ['spam_risk_too_many_posts', { kind: 'forbidden', reason: 'spam_risk_too_many_posts' }, 'transient'],
    [
      'spam_risk_user_banned_from_posting',
      { kind: 'forbidden', reason: 'spam_risk_user_banned_from_posting' },
      'permanent',
    ],
    [
      'privacy_level_option_mismatch',
      { kind: 'forbidden', reason: 'privacy_level_option_mismatch' },
      'permanent',
    ],
  ])('%s, also with status 200: %j', async (networkCode, kind, failureClass) => {
    for (const errorStatus of ['documented', 'always-200'])
      for (const route of [CREATOR, VIDEO]) {
        await settings({ errorStatus });
        await fault({ ...kind, route });
        const call = aCall();
        expect((await stoppedBy(call)).failure).toMatchObject({ networkCode, class: failureClass });
        expect(await publishedOf(call)).toBe(0);
      }
  });

  it('an app that is not audited: no post of a public account', async () => {
    await settings({ audited: false });
    const call = aCall(aVideo(), { privacy: 'private' });
    expect((await stoppedBy(call)).failure).toMatchObject({
      code: 'privacy_not_allowed',
      class: 'permanent',
    });
    expect(await publishedOf(call)).toBe(0);
  });

  it('a privacy that the account does not offer any more: refused before the upload', async () => {
    const call = aCall(aVideo(), { privacy: 'followers' });
    expect((await stoppedBy(call)).failure.code).toBe('privacy_not_allowed');
    expect(await publishedOf(call)).toBe(0);
  });

  it('photos are fetched, and published once', async () => {
    const call = aCall(photos('/photo', '/photo?2'));
    const { answer, decision } = await sent(call);
    expect(answer.kind).toBe('accepted');
    if (decision.kind !== 'found') throw new Error(decision.kind);
    expect(decision.posts[0]?.platformPostUrl).toMatch(/\/@acme\/photo\/\d+$/);
    expect(await publishedOf(call)).toBe(1);
    expect(await standIn.media.received(call.content.text)).toHaveLength(2);
  });

  it.each([
    ['/gone', 'photo_pull_failed', 'transient'],
    ['/moved', 'photo_pull_failed', 'transient'],
    ['/text', 'file_format_check_failed', 'permanent'],
  ])('a photo at %s: FAILED %s', async (path, reason, failureClass) => {
    const call = aCall(photos('/photo', path));
    expect((await sent(call)).decision).toMatchObject({
      kind: 'refused',
      failure: { networkCode: reason, class: failureClass },
    });
    expect(await publishedOf(call)).toBe(0);
  });

  it('photos below a prefix that is not verified: tried again later', async () => {
    await settings({ verifiedUrlPrefixes: ['https://media.example.com/'] });
    const call = aCall(photos('/photo'));
    const { prepared } = await subject.steps(provider, call);
    expect(await commit(call, prepared)).toMatchObject({
      kind: 'refused',
      refusal: {
        failure: { networkCode: 'url_ownership_unverified', class: 'transient' },
        remedy: { kind: 'postpone' },
      },
    });
    expect(await publishedOf(call)).toBe(0);
  });

  it('a lost answer to photos: unconfirmed, and unknown without a publish id', async () => {
    const call = aCall(photos('/photo'));
    const { prepared } = await subject.steps(provider, call);
    await fault({ kind: 'drop-after-effect', route: PHOTOS });
    expect((await commit(call, prepared)).kind).toBe('unconfirmed');
    expect((await search(call, prepared)).kind).toBe('unknown');
    expect(await publishedOf(call)).toBe(1);
  });

  it('rotated refresh tokens: the old one is dead', async () => {
    const { grant } = await subject.anAccount(provider);
    const renewed = await provider.renew(grant);
    if (renewed.kind !== 'granted') throw new Error(renewed.kind);
    expect(renewed.grant.refreshToken).not.toBe(grant.refreshToken);
    expect((await provider.renew(grant)).kind).toBe('dead');
    await fault({ kind: 'server-error-before-effect', route: 'POST /v2/oauth/token/', status: 500 });
    expect((await provider.renew(renewed.grant)).kind).toBe('unavailable');
    expect((await provider.renew(renewed.grant)).kind).toBe('granted');
  });
});
