import fc from 'fast-check';
import { FixedClock } from '#libs/clock/testing';
import { littleText } from '../../src/integrations/providers/linkedin/linkedin-text.js';
import { shownText } from '../../sandbox/networks/linkedin/little-text.js';
import { REDIRECT } from '../support/contract-subject.js';
import { LinkedInAttempts } from '../support/linkedin-attempts.js';
import { outcomeOf } from '../support/publish-attempts.js';
import { MemoryFile } from '../support/memory-file.js';
import { aPicture, anAnimation } from '../support/pictures.js';
import { makeVideo, steadyPictures } from '../support/video-files.js';

const CREATE = 'POST /rest/posts';
const SETTINGS = {
  ...{ refreshTokens: 'on', mediaProcessingSeconds: 0, mediaProcessing: 'succeeds', memberFiles: 'hidden' },
  ...{ postsPerDay: 10_000, uploadExpirySeconds: 86_400, oldestVersion: '202512' },
};
const detailed = (code: string) => ({ errorDetails: { inputErrors: [{ code, description: code }] } });

const clock = new FixedClock(new Date());
let [jpeg, gif, mp4]: Buffer[] = [];

beforeAll(async () => {
  [jpeg, gif, mp4] = await Promise.all([
    aPicture(400, 300, { format: 'jpeg' }),
    anAnimation(40, 30, 3),
    makeVideo({ pictures: steadyPictures(0, 4), bytes: 60_000 }),
  ]);
});

const aPhoto = (more: ConstructorParameters<typeof MemoryFile>[1] = {}) =>
  new MemoryFile(jpeg ?? Buffer.alloc(0), { contentType: 'image/jpeg', ...more });
const aGif = () => new MemoryFile(gif ?? Buffer.alloc(0), { kind: 'animation', contentType: 'image/gif' });
const aVideo = () => new MemoryFile(mp4 ?? Buffer.alloc(0), { kind: 'video', contentType: 'video/mp4' });

