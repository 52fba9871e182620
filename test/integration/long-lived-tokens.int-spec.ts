import { FixedClock } from '#libs/clock/testing';
import type { PublishingProvider } from '../../src/integrations/provider.types.js';
import { ContractSubject, REDIRECT } from '../support/contract-subject.js';
import type { StandInOfContainers } from '../support/stand-in-of-containers.js';
import { standInOfInstagram } from '../support/stand-in-of-instagram.js';
import { standInOfThreads } from '../support/stand-in-of-threads.js';

const DAY_MS = 86_400_000;
const ROUTES = {
  code: 'POST /oauth/access_token',
  long: 'GET /access_token',
  refresh: 'GET /refresh_access_token',
  me: 'GET /:version/me',
};

describe.each([
  ['Instagram', standInOfInstagram, ['instagram_business_basic', 'instagram_business_content_publish']],
  ['Threads', standInOfThreads, ['threads_basic', 'threads_content_publish']],
])('tokens of %s', (name, start, scopes) => {
  const clock = new FixedClock(new Date());
  let subject: ContractSubject<StandInOfContainers>;
  let standIn: StandInOfContainers;
  let provider: PublishingProvider;

  beforeAll(async () => {
    subject = await ContractSubject.start(() => start(clock));
    standIn = subject.standIn;
    provider = await subject.providerAt();
  });
  beforeEach(async () => {
    await standIn.sandbox.control('DELETE', '/faults');
    await standIn.set({ refreshAfterSeconds: 86_400, tokenForm: 'flat', quotaTotal: 70 });
  });
  afterAll(() => subject.stop());

  const request = { state: 'a-state', codeChallenge: 'c'.repeat(43), redirectUri: REDIRECT };
  const exchange = (code: string) =>
    provider.exchange({ code, codeVerifier: 'v'.repeat(43), redirectUri: REDIRECT });
  const aCode = () => standIn.allow(provider.authorizationUrl(request));
  const answer = (route: string, body: string, status = 200) =>
    standIn.sandbox.fault({
      kind: status < 300 ? 'unreadable-answer' : 'answer-instead',
      route,
      body,
      status,
      times: 1,
    });
  const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

  it('are asked for with both scopes, separated by commas, without PKCE', () => {
    const { searchParams } = new URL(provider.authorizationUrl(request));
    expect(searchParams.get('scope')).toBe(scopes.join(','));
    expect([...searchParams.keys()].sort()).toEqual([
      'client_id',
      ...(name === 'Instagram' ? ['force_authentication'] : []),
      'redirect_uri',
      'response_type',
      'scope',
      'state',
    ]);
  });

  it('come for a code with its ending #_, flat or in a list, and last as long as the answer says', async () => {
    for (const tokenForm of ['flat', 'list']) {
      await standIn.set({ tokenForm });
      const code = await aCode();
      expect(code).toMatch(/#_$/);
      const { expiresAt, refreshToken, scopes: granted } = await exchange(code);
      expect(Math.abs(Date.parse(expiresAt ?? '') - Date.parse(inDays(60)))).toBeLessThan(60_000);
      // The documented response of Threads lists no permissions.
      expect([refreshToken, granted]).toEqual([null, name === 'Threads' ? [] : scopes]);
    }
  });

  it('without a stated end have none', async () => {
    await answer(ROUTES.long, '{"access_token":"abc","token_type":"bearer"}');
    expect(await exchange(await aCode())).toMatchObject({ accessToken: 'abc', expiresAt: null });
  });

  it.each([
    ['code', '<html></html>', 200, 'network_unavailable'],
    ['code', '{"access_token":7}', 200, 'network_unavailable'],
    ['code', '{}', 503, 'network_unavailable'],
    [
      'code',
      '{"error_type":"OAuthException","code":400,"error_message":"Invalid platform app"}',
      400,
      'provider_not_connectable',
    ],
    [
      'code',
      '{"error":{"message":"Error validating client secret.","code":1}}',
      400,
      'provider_not_connectable',
    ],
    ['code', '{"error_message":"This authorization code has expired"}', 400, 'authorization_failed'],
    ['long', '{"error":{"message":"No.","code":190}}', 400, 'authorization_failed'],
    ['long', '{"error":{"message":"Later.","code":2}}', 500, 'network_unavailable'],
    ['long', '{"error":{"message":"Too many.","code":4}}', 400, 'network_unavailable'],
    ['long', '[]', 200, 'network_unavailable'],
  ] as const)('are refused: %s answers %s', async (route, body, status, code) => {
    await answer(ROUTES[route], body, status);
    await expect(exchange(await aCode())).rejects.toMatchObject({ code });
  });

  it('belong to an account with its quota', async () => {
    const { profile, consentId } = await subject.anAccount(provider);
    expect(profile).toMatchObject({ username: 'acme', facts: { postsPerDay: 70 } });
    if (name === 'Instagram') expect(profile.facts).toMatchObject({ accountType: 'BUSINESS' });
    expect(consentId === null || consentId !== profile.accountId).toBe(true);
    expect(provider.limits({ ...profile })[0]).toMatchObject({ name: 'posts-per-day', max: 70 });
    const listed = { id: '9', user_id: '17841400000000000', username: 'other' };
    await answer(ROUTES.me, JSON.stringify({ data: [listed] }));
    const other = await subject.anAccount(provider);
    expect(other.profile.accountId).toBe(name === 'Instagram' ? listed.user_id : listed.id);
    // The quota of another account cannot be read.
    expect(other.profile.facts.postsPerDay).toBeUndefined();
    await answer(ROUTES.me, '{"data":[{"username":"acme"}]}');
    await expect(subject.anAccount(provider)).rejects.toMatchObject({ code: 'network_unavailable' });
  });

  it('are not sent while they are younger than a day', async () => {
    const away = await subject.providerAt('http://127.0.0.1:1');
    const { grant } = await subject.anAccount(provider);
    expect(await away.renew(grant)).toEqual({ kind: 'dead' });
    expect(await away.renew({ ...grant, expiresAt: inDays(58.9) })).toEqual({ kind: 'unavailable' });
    await subject.closeLatest();
  });

  it('are renewed by themselves when they are a day old', async () => {
    const { grant } = await subject.anAccount(provider);
    const aged = { ...grant, expiresAt: inDays(58) };
    expect(await provider.renew(aged)).toEqual({ kind: 'unavailable' });
    clock.advance(DAY_MS);
    expect(await provider.renew(aged)).toMatchObject({ kind: 'granted', grant: { refreshToken: null } });
  });

  it.each([
    ['{"error":{"message":"Oops","code":1}}', 500, 'unavailable'],
    ['{"error":{"message":"Oops","code":2,"is_transient":true}}', 400, 'unavailable'],
    ['{"error":{"message":"Too many","code":4}}', 400, 'unavailable'],
    ['<html></html>', 400, 'unavailable'],
    ['<html></html>', 200, 'unavailable'],
    ['{"error":{"message":"Ended","code":190,"error_subcode":463}}', 400, 'dead'],
    ['{"error":{"message":"No permission","code":10}}', 403, 'unavailable'],
    ['{"error":{"message":"Error validating application.","code":101}}', 400, 'misconfigured'],
    ['<html></html>', 401, 'unavailable'],
    ['<html></html>', 403, 'unavailable'],
  ])('whose renewal is answered with %s (%i) are %s', async (body, status, kind) => {
    const { grant } = await subject.anAccount(provider);
    await answer(ROUTES.refresh, body, status);
    expect(await provider.renew({ ...grant, expiresAt: inDays(20) })).toMatchObject({ kind });
  });

  it('that ended are dead', async () => {
    const { grant } = await subject.anAccount(provider);
    clock.advance(61 * DAY_MS);
    expect(await provider.renew({ ...grant, expiresAt: inDays(-1) })).toEqual({
      kind: 'dead',
      networkCode: '190/463',
    });
  });
});
