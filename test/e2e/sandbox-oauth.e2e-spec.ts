import { createHash } from 'node:crypto';
import { FixedClock } from '#libs/clock/testing';
import { SandboxForTests, bearer } from '../support/sandbox.js';

const CALLBACK = 'http://127.0.0.1:3000/api/integrations/x/callback';
const VERIFIER = 'a-verifier-that-is-long-enough-for-the-rule-of-43';
const SCOPES = 'tweet.read users.read tweet.write media.write offline.access';

const asked = {
  response_type: 'code',
  client_id: 'app',
  redirect_uri: CALLBACK,
  scope: SCOPES,
  state: 'state & more',
  code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  code_challenge_method: 'S256',
};

describe('OAuth 2.0 of X in the sandbox', () => {
  const clock = new FixedClock(new Date('2026-11-21T10:00:00.000Z'));
  let sandbox: SandboxForTests;

  beforeAll(async () => {
    const client = { id: 'app', secret: 'p:ss%w+rd' };
    sandbox = await SandboxForTests.start({ SANDBOX_REDIRECT_URIS: CALLBACK }, clock, client);
  });

  afterAll(() => sandbox.stop());

  const page = (changes: Record<string, string | undefined> = {}) =>
    sandbox.call(
      'GET',
      `/x-web/i/oauth2/authorize?${new URLSearchParams(defined({ ...asked, ...changes })).toString()}`,
    );

  const decide = (changes: Record<string, string | undefined>) =>
    sandbox.call('POST', '/x-web/i/oauth2/authorize', {
      body: new URLSearchParams(
        defined({ ...asked, decision: 'authorize', username: 'northwind', ...changes }),
      ),
    });

  const codeFor = async (changes: Record<string, string> = {}): Promise<string> => {
    const { status, headers } = await decide(changes);
    expect(status).toBe(302);
    return new URL(headers.get('location') ?? '').searchParams.get('code') ?? '';
  };

  const basic = (id = 'app', secret = 'p:ss%w+rd') => ({
    authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
  });

  const token = (form: Record<string, string>, headers: Record<string, string> = basic()) =>
    sandbox.call('POST', '/x/2/oauth2/token', { headers, body: new URLSearchParams(form) });

  const redeem = (code: string, changes: Record<string, string> = {}) =>
    token({
      grant_type: 'authorization_code',
      code,
      redirect_uri: CALLBACK,
      code_verifier: VERIFIER,
      ...changes,
    });

  const refresh = (refreshToken: string) =>
    token({ grant_type: 'refresh_token', refresh_token: refreshToken });

  const dead = { error: 'invalid_request', error_description: 'Value passed for the token was invalid.' };

  it('leads from the consent page to a profile', async () => {
    const shown = await page();
    expect(shown.status).toBe(200);
    expect(shown.body).toContain('@northwind');
    expect(shown.body).toContain('Create and delete posts for you.');
    const { status, headers } = await decide({ username: 'harborbooks' });
    expect(status).toBe(302);
    const location = new URL(headers.get('location') ?? '');
    expect(location.origin + location.pathname).toBe(CALLBACK);
    expect(location.searchParams.get('state')).toBe('state & more');
    const tokens = await redeem(location.searchParams.get('code') ?? '');
    expect(tokens.status).toBe(200);
    expect(tokens.body).toEqual({
      token_type: 'bearer',
      expires_in: 7200,
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      scope: SCOPES,
    });
    const me = await sandbox.get({ accessToken: tokens.body.access_token }, '/x/2/users/me');
    expect(me.body.data.username).toBe('harborbooks');
  });

  it('creates an account for a new handle, and uses the account of a known handle', async () => {
    const names = [];
    for (const handle of ['@Fresh_1', 'fresh_1', 'NORTHWIND']) {
      const tokens = await redeem(await codeFor({ new_username: handle }));
      names.push(
        (await sandbox.get({ accessToken: tokens.body.access_token }, '/x/2/users/me')).body.data.username,
      );
    }
    expect(names).toEqual(['Fresh_1', 'Fresh_1', 'northwind']);
  });

  it('shows the form again for an invalid handle', async () => {
    const { status, body } = await decide({ new_username: '<script>' });
    expect(status).toBe(400);
    expect(body).toContain('A handle has 1 to 15 letters');
    expect(body).not.toContain('<script>');
  });

  it('redirects with access_denied when the person cancels', async () => {
    const { headers } = await decide({ decision: 'cancel' });
    const { searchParams } = new URL(headers.get('location') ?? '');
    expect(Object.fromEntries(searchParams)).toEqual({ error: 'access_denied', state: 'state & more' });
  });

  it.each<[string, Record<string, string | undefined>]>([
    ['another client', { client_id: 'somebody' }],
    ['a callback that is not registered', { redirect_uri: `${CALLBACK}/` }],
    ['a callback elsewhere', { redirect_uri: 'https://evil.example/' }],
    ['no state', { state: undefined }],
    ['a state of 501 characters', { state: 's'.repeat(501) }],
    ['no PKCE', { code_challenge: undefined }],
    ['a short challenge', { code_challenge: 'abc' }],
    ['an unknown challenge method', { code_challenge_method: 'S512' }],
    ['no scope', { scope: ' ' }],
    ['an unknown scope', { scope: 'tweet.read everything' }],
    ['another response type', { response_type: 'token' }],
  ])('shows an error page for %s without a redirect', async (_case, changes) => {
    const shown = await page(changes);
    expect(shown.status).toBe(400);
    expect(shown.body).toContain('Something went wrong');
    const decided = await decide(changes);
    expect(decided.status).toBe(400);
    expect(decided.headers.get('location')).toBeNull();
  });

  it('accepts a plain challenge', async () => {
    const code = await codeFor({ code_challenge: VERIFIER, code_challenge_method: 'plain' });
    expect((await redeem(code)).status).toBe(200);
  });

  it('issues no refresh token without offline.access', async () => {
    const { body } = await redeem(await codeFor({ scope: 'tweet.read users.read' }));
    expect(body.refresh_token).toBeUndefined();
    expect(body.scope).toBe('tweet.read users.read');
  });

  it('redeems a code once', async () => {
    const code = await codeFor();
    expect((await redeem(code)).status).toBe(200);
    const again = await redeem(code);
    expect([again.status, again.body]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'Value passed for the authorization code was invalid.' },
    ]);
  });

  it('redeems a code for 30 seconds', async () => {
    const [early, late] = [await codeFor(), await codeFor()];
    clock.advance(29_000);
    expect((await redeem(early)).status).toBe(200);
    clock.advance(1_000);
    expect((await redeem(late)).status).toBe(400);
  });

  it.each([
    [
      'a wrong verifier',
      { code_verifier: `${VERIFIER}x` },
      'Value passed for the code verifier did not match the code challenge.',
    ],
    [
      'another callback',
      { redirect_uri: 'http://127.0.0.1:3000/' },
      'Value passed for the redirect uri did not match the uri of the authorization code.',
    ],
    ['no verifier', { code_verifier: '' }, 'Missing required parameter [code_verifier].'],
    ['no code', { code: '' }, 'Missing required parameter [code].'],
    ['an unknown code', { code: 'abc' }, 'Value passed for the authorization code was invalid.'],
  ])('refuses %s', async (_case, changes, description) => {
    const { status, body } = await redeem(await codeFor(), changes);
    expect([status, body]).toEqual([400, { error: 'invalid_request', error_description: description }]);
  });

  it('invalidates a code after a wrong verifier', async () => {
    const code = await codeFor();
    await redeem(code, { code_verifier: 'wrong' });
    expect((await redeem(code)).status).toBe(400);
  });

  it.each<[string, Record<string, string>, string]>([
    ['no client authentication', {}, 'unauthorized_client'],
    ['a wrong secret', basic('app', 'wrong'), 'unauthorized_client'],
    ['an unknown client', basic('somebody'), 'invalid_client'],
    ['a header that is no Basic', { authorization: 'Basic !!!' }, 'unauthorized_client'],
  ])('returns 401 for %s', async (_case, headers, error) => {
    const form = {
      grant_type: 'refresh_token',
      refresh_token: 'x',
      client_id: 'app',
      client_secret: 'p:ss%w+rd',
    };
    const answer = await token(
      error === 'invalid_client' ? { ...form, client_id: 'somebody' } : form,
      headers,
    );
    expect([answer.status, answer.body.error]).toEqual([401, error]);
    if (error === 'unauthorized_client')
      expect(answer.body.error_description).toBe('Missing valid authorization header');
  });

  it('identifies a public client only by its id in the body', async () => {
    const elsewhere = await SandboxForTests.start({}, clock, { id: 'app', secret: null });
    const { refreshToken } = await elsewhere.account('acme');
    const asks = async (form: Record<string, string>, headers: Record<string, string> = {}) => {
      const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken, ...form });
      const answer = await elsewhere.call('POST', '/x/2/oauth2/token', { headers, body });
      return answer.status === 200 ? 200 : [answer.status, answer.body.error];
    };
    expect(await asks({})).toEqual([401, 'unauthorized_client']);
    expect(await asks({ client_id: 'somebody' })).toEqual([401, 'invalid_client']);
    expect(await asks({ client_id: 'app' }, basic('app', 'sandbox-secret'))).toEqual([
      401,
      'unauthorized_client',
    ]);
    expect(await asks({ client_id: 'app' })).toBe(200);
    await elsewhere.stop();
  });

  it('refuses other grants and other media types', async () => {
    expect((await token({ grant_type: 'password' })).body.error).toBe('unsupported_grant_type');
    expect((await token({})).body.error_description).toBe('Missing required parameter [grant_type].');
    const headers = { ...basic(), 'content-type': 'application/json' };
    expect((await sandbox.call('POST', '/x/2/oauth2/token', { headers, body: '{}' })).status).toBe(400);
  });

  it('rotates refresh tokens: each works once', async () => {
    const first = (await redeem(await codeFor())).body;
    const second = await refresh(first.refresh_token);
    expect(second.status).toBe(200);
    expect(second.body.refresh_token).not.toBe(first.refresh_token);
    expect((await sandbox.get({ accessToken: second.body.access_token }, '/x/2/users/me')).status).toBe(200);
    expect((await sandbox.get({ accessToken: first.access_token }, '/x/2/users/me')).status).toBe(401);
    const reused = await refresh(first.refresh_token);
    expect([reused.status, reused.body]).toEqual([400, dead]);
    expect((await refresh(second.body.refresh_token)).status).toBe(200);
  });

  it('gives one of two simultaneous refreshes the new tokens', async () => {
    const { refresh_token } = (await redeem(await codeFor())).body;
    const answers = await Promise.all([refresh(refresh_token), refresh(refresh_token)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });

  it('expires an access token after two hours, not the refresh token', async () => {
    const { access_token, refresh_token } = (await redeem(await codeFor())).body;
    clock.advance(7_199_000);
    expect((await sandbox.get({ accessToken: access_token }, '/x/2/users/me')).status).toBe(200);
    clock.advance(1_000);
    expect((await sandbox.get({ accessToken: access_token }, '/x/2/users/me')).status).toBe(401);
    expect((await refresh(refresh_token)).status).toBe(200);
  });

  it('revokes a whole consent', async () => {
    const { access_token, refresh_token } = (await redeem(await codeFor())).body;
    const revoke = (value: string) =>
      sandbox.call('POST', '/x/2/oauth2/revoke', {
        headers: basic(),
        body: new URLSearchParams({ token: value }),
      });
    expect((await revoke(access_token)).body).toEqual({ revoked: true });
    expect((await revoke('unknown')).status).toBe(200);
    expect(
      (await sandbox.call('GET', '/x/2/users/me', { headers: bearer({ accessToken: access_token }) })).status,
    ).toBe(401);
    expect((await refresh(refresh_token)).body).toEqual(dead);
  });

  it('expires and revokes the tokens of an account by control route', async () => {
    const one = await sandbox.account('one');
    await sandbox.control('POST', '/x/accounts/one/expire-tokens');
    expect((await sandbox.get(one, '/x/2/users/me')).status).toBe(401);
    const renewed = await refresh(one.refreshToken);
    expect(renewed.status).toBe(200);
    await sandbox.control('POST', '/x/accounts/one/expire-tokens', { which: 'refresh' });
    expect((await refresh(renewed.body.refresh_token)).body).toEqual(dead);
    const two = await sandbox.account('two');
    await sandbox.control('POST', `/x/accounts/${two.id}/revoke`);
    expect((await sandbox.get(two, '/x/2/users/me')).status).toBe(401);
    expect((await refresh(two.refreshToken)).body).toEqual(dead);
    expect((await sandbox.control('POST', '/x/accounts/nobody/revoke')).status).toBe(404);
  });
});

function defined(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