describe('posts of members on LinkedIn', () => {
  let attempts: LinkedInAttempts;
  beforeAll(async () => (attempts = await LinkedInAttempts.start('linkedin', clock)));
  beforeEach(() => attempts.reset(SETTINGS));
  afterAll(() => attempts.subject.stop());

  const timeline = async () => String((await attempts.sandbox.call('GET', '/linkedin-web/jonas-weber')).body);

  it('show the text as it was written, whatever it has', async () => {
    const text = 'Prices (net) [2026] {a} <b> |c| *d* _e_ ~f~ \\g @h #growth https://example.com/a_b';
    const call = attempts.aCall([], { text });
    expect(await attempts.publish(call)).toMatchObject({ kind: 'published' });
    expect(await attempts.posts(call)).toBe(1);
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab \n#@_*~()[]{}<>|\\') }), (any) => {
        expect(shownText(littleText(any))).toBe(any.trimEnd());
      }),
    );
  });

  it('show a link as a card, and restrict who sees them', async () => {
    const card = {
      link: 'https://example.com/roast',
      title: 'How we roast',
      options: { privacy: 'connections' } as const,
    };
    const call = attempts.aCall([], card);
    expect(await attempts.publish(call)).toMatchObject({
      kind: 'published',
      platformPostId: expect.stringMatching(/^urn:li:share:\d+$/),
      platformPostUrl: expect.stringMatching(/\/linkedin-web\/feed\/update\/urn:li:share:\d+\/$/),
    });
    const page = await timeline();
    for (const shown of ['https://example.com/roast', 'How we roast', 'connections only'])
      expect(page).toContain(shown);
  });

  it('show one image, several, a GIF, and a video, with descriptions', async () => {
    for (const files of [
      [aPhoto({ altText: 'One roast' })],
      Array.from({ length: 20 }, (_, index) => aPhoto({ altText: `Roast ${index}` })),
      [aGif()],
      [aVideo()],
    ]) {
      const call = attempts.aCall(files);
      expect(await attempts.publish(call)).toMatchObject({ kind: 'published' });
      expect(await attempts.posts(call)).toBe(1);
    }
    expect(await timeline()).toContain('alt="Roast 19"');
  });

  it.each([
    [400, detailed('FIELD_ARRAY_SIZE_TOO_HIGH'), ['permanent', 'text_too_long', undefined]],
    [401, { serviceErrorCode: 65601 }, ['auth', 'token_refused', 'refresh']],
    [403, { code: 'ACCESS_DENIED' }, ['permanent', 'forbidden_by_network', undefined]],
    [426, { code: 'NONEXISTENT_VERSION' }, ['configuration', 'api_version_retired', undefined]],
    [429, {}, ['transient', 'rate_limited', 'hold']],
  ])(
    '%i %j is a definite refusal: none is published, and the next call publishes one',
    async (status, body, expected) => {
      const call = attempts.aCall();
      await attempts.answer(CREATE, status, body);
      expect(outcomeOf(await attempts.publish(call))).toEqual(expected);
      expect(await attempts.posts(call)).toBe(0);
      expect(await attempts.publish(call)).toMatchObject({ kind: 'published' });
      expect(await attempts.posts(call)).toBe(1);
    },
  );

  it.each([500, 502, 503, 504])(
    'after %i it is unknown, and a repeat publishes no second one',
    async (status) => {
      const call = attempts.aCall();
      await attempts.fault('server-error-after-effect', CREATE, { status });
      expect(await attempts.publish(call)).toMatchObject({ kind: 'unconfirmed' });
      expect(await attempts.reconcile(call, null)).toEqual({ kind: 'unknown' });
      const again = await attempts.publish(call);
      expect(again).toMatchObject({
        kind: 'refused',
        refusal: {
          duplicate: true,
          existing: { platformPostId: expect.stringMatching(/^urn:li:share:\d+$/) },
        },
      });
      expect(await attempts.posts(call)).toBe(1);
    },
  );

  it('wait until midnight UTC when the calls of the day are used up', async () => {
    await attempts.reset({ ...SETTINGS, postsPerDay: 0 });
    const call = attempts.aCall();
    const refused = await attempts.publish(call);
    const untilMidnight = 86_400_000 - (clock.now().getTime() % 86_400_000);
    if (refused.kind !== 'refused' || refused.refusal.remedy?.kind !== 'hold') throw new Error(refused.kind);
    // The header that tells the time has whole seconds.
    expect(Math.abs(refused.refusal.remedy.milliseconds - untilMidnight)).toBeLessThanOrEqual(1_000);
    expect(await attempts.posts(call)).toBe(0);
  });

  it('are refused as configuration by a version that was retired, before and after files', async () => {
    const call = attempts.aCall();
    const withFile = attempts.aCall([aPhoto()]);
    const taken = await attempts.steps(withFile);
    await attempts.reset({ ...SETTINGS, oldestVersion: '202609' });
    const expected = ['configuration', 'api_version_retired', undefined];
    expect(outcomeOf(await attempts.publish(call))).toEqual(expected);
    expect(outcomeOf(await attempts.commit(withFile, taken))).toEqual(expected);
    expect(outcomeOf((await attempts.steps(attempts.aCall([aPhoto()]))).last)).toEqual(expected);
    expect(await attempts.posts(call)).toBe(0);
  });

  it('with a file that LinkedIn still processes wait and are published with the same upload', async () => {
    await attempts.reset({ ...SETTINGS, mediaProcessingSeconds: 8 });
    const call = attempts.aCall([aPhoto()]);
    const before = await attempts.uploads();
    const taken = await attempts.steps(call);
    expect(outcomeOf(await attempts.commit(call, taken))).toEqual([
      'transient',
      'media_not_ready',
      'postpone',
    ]);
    expect(await attempts.posts(call)).toBe(0);
    clock.advance(10_000);
    expect(await attempts.commit(call, taken)).toMatchObject({ kind: 'published' });
    expect([await attempts.posts(call), (await attempts.uploads()) - before]).toEqual([1, 1]);
  });

  it('with a file that LinkedIn cannot show are a definite failure', async () => {
    const call = attempts.aCall([
      new MemoryFile(Buffer.alloc(5_000, 'no picture'), { contentType: 'image/jpeg' }),
    ]);
    expect(outcomeOf(await attempts.publish(call))).toEqual([
      'permanent',
      'media_processing_failed',
      undefined,
    ]);
    expect(await attempts.posts(call)).toBe(0);
  });

  it.each(['drop-before-effect', 'drop-after-effect'])(
    'with a video are published after %s of the finalization, although the state cannot be read',
    async (kind) => {
      const call = attempts.aCall([aVideo()]);
      const begun = await attempts.subject.steps(
        attempts.provider,
        call,
        undefined,
        (response) => response.kind === 'next' && response.step.startsWith('finalize/'),
      );
      await attempts.fault(kind, 'POST /rest/videos');
      const lost = await attempts.steps(call, begun);
      expect(lost.last).toMatchObject({ kind: 'no-answer', failure: { class: 'transient' } });
      expect(await attempts.commit(call, await attempts.steps(call, lost))).toMatchObject({
        kind: 'published',
      });
      expect(await attempts.posts(call)).toBe(1);
    },
  );

  it('send the token to no other host', async () => {
    const value = { image: 'urn:li:image:D4E10AQ1', uploadUrl: 'https://linkedin.com.example.net/upload' };
    await attempts.answer('POST /rest/images', 200, { value });
    const { step, last } = await attempts.steps(attempts.aCall([aPhoto()]));
    // The answer is not taken: no step follows it.
    expect([step, last?.kind]).toEqual(['initialize/0', 'no-answer']);
  });
});

