import { randomUUID } from 'node:crypto';
import { FixedClock } from '#libs/clock/testing';
import type { DeliveryFile, PostOptions } from '#libs/content';
import type { DeliveryContent } from '../../src/integrations/domain/delivery-outcome.js';
import type { GrantedAccount } from '../../src/integrations/domain/provider-grants.js';
import type {
  CommitResponse,
  NetworkCall,
  Prepared,
} from '../../src/integrations/domain/provider-publishing.js';
import type { PublishingProvider } from '../../src/integrations/provider.types.js';
import { CONNECTING, ContractSubject, NOTHING, REDIRECT, refusalOf } from '../support/contract-subject.js';
import type { FetchedFile } from '../support/media-host.js';
import { MemoryFile } from '../support/memory-file.js';
import type { SandboxForTests } from '../support/sandbox.js';
import { standInOfFacebook, type StandInOfFacebook } from '../support/stand-in-of-facebook.js';
import { makeVideo, steadyPictures } from '../support/video-files.js';

const DEFAULTS = {
  ...{ rateLimits: 'off', pageCallsPerDay: 4_800, duplicateWindowSeconds: 86_400, declinedScopes: [] },
  ...{ pagesPerList: 25, photoSeconds: 86_400, transferBytes: 40_000, repeatedTransfer: 'accepted' },
  ...{ videoProcessingSeconds: 10, videoProcessingError: null },
};
const FEED = 'POST /:version/:page/feed';
const TOKEN = 'POST /:version/oauth/access_token';

describe('bad days of Facebook', () => {
  const clock = new FixedClock(new Date('2026-11-21T10:00:00.000Z'));
  let subject: ContractSubject<StandInOfFacebook>;
  let standIn: StandInOfFacebook;
  let sandbox: SandboxForTests;
  let provider: PublishingProvider;
  let account: GrantedAccount;
  let video: Buffer;

  beforeAll(async () => {
    subject = await ContractSubject.start(() => standInOfFacebook(clock));
    ({ standIn } = subject);
    ({ sandbox } = standIn);
    provider = await subject.providerAt();
    // Upright, as a reel.
    video = await makeVideo({ bytes: 1_000, pictures: steadyPictures(0, 4), rotation: 90 });
  });
  beforeEach(async () => {
    await sandbox.control('DELETE', '/faults');
    await standIn.set(DEFAULTS);
    clock.advance(60_000);
    account = await subject.anAccount(provider);
  });
  afterAll(() => subject.stop());

  const aText = () => `Post ${randomUUID()}`;
  const content = (text: string, more: Partial<DeliveryContent> = {}): DeliveryContent => ({
    ...standIn.content(text),
    mediaIds: [],
    ...more,
  });
  const aVideo = (text: string, options: PostOptions = {}) => content(text, { mediaIds: ['m1'], options });
  const videoFile = () => new MemoryFile(video, { kind: 'video', contentType: 'video/mp4' });
  const callFor = (of: DeliveryContent, files: readonly DeliveryFile[] = []): NetworkCall => ({
    ...CONNECTING,
    account: account.profile,
    accessToken: account.grant.accessToken,
    attemptId: randomUUID(),
    content: of,
    files,
  });
  const prepare = async (call: NetworkCall): Promise<Prepared> => {
    const { step, prepared, last } = await subject.steps(provider, call);
    if (step !== null) throw new Error(JSON.stringify(last));
    return prepared;
  };
  const commit = (call: NetworkCall, prepared: Prepared = NOTHING): Promise<CommitResponse> =>
    provider.commit({ ...call, prepared, maySend: () => true });
  const send = (text: string, more: Partial<DeliveryContent> = {}) => commit(callFor(content(text, more)));
  const search = (call: NetworkCall, prepared: Prepared | null, since = clock.now().toISOString()) =>
    provider.reconcile({ ...call, prepared, since });
  const posts = async (text: string) => (await standIn.effects('post.created', text)).length;
  const lose = (route: string, more: object = {}) =>
    sandbox.fault({ kind: 'drop-after-effect', route, times: 1, ...more });

  describe('of a post', () => {
    it('a text with a link is live at the address that is stored', async () => {
      const text = aText();
      const link = 'https://example.com/menu';
      const result = await send(text, { link });
      if (result.kind !== 'published') throw new Error(result.kind);
      expect(result.platformPostId).toMatch(new RegExp(`^${account.profile.accountId}_\\d+$`));
      const page = await fetch(result.platformPostUrl).then((response) => response.text());
      expect([page.includes(text), page.includes(link)]).toEqual([true, true]);
    });

    it('the same text again is a duplicate, and published once', async () => {
      const text = aText();
      expect((await send(text)).kind).toBe('published');
      const refusal = refusalOf(await send(text));
      expect([refusal.failure.code, refusal.duplicate, refusal.failure.networkCode]).toEqual([
        'duplicate_content',
        true,
        '506',
      ]);
      expect(await posts(text)).toBe(1);
    });

    it.each([
      ['drop-after-effect', {}],
      ['server-error-after-effect', { status: 502 }],
      ['unreadable-answer', { body: '<html>' }],
      ['cut-answer', {}],
    ])('is in doubt after %s, found by its text, and published once', async (kind, more) => {
      const text = aText();
      const call = callFor(content(text));
      await sandbox.fault({ kind, route: FEED, times: 1, ...more });
      expect((await commit(call)).kind).toBe('unconfirmed');
      const found = await search(call, null);
      if (found.kind !== 'found') throw new Error(found.kind);
      const [post] = found.posts;
      expect(post?.platformPostUrl).toContain('/facebook-web/acme.page/posts/');
      const since = clock.now().toISOString();
      expect(post?.mayBeOf({ content: call.content, since })).toBe(true);
      expect(post?.mayBeOf({ content: { text: 'Other', link: null }, since })).toBe(false);
      expect(await posts(text)).toBe(1);
    });

    it('leaves no doubt after a refusal or an error before its effect', async () => {
      const text = aText();
      await sandbox.fault({ kind: 'rate-limited', resetSeconds: 600, route: FEED, times: 1 });
      expect(refusalOf(await send(text))).toMatchObject({
        failure: { code: 'rate_limited', networkCode: '32' },
        remedy: { kind: 'hold', milliseconds: 600_000 },
      });
      await sandbox.fault({ kind: 'server-error-before-effect', status: 400, route: FEED, times: 1 });
      // Code 2 with is_transient: Facebook does not say that nothing happened.
      expect((await send(text)).kind).toBe('unconfirmed');
      expect((await search(callFor(content(text)), null)).kind).toBe('unknown');
      expect(await posts(text)).toBe(0);
    });

    it('shows every post with the same text since the attempt, and none before it', async () => {
      await standIn.set({ duplicateWindowSeconds: 0 });
      const text = aText();
      await send(text);
      clock.advance(10_000);
      const since = clock.now().toISOString();
      await send(text);
      await send(text);
      const found = await search(callFor(content(text)), null, since);
      expect(found.kind === 'found' && found.posts.length).toBe(2);
    });

    it('finds a link without a text', async () => {
      const link = `https://example.com/${randomUUID()}`;
      const call = callFor(content('', { link }));
      await lose(FEED);
      expect((await commit(call)).kind).toBe('unconfirmed');
      expect((await search(call, null)).kind).toBe('found');
      const other = { ...call, content: content('', { link: 'https://example.com/other' }) };
      expect((await search(other, null)).kind).toBe('unknown');
    });

    it('is not published with a link that opens nothing', async () => {
      const text = aText();
      const refusal = refusalOf(await send(text, { link: 'https://nothing.invalid' }));
      expect([refusal.failure.code, refusal.failure.class]).toEqual(['link_refused', 'permanent']);
      expect(await posts(text)).toBe(0);
    });

    it('is held for hours when the page is blocked', async () => {
      const page = '/facebook/accounts/acme.page/suspend';
      await sandbox.control('POST', page, { suspended: true });
      const text = aText();
      const { failure, remedy } = refusalOf(await send(text));
      await sandbox.control('POST', page, { suspended: false });
      expect([failure.code, failure.networkCode, remedy]).toEqual([
        'temporarily_blocked',
        '368',
        { kind: 'hold', milliseconds: 4 * 3_600_000 },
      ]);
      expect(await posts(text)).toBe(0);
    });

    it('is not sent to a page whose admin was removed, and the connection ends', async () => {
      const tasks = (list: string[]) =>
        sandbox.control('PUT', '/facebook/pages/acme.page/tasks', { person: 'acme', tasks: list });
      await tasks([]);
      const text = aText();
      const { failure, remedy } = refusalOf(await send(text));
      expect([failure.networkCode, failure.class, remedy]).toEqual(['190/492', 'auth', { kind: 'refresh' }]);
      expect(failure.message).toContain('no longer has a role');
      expect(await provider.renew(account.grant)).toEqual({ kind: 'dead', networkCode: '190/492' });
      await expect(provider.facts(account.profile, account.grant.accessToken)).rejects.toMatchObject({
        code: 'network_unavailable',
      });
      await tasks(['CREATE_CONTENT', 'MANAGE']);
      expect(await posts(text)).toBe(0);
    });

    it.each([
      ['revoked', '190/458'],
      ['checkpoint', '190/459'],
      ['password', '190/460'],
      ['expired', '190/463'],
    ])('is refused when the token ended: %s', async (reason, networkCode) => {
      await sandbox.control('POST', '/facebook/accounts/acme/revoke', { reason });
      const refusal = refusalOf(await send(aText()));
      expect([refusal.failure.networkCode, refusal.remedy]).toEqual([networkCode, { kind: 'refresh' }]);
      expect(await provider.renew(account.grant)).toEqual({ kind: 'dead', networkCode });
    });

    it('keeps a token that Facebook still accepts, and does not end it in an outage', async () => {
      expect(await provider.renew(account.grant)).toMatchObject({
        kind: 'granted',
        grant: { accessToken: account.grant.accessToken, expiresAt: null },
      });
      for (const fault of [
        { kind: 'server-error-before-effect', status: 500 },
        { kind: 'rate-limited' },
        { kind: 'drop-before-effect' },
        { kind: 'answer-instead', status: 200, body: '{}' },
        {
          kind: 'answer-instead',
          status: 400,
          body: JSON.stringify({
            error: { code: 190, message: 'Error validating application. Application has been deleted.' },
          }),
        },
      ]) {
        await sandbox.fault({ ...fault, route: 'GET /:version/me', times: 1 });
        expect(await provider.renew(account.grant)).toEqual({ kind: 'unavailable' });
      }
    });

    it('states the usage of limits with each response, and waits as long as Facebook says', async () => {
      const first = await send(aText());
      const readings = (first as { readings?: { name: string; remaining: number; max: number }[] }).readings;
      expect(readings?.map(({ name, max }) => [name, max])).toEqual([
        ['percent-of-app-calls', 100],
        ['percent-of-page-calls', 100],
      ]);
      await standIn.set({ rateLimits: 'on', pageCallsPerDay: 1 });
      await send(aText());
      const { failure, remedy } = refusalOf(await send(aText()));
      expect([failure.networkCode, remedy?.kind]).toEqual(['32', 'hold']);
      expect((remedy as { milliseconds: number }).milliseconds).toBeGreaterThan(23 * 3_600_000);
    });
  });

  describe('of photos', () => {
    const photos = (text: string) => callFor(standIn.content(text), standIn.files());

    it('are attached to one post with their alt texts, and found by their ids', async () => {
      const text = aText();
      const [first, second] = standIn.files() as [FetchedFile, FetchedFile];
      const described = Object.assign(first, { altText: ' A café ' });
      const call = callFor(standIn.content(text), [described, second]);
      const prepared = await prepare(call);
      await lose(FEED);
      expect((await commit(call, prepared)).kind).toBe('unconfirmed');
      const found = await search(call, prepared);
      if (found.kind !== 'found') throw new Error(found.kind);
      expect(found.posts).toHaveLength(1);
      // Its photos are of this attempt: no other one can have made it.
      const since = clock.now().toISOString();
      expect(found.posts[0]?.mayBeOf({ content: call.content, since })).toBe(false);
      const [effect, ...more] = await standIn.effects('post.created', text);
      expect([effect?.media?.map(({ altText }) => altText), more]).toEqual([['A café', undefined], []]);
    });

    it('one photo is published like several', async () => {
      const text = aText();
      const [file] = standIn.files();
      if (!file) throw new Error('No file.');
      const call = callFor(content(text, { mediaIds: ['m1'] }), [file]);
      const result = await commit(call, await prepare(call));
      expect(result.kind).toBe('published');
      expect(await posts(text)).toBe(1);
      const page = await fetch(`${sandbox.url}/facebook-web/acme.page`).then((response) => response.text());
      const [src] = /\/facebook-web\/i\/media\/\d+/.exec(page) ?? [];
      const shown = await fetch(sandbox.url + (src ?? ''));
      expect(shown.headers.get('content-type')).toBe('image/jpeg');
      // A body that is not read keeps its connection open.
      await shown.bytes();
    });

    it('that Facebook has dropped are uploaded again, and nothing is published', async () => {
      await standIn.set({ photoSeconds: 1 });
      const text = aText();
      const call = photos(text);
      const prepared = await prepare(call);
      clock.advance(2_000);
      expect(refusalOf(await commit(call, prepared)).remedy).toEqual({ kind: 'prepare-again' });
      const late = { ...prepared, ageMs: 21 * 3_600_000 };
      expect(refusalOf(await commit(call, late))).toMatchObject({
        failure: { code: 'media_expired' },
        remedy: { kind: 'prepare-again' },
      });
      expect(await posts(text)).toBe(0);
    });
  });

  describe('of videos', () => {
    it('are pending until Facebook has processed them, then live', async () => {
      const text = aText();
      const call = callFor(aVideo(text), [videoFile()]);
      const prepared = await prepare(call);
      expect(await commit(call, prepared)).toMatchObject({ kind: 'accepted' });
      expect(await search(call, prepared)).toMatchObject({ kind: 'pending' });
      clock.advance(11_000);
      const found = await search(call, prepared);
      if (found.kind !== 'found') throw new Error(found.kind);
      const [post] = found.posts;
      expect(post?.platformPostId).toBe(prepared.ids.video);
      const page = await fetch(post?.platformPostUrl ?? '').then((response) => response.text());
      expect([page.includes(text), page.includes('<video')]).toEqual([true, true]);
      expect(await posts(text)).toBe(1);
    });

    it('whose answer was lost are published once, and found by their id', async () => {
      const text = aText();
      const call = callFor(aVideo(text), [videoFile()]);
      const prepared = await prepare(call);
      await lose('POST /:version/:page/videos');
      expect((await commit(call, prepared)).kind).toBe('unconfirmed');
      clock.advance(11_000);
      expect((await search(call, prepared)).kind).toBe('found');
      expect(await posts(text)).toBe(1);
    });

    it('whose call never arrived are no evidence', async () => {
      const call = callFor(aVideo(aText()), [videoFile()]);
      const prepared = await prepare(call);
      expect((await search(call, prepared)).kind).toBe('unknown');
    });

    it('that cannot be processed are refused, and nothing is published', async () => {
      await standIn.set({ videoProcessingError: 'codec' });
      const text = aText();
      const call = callFor(aVideo(text), [videoFile()]);
      const prepared = await prepare(call);
      expect((await commit(call, prepared)).kind).toBe('accepted');
      clock.advance(11_000);
      expect(await search(call, prepared)).toMatchObject({
        kind: 'refused',
        failure: { code: 'media_processing_failed', class: 'permanent' },
      });
      expect(await posts(text)).toBe(0);
    });

    it('with a dead upload session are uploaded again', async () => {
      const text = aText();
      const call = callFor(aVideo(text), [videoFile()]);
      const prepared = await prepare(call);
      const dead = { ...prepared, notes: { session: '1' } };
      expect(refusalOf(await commit(call, dead)).remedy).toEqual({ kind: 'prepare-again' });
      expect(await posts(text)).toBe(0);
    });

    it('continue at the offset that Facebook names when it refuses a part that it has', async () => {
      await standIn.set({ repeatedTransfer: 'refused' });
      const text = aText();
      const call = callFor(aVideo(text), [videoFile()]);
      const isFirstPart = ({ step = '' }: { step?: string }) => /^transfer\/0\//.test(step);
      const begun = await subject.steps(provider, call, undefined, (last) =>
        isFirstPart(last as { step?: string }),
      );
      await lose('POST /:version/:page/videos');
      const lost = await subject.steps(provider, call, { step: begun.step, prepared: begun.prepared });
      expect(lost.last?.kind).toBe('no-answer');
      const rest = await subject.steps(provider, call, { step: lost.step, prepared: lost.prepared });
      expect(rest.step).toBeNull();
      expect((await commit(call, rest.prepared)).kind).toBe('accepted');
      expect(await posts(text)).toBe(1);
    });
  });

  describe('of reels', () => {
    const reel = (text: string, options: PostOptions = {}) =>
      callFor(aVideo(text, { format: 'reel', ...options }), [videoFile()]);

    it('are marked as made with AI where the author says so', async () => {
      const text = aText();
      const call = reel(text, { madeWithAi: true });
      const prepared = await prepare(call);
      expect((await commit(call, prepared)).kind).toBe('accepted');
      clock.advance(11_000);
      const found = await search(call, prepared);
      if (found.kind !== 'found') throw new Error(found.kind);
      expect(found.posts[0]?.platformPostUrl).toContain('/reel/');
      const page = await fetch(found.posts[0]?.platformPostUrl ?? '').then((response) => response.text());
      expect(page).toContain('AI info');
      expect(await posts(text)).toBe(1);
    });

    it('are marked as made with AI where the file says so', async () => {
      const text = aText();
      const call = reel(text);
      Object.assign(call.files[0] as object, { aiMark: 'generated' });
      const prepared = await prepare(call);
      expect((await commit(call, prepared)).kind).toBe('accepted');
      expect(await standIn.sandbox.knowsOfAi(text)).toBe(true);
    });

    it('continue after the bytes that Facebook has', async () => {
      const text = aText();
      const call = reel(text);
      const begun = await subject.steps(
        provider,
        call,
        undefined,
        (last) => last.kind === 'next' && last.step === 'send-reel',
      );
      const half = Math.floor(video.length / 2);
      // An attempt before sent a part of the bytes, and ended.
      const partly = await fetch(begun.prepared.addresses.upload ?? '', {
        method: 'POST',
        headers: {
          authorization: `OAuth ${call.accessToken}`,
          offset: '0',
          file_size: String(video.length),
        },
        body: new Uint8Array(video.subarray(0, half)),
      });
      expect(partly.status).toBe(200);
      await partly.bytes();
      const rest = await subject.steps(provider, call, { step: begun.step, prepared: begun.prepared });
      expect(rest.step).toBeNull();
      expect((call.files[0] as MemoryFile).opened).toEqual([[half, video.length]]);
      expect((await commit(call, rest.prepared)).kind).toBe('accepted');
      expect(await standIn.fetching.received(text)).toHaveLength(1);
    });

    it('whose last answer was lost are not sent again', async () => {
      const call = reel(aText());
      const begun = await subject.steps(
        provider,
        call,
        undefined,
        (last) => last.kind === 'next' && last.step === 'send-reel',
      );
      await lose('POST /video-upload/:version/:id');
      const lost = await subject.steps(provider, call, { step: begun.step, prepared: begun.prepared });
      expect(lost.last?.kind).toBe('no-answer');
      const rest = await subject.steps(provider, call, { step: lost.step, prepared: lost.prepared });
      expect(rest.step).toBeNull();
      expect((call.files[0] as MemoryFile).opened).toHaveLength(1);
    });

    it('send no token to an address that is not of Facebook', async () => {
      const body = JSON.stringify({ video_id: '1', upload_url: 'https://example.com/video-upload/v25.0/1' });
      const route = 'POST /:version/:page/video_reels';
      await sandbox.fault({ kind: 'answer-instead', status: 200, body, route, times: 1 });
      const { last } = await subject.steps(provider, reel(aText()));
      expect(last?.kind).toBe('no-answer');
    });
  });

  describe('of a sign-in', () => {
    const exchange = async () => {
      const url = provider.authorizationUrl({ state: 's', codeChallenge: 'c', redirectUri: REDIRECT });
      const code = await standIn.allow(url);
      return provider.exchange({ code, codeVerifier: 'v', redirectUri: REDIRECT });
    };
    const answer = (status: number, body: string) =>
      sandbox.fault({ kind: 'answer-instead', status, body, route: TOKEN, times: 1 });

    it('asks neither for groups nor with PKCE, and again for what was denied', () => {
      const url = new URL(
        provider.authorizationUrl({ state: 's', codeChallenge: 'c', redirectUri: REDIRECT }),
      );
      expect(url.pathname).toBe('/facebook-web/v25.0/dialog/oauth');
      expect(Object.fromEntries(url.searchParams)).toMatchObject({
        scope: 'pages_show_list,pages_manage_posts,pages_read_engagement',
        auth_type: 'rerequest',
      });
      expect(url.searchParams.has('code_challenge')).toBe(false);
    });

    it('takes a token without an expiry, and none that is nested, no JSON or no token', async () => {
      await exchange();
      const { accessToken } = await exchange();
      await sandbox.control('DELETE', '/faults');
      await answer(200, JSON.stringify({ access_token: accessToken, token_type: 'bearer' }));
      expect((await exchange()).accessToken).not.toBe('');
      for (const body of ['{"data":[{"access_token":"x"}]}', '<html>', '{"access_token":7}', 'null']) {
        await answer(200, body);
        await expect(exchange()).rejects.toMatchObject({ code: 'network_unavailable' });
      }
    });

    it.each([
      [
        'a wrong secret',
        400,
        { code: 1, message: 'Error validating client secret.' },
        'provider_not_connectable',
      ],
      [
        'an unknown app',
        400,
        { code: 101, message: 'Error validating application.' },
        'provider_not_connectable',
      ],
      ['a limit', 400, { code: 4, message: 'Limit' }, 'network_unavailable'],
      ['an error of Facebook', 500, { code: 2, message: 'Sorry' }, 'network_unavailable'],
      ['a used code', 400, { code: 100, error_subcode: 36_009, message: 'Used' }, 'authorization_failed'],
    ])('tells %s from a refused code', async (_, status, error, code) => {
      await answer(status, JSON.stringify({ error: { type: 'OAuthException', ...error } }));
      await expect(exchange()).rejects.toMatchObject({ code });
    });

    it('refuses a person who allowed too little, has no page, or may not create content', async () => {
      await standIn.set({ declinedScopes: ['pages_manage_posts'] });
      const declined = provider.accounts(await exchange(), CONNECTING);
      await expect(declined).rejects.toThrow('allow everything that is asked');
      await standIn.set({ declinedScopes: [] });
      const tasks = (list: string[]) =>
        sandbox.control('PUT', '/facebook/pages/acme.page/tasks', { person: 'acme', tasks: list });
      await tasks(['ANALYZE']);
      await expect(provider.accounts(await exchange(), CONNECTING)).rejects.toThrow('may not create content');
      await tasks([]);
      await expect(provider.accounts(await exchange(), CONNECTING)).rejects.toThrow('shows no page');
      await tasks(['CREATE_CONTENT', 'MANAGE']);
    });

    it('lists every page, each with its own token, over several lists', async () => {
      await standIn.set({ pagesPerList: 1 });
      const pages = ['second.page', 'third.page'];
      await sandbox.account('helper', { pages }, 'facebook');
      for (const page of pages)
        await sandbox.control('PUT', `/facebook/pages/${page}/tasks`, {
          person: 'acme',
          tasks: ['CREATE_CONTENT'],
        });
      const accounts = await provider.accounts(await exchange(), CONNECTING);
      expect(accounts.map(({ profile }) => profile.username)).toEqual(['acme.page', ...pages]);
      expect(new Set(accounts.map(({ grant }) => grant.accessToken)).size).toBe(3);
      expect(new Set(accounts.map(({ consentId }) => consentId)).size).toBe(1);
      for (const { grant, profile } of accounts) {
        expect([grant.expiresAt, grant.refreshToken]).toEqual([null, null]);
        const targets = await provider.targets?.(profile, grant);
        expect(targets).toEqual({
          pages: [{ id: profile.accountId, name: profile.displayName }],
          groups: [],
        });
      }
    });

    it('is ended by the credentials of this service, for the person and all their pages', async () => {
      const [page] = await provider.accounts(await exchange(), CONNECTING);
      await provider.revoke(page?.grant ?? account.grant, page?.consentId ?? null);
      const refused = refusalOf(await send(aText()));
      expect(refused.failure.networkCode).toBe('190/458');
    });
  });
});