describe('posts of organizations on LinkedIn', () => {
  let attempts: LinkedInAttempts;
  beforeAll(async () => (attempts = await LinkedInAttempts.start('linkedin-company', clock)));
  beforeEach(() => attempts.reset(SETTINGS));
  afterAll(() => attempts.subject.stop());

  it.each(['drop-after-effect', 'server-error-after-effect'])('are found after %s', async (kind) => {
    for (const files of [[], [aPhoto(), aPhoto()]]) {
      const call = attempts.aCall(files, { text: `Found (once) #${kind} ${Math.random()}` });
      const taken = await attempts.steps(call);
      await attempts.fault(kind, CREATE);
      expect(await attempts.commit(call, taken)).toMatchObject({ kind: 'unconfirmed' });
      const search = await attempts.reconcile(call, taken.prepared);
      if (search.kind !== 'found') throw new Error(search.kind);
      expect(search.posts).toHaveLength(1);
      const rival = { content: call.content, since: new Date(0).toISOString() };
      // A file belongs to one attempt; a text may be of another one too.
      expect(search.posts[0]?.mayBeOf(rival)).toBe(files.length === 0);
      expect(await attempts.posts(call)).toBe(1);
    }
  });

  it('that were not published are not found, and that proves nothing', async () => {
    const call = attempts.aCall();
    await attempts.fault('drop-before-effect', CREATE);
    expect(await attempts.publish(call)).toMatchObject({ kind: 'unconfirmed' });
    expect(await attempts.reconcile(call, null)).toEqual({ kind: 'unknown' });
    await attempts.answer('GET /rest/posts', 403, { code: 'ACCESS_DENIED' });
    expect(await attempts.reconcile(call, null)).toEqual({ kind: 'unknown' });
    expect(await attempts.posts(call)).toBe(0);
  });

  it('wait until each file is processed', async () => {
    await attempts.reset({ ...SETTINGS, mediaProcessingSeconds: 9 });
    const call = attempts.aCall([aPhoto(), aPhoto()]);
    const before = clock.now().getTime();
    expect(await attempts.publish(call)).toMatchObject({ kind: 'published' });
    expect(clock.now().getTime() - before).toBe(10_000);
    expect(await attempts.posts(call)).toBe(1);
  });

  it('with a file whose processing fails are a definite failure', async () => {
    await attempts.reset({ ...SETTINGS, mediaProcessing: 'fails' });
    const call = attempts.aCall([aVideo()]);
    expect(outcomeOf((await attempts.steps(call)).last)).toEqual([
      'permanent',
      'media_processing_failed',
      undefined,
    ]);
    expect(await attempts.posts(call)).toBe(0);
  });

  it.each([
    ['POST /rest/videos', 'drop-after-effect', 2],
    ['PUT /dms-uploads/:id/uploaded-video/:part', 'drop-after-effect', 1],
    ['GET /rest/videos/:urn', 'drop-after-effect', 1],
  ])('are published once when the answer to %s is lost', async (route, kind, uploads) => {
    const before = await attempts.uploads();
    const call = attempts.aCall([aVideo()]);
    await attempts.fault(kind, route);
    const lost = await attempts.steps(call);
    expect(lost.last).toMatchObject({ kind: 'no-answer', failure: { class: 'transient' } });
    const taken = await attempts.steps(call, lost);
    expect(await attempts.commit(call, taken)).toMatchObject({ kind: 'published' });
    expect([await attempts.posts(call), (await attempts.uploads()) - before]).toEqual([1, uploads]);
  });

  it('confirm a finalization whose answer was lost, or repeat it', async () => {
    for (const kind of ['drop-after-effect', 'drop-before-effect']) {
      const call = attempts.aCall([aVideo()]);
      const begun = await attempts.subject.steps(
        attempts.provider,
        call,
        undefined,
        (response) => response.kind === 'next' && response.step.startsWith('finalize/'),
      );
      const before = await attempts.uploads();
      await attempts.fault(kind, 'POST /rest/videos');
      expect(await attempts.commit(call, await attempts.steps(call, begun))).toMatchObject({
        kind: 'published',
      });
      expect([await attempts.posts(call), (await attempts.uploads()) - before]).toEqual([1, 0]);
    }
  });

  it('begin an upload again whose addresses have expired, by our clock or by theirs', async () => {
    const call = attempts.aCall([aVideo()]);
    const begun = await attempts.subject.steps(attempts.provider, call, undefined, () => true);
    const late = { ...begun, prepared: { ...begun.prepared, ageMs: 86_400_000 } };
    const next = await attempts.provider.prepare({ ...call, step: late.step ?? '', prepared: late.prepared });
    expect(next).toEqual({ kind: 'next', step: 'initialize/0' });
    clock.advance(86_400_000);
    expect(outcomeOf((await attempts.steps(call, begun)).last)).toEqual([
      'permanent',
      'media_expired',
      'prepare-again',
    ]);
    expect(await attempts.posts(call)).toBe(0);
  });

  it('of an organization in which the member lost the role are refused for good', async () => {
    const { sandbox } = attempts;
    const call = { ...attempts.aCall(), account: { accountId: '1', username: 'other', facts: {} } };
    expect(outcomeOf(await attempts.publish(call))).toEqual(['permanent', 'forbidden_by_network', undefined]);
    await sandbox.control('POST', '/linkedin/accounts/jonas-weber/suspend', { suspended: true });
    expect(outcomeOf(await attempts.publish(attempts.aCall()))).toEqual([
      'permanent',
      'forbidden_by_network',
      undefined,
    ]);
    await sandbox.control('POST', '/linkedin/accounts/jonas-weber/suspend', { suspended: false });
    expect(await attempts.posts(call)).toBe(0);
  });
});

describe('tokens of LinkedIn', () => {
  let attempts: LinkedInAttempts;
  const TOKEN = 'POST /oauth/v2/accessToken';
  beforeAll(async () => (attempts = await LinkedInAttempts.start('linkedin-company', clock)));
  beforeEach(() => attempts.reset(SETTINGS));
  afterAll(() => attempts.subject.stop());

  const exchange = async () => {
    const request = { state: 's', codeChallenge: 'c', redirectUri: REDIRECT };
    const code = await attempts.subject.standIn.allow(attempts.provider.authorizationUrl(request));
    return attempts.provider.exchange({ code, codeVerifier: '', redirectUri: REDIRECT });
  };

  it('of a sign-in serve each of its organizations, and a renewal of one leaves the refresh token to the others', async () => {
    const accounts = await attempts.provider.accounts(await exchange(), { organizationId: 'o' });
    expect(accounts.map(({ profile }) => profile.username).sort()).toEqual(['harbor-books', 'lumen-studio']);
    expect(new Set(accounts.map(({ consentId }) => consentId)).size).toBe(1);
    for (const { grant } of accounts) {
      const renewed = await attempts.provider.renew(grant);
      expect(renewed).toMatchObject({ kind: 'granted', grant: { refreshToken: grant.refreshToken } });
    }
  });

  it('without a refresh token cannot be renewed', async () => {
    await attempts.reset({ ...SETTINGS, refreshTokens: 'off' });
    const grant = await exchange();
    expect([grant.refreshToken, grant.refreshExpiresAt]).toEqual([null, null]);
    expect(Math.round((Date.parse(grant.expiresAt ?? '') - Date.now()) / 86_400_000)).toBe(60);
    expect(await attempts.provider.renew(grant)).toEqual({ kind: 'dead' });
  });

  it.each([
    [500, {}, 'unavailable'],
    [429, {}, 'unavailable'],
    [200, {}, 'unavailable'],
    [400, { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' }, 'dead'],
    [400, { error: 'invalid_request', error_description: 'A required parameter is missing' }, 'unavailable'],
    [400, { error: 'temporarily_unavailable' }, 'unavailable'],
    [403, { message: 'Blocked by policy' }, 'unavailable'],
    [401, { error: 'invalid_client' }, 'misconfigured'],
  ])('are %i %j when they are renewed: %s', async (status, body, kind) => {
    await attempts.answer(TOKEN, status, body);
    expect((await attempts.provider.renew(attempts.signedIn.grant)).kind).toBe(kind);
  });

  it('without expires_in have no known end, and an answer that is no JSON connects nothing', async () => {
    await attempts.answer(TOKEN, 200, { access_token: 'a' });
    expect(await exchange()).toMatchObject({
      accessToken: 'a',
      refreshToken: null,
      expiresAt: null,
      scopes: [],
    });
    await attempts.fault('answer-instead', TOKEN, { status: 200, body: '<html>' });
    await expect(exchange()).rejects.toMatchObject({ code: 'network_unavailable' });
  });

  it('of a member without a role that allows posts connect nothing, with the reason', async () => {
    const accounts = async (elements: object[]) => {
      await attempts.answer('GET /rest/organizationAcls', 200, { elements });
      return attempts.provider.accounts(await exchange(), { organizationId: 'o' });
    };
    const role = { organization: 'urn:li:organization:7', roleAssignee: 'urn:li:person:p' };
    for (const none of [
      [],
      [{ ...role, role: 'ANALYST', state: 'APPROVED' }],
      [{ ...role, role: 'ADMINISTRATOR', state: 'REQUESTED' }],
    ])
      await expect(accounts(none)).rejects.toMatchObject({
        code: 'authorization_failed',
        message: expect.stringContaining('no role'),
      });
    await attempts.answer('GET /rest/organizationsLookup', 200, { results: {} });
    const named = await accounts([{ ...role, role: 'CONTENT_ADMIN', state: 'APPROVED' }]);
    expect(named[0]?.profile).toMatchObject({ accountId: '7', displayName: 'Organization 7' });
  });

  it('whose names LinkedIn refuses are connected without them; an outage connects nothing', async () => {
    const role = { roleAssignee: 'urn:li:person:p', state: 'APPROVED' };
    const elements = ['7', '8'].map((id) => ({
      ...role,
      ...{ role: 'ADMINISTRATOR', organization: `urn:li:organization:${id}` },
    }));
    await attempts.answer('GET /rest/organizationAcls', 200, { elements });
    const accounts = async () => attempts.provider.accounts(await exchange(), { organizationId: 'o' });
    await attempts.answer('GET /rest/organizationsLookup', 403, { code: 'ACCESS_DENIED', status: 403 });
    expect((await accounts()).map(({ profile }) => profile.displayName)).toEqual([
      'Organization 7',
      'Organization 8',
    ]);
    await attempts.answer('GET /rest/organizationsLookup', 429, { code: 'TOO_MANY_REQUESTS', status: 429 });
    await expect(accounts()).rejects.toMatchObject({ code: 'network_unavailable' });
  });

  it.each([
    [403, 'authorization_failed'],
    [426, 'provider_not_connectable'],
    [500, 'network_unavailable'],
  ])('with which LinkedIn answers %i about organizations connect nothing: %s', async (status, code) => {
    await attempts.answer('GET /rest/organizationAcls', status, { code: 'ACCESS_DENIED' });
    await expect(attempts.provider.accounts(await exchange(), { organizationId: 'o' })).rejects.toMatchObject(
      { code },
    );
  });
});
