import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { DatabaseIsUnavailable } from '#libs/database';
import { ConnectStartsStore } from '../../src/integrations/sign-in/connect-starts.store.js';
import type { PublishingProvider } from '../../src/integrations/provider.types.js';
import { XProvider } from '../../src/integrations/providers/x/x.provider.js';
import { ProviderRegistry } from '../../src/integrations/registry/provider-registry.js';
import { TokensStore } from '../../src/integrations/tokens/tokens.store.js';
import { BusinessApi } from '../support/business-api.js';
import { callOf } from '../support/call.js';
import { SandboxForTests } from '../support/sandbox.js';
import { waitUntil } from '../support/wait-until.js';

/** X refuses the service: a worker found it with a post. */
const REFUSAL = `INSERT INTO integrations.network_outage (platform, failed_accounts, failed_at, failure, open_since, probe_at)
  VALUES ('x', '{}', now(), '{"code": "client_forbidden", "class": "configuration", "networkCode": null,
    "message": "X does not let this service publish.", "nextStep": "An operator has to check the application at X."}',
    now(), now() + interval '1 minute')`;

describe('integrations', () => {
  const internalToken = 'an-internal-token-of-at-least-32-characters';
  let api: BusinessApi;
  let sandbox: SandboxForTests;
  let owner: ReturnType<BusinessApi['person']>;
  let stranger: ReturnType<BusinessApi['person']>;
  let brandId: string;

  beforeAll(async () => {
    sandbox = await SandboxForTests.start();
    api = await BusinessApi.start({
      INTERNAL_SERVICE_TOKEN: internalToken,
      PUBLIC_URL: 'http://127.0.0.1:3000',
      X_API_URL: `${sandbox.url}/x`,
      X_CLIENT_ID: 'sandbox-client',
      X_CLIENT_SECRET: 'sandbox-secret',
    });
    owner = api.person();
    stranger = api.person();
    const created = await api.as(owner.token)('POST', '/api/brands', { name: 'Acme' });
    brandId = created.body.id as string;
  });

  afterAll(async () => {
    await api.stop();
    await sandbox.stop();
  });

  const raw = (path: string, headers: Record<string, string> = {}) =>
    fetch(api.service.url + path, { redirect: 'manual', headers });
  let cookie: string;
  /** Keeps the cookie, as the browser would in which it is asked for. */
  const connect = async (platform = 'x', brand = brandId, token = owner.token) => {
    const answer = await api.as(token)('POST', `/api/integrations/${platform}/connect?brandId=${brand}`);
    [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';');
    return answer;
  };
  const comeBack = (path: string) => raw(path, { cookie });
  const redirect = () =>
    raw(`/api/integrations/x/connect?brandId=${brandId}`, { authorization: `Bearer ${owner.token}` });

  /** What a person does at the network; answers where the network sends the browser back to, as path and query. */
  const allow = async (authorizationUrl: string, username = 'northwind', decision = 'authorize') => {
    const { searchParams, pathname } = new URL(authorizationUrl);
    const body = new URLSearchParams([...searchParams, ['decision', decision], ['username', username]]);
    const { headers } = await sandbox.call('POST', pathname, { body });
    const back = new URL(headers.get('location') ?? '');
    return back.pathname + back.search;
  };

  const connected = async (username = 'northwind'): Promise<string> => {
    const { body } = await connect();
    const page = await comeBack(await allow(body.authorizationUrl as string, username));
    expect(page.status).toBe(200);
    const list = await api.as(owner.token)('GET', `/api/integrations?brandId=${brandId}`);
    const mine = (list.body.data as { id: string; account: { username: string } }[]).find(
      ({ account }) => account.username === username,
    );
    return mine?.id ?? '';
  };

  /** Runs `work` while writes to the table wait; it can wait until so many do. */
  const whileLocked = (
    table: string,
    work: (waiting: (count: number) => Promise<void>) => Promise<void>,
  ): Promise<void> =>
    api.test.database.transaction(async (transaction) => {
      await transaction.query(`LOCK TABLE ${table} IN EXCLUSIVE MODE`);
      await work((count) =>
        waitUntil(async () => {
          // One transaction sees the same activity whenever it looks.
          const waiting = await api.test.database.separateTransaction((look) =>
            look.query(
              `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
            ),
          );
          return waiting.length >= count;
        }),
      );
    });

  /** How many grants of the account the network still knew: from now on none. */
  const grantsOf = async (username: string): Promise<number> =>
    (await sandbox.control('POST', `/x/accounts/${username}/revoke`)).body.grants as number;
  const anAccount = async (username: string): Promise<string> => {
    await sandbox.account(username);
    await grantsOf(username);
    return username;
  };

  const refresh = (
    connectionId: string,
    body: object = {},
    token = internalToken,
    { at = api.service.managementUrl, signal }: { at?: string; signal?: AbortSignal } = {},
  ) =>
    fetch(`${at}/internal/connections/${connectionId}/refresh`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    });

  describe('POST /api/integrations/{platform}/connect', () => {
    it('answers the page of the network, with PKCE and a state', async () => {
      const { status, body } = await connect();
      expect(status).toBe(200);
      const { searchParams } = new URL(body.authorizationUrl as string);
      expect(Object.fromEntries(searchParams)).toMatchObject({
        response_type: 'code',
        client_id: 'sandbox-client',
        redirect_uri: 'http://127.0.0.1:3000/api/integrations/x/callback',
        scope: 'tweet.read users.read tweet.write media.write offline.access',
        code_challenge_method: 'S256',
      });
      expect(searchParams.get('state')).toHaveLength(43);
      expect(searchParams.get('code_challenge')).toHaveLength(43);
    });

    it.each(['linkedin', 'linkedin-company', 'facebook', 'instagram', 'threads', 'youtube', 'tiktok'])(
      '409 for %s, without an address',
      async (platform) => {
        const { status, body } = await connect(platform);
        expect([status, body.code, body.authorizationUrl]).toEqual([
          409,
          'provider_not_connectable',
          undefined,
        ]);
      },
    );

    it.each([
      ['404 for a network that does not exist', () => connect('myspace'), 404],
      ['404 for another organization’s brand', () => connect('x', brandId, stranger.token), 404],
      ['404 for a brand that does not exist', () => connect('x', randomUUID()), 404],
      ['404 for what is no id', () => connect('x', 'acme'), 404],
      ['400 without a brand', () => api.as(owner.token)('POST', '/api/integrations/x/connect'), 400],
      ['401 without a caller', () => api.as()('POST', `/api/integrations/x/connect?brandId=${brandId}`), 401],
      [
        '403 without the scope',
        () => connect('x', brandId, api.person(owner.organizationId, ['accounts.read']).token),
        403,
      ],
    ])('%s', async (_, call, expected) => {
      expect((await call()).status).toBe(expected);
    });
  });

  describe('GET /api/integrations/{platform}/connect', () => {
    it('302 to the network, with a cookie for the way back', async () => {
      const answer = await redirect();
      expect(answer.status).toBe(302);
      expect(answer.headers.get('location')).toMatch(/\/x-web\/i\/oauth2\/authorize\?response_type=code/);
      expect(answer.headers.get('set-cookie')).toMatch(/^connect_.*HttpOnly.*SameSite=Lax/);
    });

    it('409 for a network that cannot be connected, before any redirect', async () => {
      const headers = { authorization: `Bearer ${owner.token}` };
      const answer = await raw(`/api/integrations/tiktok/connect?brandId=${brandId}`, headers);
      expect([answer.status, answer.headers.get('location')]).toEqual([409, null]);
    });

    it('401 without a caller', async () => {
      expect((await raw(`/api/integrations/x/connect?brandId=${brandId}`)).status).toBe(401);
    });

    describe('opened by a browser, with a start token', () => {
      const ORIGIN = 'http://127.0.0.1:3000';
      const start = async (brand = brandId, token = owner.token) => {
        const { body } = await connect('x', brand, token);
        return (body.startUrl as string).replace(ORIGIN, '');
      };
      /** What the form of the page at the address sends. */
      const confirm = (path: string, headers: Record<string, string> = { origin: ORIGIN }) => {
        const { pathname, searchParams } = new URL(path, ORIGIN);
        return fetch(api.service.url + pathname, {
          method: 'POST',
          redirect: 'manual',
          headers,
          body: searchParams,
        });
      };
      const nextIn = (text: string) =>
        (/content="0; url=([^"]+)"/.exec(text)?.[1] ?? '').replaceAll('&amp;', '&');

      it('names the person, the organization and the brand, and changes nothing', async () => {
        const brand = await api.as(owner.token)('POST', '/api/brands', { name: '<b>R&D</b> \u05d0' });
        const path = await start(brand.body.id as string);
        for (let opened = 0; opened < 2; opened += 1) {
          const answer = await raw(path);
          expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null]);
          expect(Object.fromEntries(answer.headers)).toMatchObject({
            'cache-control': 'no-store',
            'referrer-policy': 'same-origin',
            'content-security-policy':
              "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
          });
          const text = await answer.text();
          expect(text).toContain('\u2068&lt;b&gt;R&amp;D&lt;/b&gt; \u05d0\u2069');
          expect(text).toContain('\u2068Ada Lovelace\u2069');
          expect(text).toContain('\u2068Example Organization\u2069');
          expect(text).not.toMatch(/<script|<b>/);
        }
        expect((await confirm(path)).status).toBe(200);
      });

      it('continues to the network once it is confirmed, for the caller and the brand that it was made for', async () => {
        const answer = await confirm(await start(), { origin: ORIGIN, 'sec-fetch-site': 'same-origin' });
        expect(answer.status).toBe(200);
        [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';');
        const next = nextIn(await answer.text());
        expect(next).toMatch(/\/x-web\/i\/oauth2\/authorize\?response_type=code/);
        const page = await comeBack(await allow(next));
        expect(await page.text()).toContain('is connected to \u2068Acme\u2069');
      });

      it.each([
        ['another origin', { origin: 'https://evil.example' }],
        ['no origin', {}],
        ['an opaque origin', { origin: 'null' }],
        ['another site', { origin: ORIGIN, 'sec-fetch-site': 'cross-site' }],
        ['another origin of the same site', { origin: ORIGIN, 'sec-fetch-site': 'same-site' }],
      ] as [string, Record<string, string>][])(
        '403 for a form from %s; the address stays valid',
        async (_, headers) => {
          const path = await start();
          const answer = await confirm(path, headers);
          expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null]);
          expect(await answer.text()).toContain('<h1>Nothing was connected</h1>');
          expect((await confirm(path)).status).toBe(200);
        },
      );

      it('400 with a page when it is used again, unknown, expired or of another network', async () => {
        const used = await start();
        await confirm(used);
        const expired = await start();
        await api.test.database.query(`UPDATE integrations.connect_start SET expires_at = now()`);
        const other = (await start()).replace('/x/', '/tiktok/');
        const unknown = '/api/integrations/x/connect/start?startToken=unknown';
        for (const path of [used, expired, other, unknown, '/api/integrations/x/connect/start']) {
          for (const answer of [await raw(path), await confirm(path)]) {
            expect([answer.status, answer.headers.get('set-cookie')]).toEqual([400, null]);
            expect(await answer.text()).toContain('<h1>Nothing was connected</h1>');
          }
        }
      });

      it.each([
        ['was signed out', (token: string) => api.identity.revoke(token)],
        ['left the organization', (token: string) => api.identity.regrant(token, [])],
      ])('400 when the person %s meanwhile', async (_, leave) => {
        const person = api.person();
        const brand = await api.as(person.token)('POST', '/api/brands', { name: 'Left' });
        const path = await start(brand.body.id as string, person.token);
        leave(person.token);
        for (const answer of [await raw(path), await confirm(path)]) {
          expect([answer.status, answer.headers.get('set-cookie')]).toEqual([400, null]);
          expect(await answer.text()).toContain('<h1>Nothing was connected</h1>');
        }
      });

      it('stores neither the token nor the bearer token in clear, and forgets what was not used', async () => {
        const path = await start();
        const rows = await api.test.database.query('SELECT t::text AS row FROM integrations.connect_start t');
        expect(rows.length).toBeGreaterThan(0);
        expect(JSON.stringify(rows)).not.toContain(owner.token);
        expect(JSON.stringify(rows)).not.toContain(new URLSearchParams(path.split('?')[1]).get('startToken'));
        await api.test.database.query(`UPDATE integrations.connect_start SET expires_at = now()`);
        await new ConnectStartsStore(api.test.database, null as never).deleteExpired();
        expect(await api.test.database.query('SELECT FROM integrations.connect_start')).toEqual([]);
      });
    });
  });

  describe('GET /api/integrations/{platform}/callback', () => {
    it('connects the account and tells the person', async () => {
      const { body } = await connect();
      const page = await comeBack(await allow(body.authorizationUrl as string));
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(await page.text()).toContain('@northwind');
    });

    it('names the account and the brand, as text', async () => {
      const brand = await api.as(owner.token)('POST', '/api/brands', { name: '<b>R&D</b> \u05d0' });
      const { body } = await connect('x', brand.body.id as string);
      const text = await (await comeBack(await allow(body.authorizationUrl as string))).text();
      const named = '\u2068&lt;b&gt;R&amp;D&lt;/b&gt; \u05d0\u2069';
      expect(text).toContain(`<h1>\u2068@northwind\u2069 on X is connected to ${named}</h1>`);
      expect(text).toContain(`Posts of ${named} can now be published to \u2068@northwind\u2069 on X.`);
    });

    it.each([
      ['was signed out', (token: string) => api.identity.revoke(token)],
      ['left the organization', (token: string) => api.identity.regrant(token, [])],
      [
        'may not connect accounts any more',
        (token: string) =>
          api.identity.regrant(token, [{ id: owner.organizationId, scopes: ['accounts.read'] }]),
      ],
      [
        'is bound to another brand',
        (token: string) =>
          api.identity.regrant(token, [{ id: owner.organizationId, brandIds: [randomUUID()] }]),
      ],
    ])('connects nothing for somebody who meanwhile %s', async (_, end) => {
      const { token } = api.person(owner.organizationId);
      const username = await anAccount('late_leaver');
      const { body } = await connect('x', brandId, token);
      const back = await allow(body.authorizationUrl as string, username);
      end(token);
      const page = await comeBack(back);
      expect([page.status, await page.text()]).toEqual([
        400,
        expect.stringContaining('Nothing was connected'),
      ]);
      expect(await grantsOf(username)).toBe(0);
      expect((await comeBack(back)).status).toBe(400);
    });

    it('connects nothing while identity cannot be asked', async () => {
      const { body } = await connect();
      const back = await allow(body.authorizationUrl as string);
      api.identity.goDown();
      const page = await comeBack(back);
      api.identity.comeBack();
      expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5']);
    });

    it.each([
      ['a name with a NUL', '{"data":{"id":"17","username":"odd\\u0000name","name":"Od\\ud800d"}}', 200],
      ['an id without end', `{"data":{"id":"${'7'.repeat(100_000)}","username":"endless"}}`, 503],
    ])('says what became of a profile with %s', async (_, body, expected) => {
      const route = 'GET /2/users/me';
      const times = expected === 200 ? 1 : 2;
      await sandbox.fault({ kind: 'answer-instead', route, status: 200, times, body });
      const started = await connect();
      const page = await comeBack(await allow(started.body.authorizationUrl as string));
      expect(page.status).toBe(expected);
    });

    it('takes only the browser that was redirected back', async () => {
      const started = await redirect();
      const back = await allow(started.headers.get('location') ?? '', 'harborbooks');
      expect((await raw(back)).status).toBe(400);
      const again = await redirect();
      const [cookie = ''] = (again.headers.get('set-cookie') ?? '').split(';');
      const other = await allow(again.headers.get('location') ?? '', 'harborbooks');
      expect((await raw(other, { cookie })).status).toBe(200);
    });

    it('connects nothing without the cookie of the browser, or with a forged one', async () => {
      for (const forged of [undefined, 'forged']) {
        const { body } = await connect();
        const back = await allow(body.authorizationUrl as string);
        const state = new URL(back, 'http://x').searchParams.get('state') ?? '';
        const headers = forged ? { cookie: `connect_${state.slice(0, 12)}=${forged}` } : {};
        expect((await raw(back, headers as Record<string, string>)).status).toBe(400);
        // Nor does it spoil the sign-in for the browser in which it began.
        expect((await comeBack(back)).status).toBe(200);
      }
    });

    it('works once', async () => {
      const { body } = await connect();
      const back = await allow(body.authorizationUrl as string);
      expect((await comeBack(back)).status).toBe(200);
      expect((await comeBack(back)).status).toBe(400);
    });

    it('shows that the user denied access', async () => {
      const { body } = await connect();
      const page = await comeBack(await allow(body.authorizationUrl as string, 'northwind', 'cancel'));
      expect([page.status, await page.text()]).toEqual([
        400,
        expect.stringContaining('nothing was connected'),
      ]);
    });

    describe('with an error', () => {
      const returned = async (query: string) => {
        const { body } = await connect();
        const state = new URL(body.authorizationUrl as string).searchParams.get('state') ?? '';
        const page = await comeBack(`/api/integrations/x/callback?state=${state}&${query}`);
        const again = await comeBack(`/api/integrations/x/callback?state=${state}&code=1`);
        expect(again.status).toBe(400);
        return { status: page.status, text: await page.text(), type: page.headers.get('content-type') };
      };
      const connections = () =>
        api.test.database.query(
          'SELECT id, token_version, updated_at FROM integrations.connection ORDER BY id',
        );
      const ATTACK = encodeURIComponent('<script>alert(1)</script>');

      it.each([
        ['error=access_denied', 400, 'Access was not allowed'],
        ['error=user_cancelled_login&error_description=x', 400, 'Access was not allowed'],
        ['error=access_denied&code=stolen', 400, 'Access was not allowed'],
        ['error_code=100&error_message=Invalid%20Scopes', 409, 'Tell the operator'],
        ['error=invalid_scope', 409, 'Tell the operator'],
        [`error=${ATTACK}&error_description=${ATTACK}&error_message=${ATTACK}`, 409, 'Tell the operator'],
        ['error=temporarily_unavailable', 503, 'does not answer'],
      ])('%s shows a page with status %d and connects nothing', async (query, status, sentence) => {
        const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
        const before = await connections();
        const page = await returned(query);
        expect(page).toMatchObject({ status, type: 'text/html; charset=utf-8' });
        expect(page.text).toContain('<h1>Nothing was connected</h1>');
        expect(page.text).toContain(sentence);
        expect(page.text).not.toMatch(/script|alert|Invalid Scopes/);
        expect(await connections()).toEqual(before);
        const logged = errors.mock.calls.map(([line]) => String(line));
        expect(logged.some((line) => line.includes('refuses sign-ins with code'))).toBe(status === 409);
        expect(logged.join()).not.toContain('script');
        errors.mockRestore();
      });

      it('is no reason to tell an operator when the sign-in was not begun', async () => {
        const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
        const page = await raw('/api/integrations/x/callback?state=made-up&error_code=100');
        expect([page.status, await page.text()]).toEqual([400, expect.stringContaining('Start it again')]);
        expect(errors).not.toHaveBeenCalled();
        errors.mockRestore();
      });
    });

    it('refuses a state that is too old, of another network, or another one that was allowed', async () => {
      const { body } = await connect();
      const back = await allow(body.authorizationUrl as string);
      expect((await comeBack(back.replace('/x/', '/threads/'))).status).not.toBe(200);
      await api.test.database.query(`UPDATE integrations.authorization_request SET expires_at = now()`);
      const page = await comeBack(back);
      expect([page.status, await page.text()]).toEqual([400, expect.stringContaining('took too long')]);
    });

    it('refuses a state it never gave, a code that is none, and a network that is none', async () => {
      expect((await raw('/api/integrations/x/callback?state=made-up&code=1')).status).toBe(400);
      const { body } = await connect();
      const state = new URL(body.authorizationUrl as string).searchParams.get('state') ?? '';
      expect((await comeBack(`/api/integrations/x/callback?state=${state}&code=wrong`)).status).toBe(400);
      expect((await raw('/api/integrations/myspace/callback?state=a&code=b')).status).toBe(404);
      expect((await raw('/api/integrations/x/callback')).status).toBe(400);
    });

    it.each([
      ['is revoked', [], 0],
      ['is revoked as far as the network lets it', ['POST /2/oauth2/revoke'], 1],
    ])('what was granted to a sign-in that fails %s', async (_, alsoDown, left) => {
      const username = await anAccount('unreadable');
      const { body } = await connect();
      const back = await allow(body.authorizationUrl as string, username);
      for (const route of ['GET /2/users/me', ...alsoDown])
        await sandbox.fault({ kind: 'server-error-before-effect', route });
      const page = await comeBack(back);
      await sandbox.control('DELETE', '/faults');
      expect([page.status, await page.text()]).toEqual([503, expect.stringContaining('X does not answer')]);
      expect(await grantsOf(username)).toBe(left);
    });

    it('reads the profile from the legacy host when the current one fails', async () => {
      await sandbox.fault({
        kind: 'server-error-before-effect',
        host: 'api',
        route: 'GET /2/users/me',
        times: 1,
      });
      const { body } = await connect();
      expect((await comeBack(await allow(body.authorizationUrl as string))).status).toBe(200);
    });
  });

  describe('connecting an account to a brand that is moved meanwhile', () => {
    const to = randomUUID();
    const aBrand = async () => (await api.as(owner.token)('POST', '/api/brands', { name: 'Moves' })).body;
    const move = (id: string) => {
      const organizations = [{ id: owner.organizationId, role: 'owner' }, { id: to }];
      const path = `/api/brands/${id}/transfer-organization`;
      return api.as(api.identity.user({ organizations }))('POST', path, { organizationId: to });
    };
    const accountsOf = (id: string) =>
      api.test.database.query<{ state: string }>(
        'SELECT state FROM integrations.connection WHERE brand_id = $1',
        [id],
      );

    it('connects nothing once it is another organization’s', async () => {
      const { id } = await aBrand();
      const { body } = await connect('x', id);
      const back = await allow(body.authorizationUrl as string, await anAccount('left_behind'));
      let page: Promise<Response> | undefined;
      await whileLocked('integrations.platform_hold', async (waiting) => {
        page = comeBack(back);
        await waiting(1);
        expect((await move(id)).status).toBe(200);
      });
      expect((await page)?.status).toBe(400);
      expect(await accountsOf(id)).toEqual([]);
      expect(await grantsOf('left_behind')).toBe(0);
    });

    it('lets the brand go only when the account is connected, and with it', async () => {
      const { id } = await aBrand();
      const { body } = await connect('x', id);
      const back = await allow(body.authorizationUrl as string);
      let page: Promise<Response> | undefined;
      let moved: ReturnType<typeof move> | undefined;
      await whileLocked('integrations.connection', async (waiting) => {
        page = comeBack(back);
        await waiting(1);
        moved = move(id);
        await waiting(2);
      });
      expect([(await page)?.status, (await moved)?.status]).toEqual([200, 200]);
      expect(await accountsOf(id)).toEqual([{ state: 'active' }]);
    });
  });

  describe('GET /api/integrations', () => {
    it('lists accounts with their readiness, pages and groups, and no secret', async () => {
      await connected();
      const { status, body, text } = await api.as(owner.token)('GET', '/api/integrations');
      expect(status).toBe(200);
      expect(body.data[0]).toMatchObject({
        brandId,
        platform: 'x',
        state: 'active',
        readiness: 'sandbox-only',
        pages: [],
        groups: [],
        connectedBy: owner.id,
      });
      expect(body.providers).toHaveLength(8);
      expect(body.providers).toContainEqual(
        expect.objectContaining({ platform: 'tiktok', readiness: 'setup-required', connectable: false }),
      );
      expect(text.replaceAll('tokenHealth', '')).not.toMatch(/token|secret|client_id/i);
    });

    it('shows the health of the access, limits, facts and warnings of each', async () => {
      await connected();
      const read = async () => (await api.as(owner.token)('GET', '/api/integrations')).body.data[0];
      expect(await read()).toMatchObject({
        tokenHealth: { state: 'healthy', endsAt: null, renewable: true },
        facts: { subscription: expect.any(String) },
        warnings: [],
      });
      expect((await read()).limits).toEqual([
        {
          ...{ name: 'posts-per-15-minutes', scope: 'account', counts: 'posts' },
          ...{ max: 100, remaining: 100, resetsAt: null },
        },
        expect.objectContaining({ name: 'posts-per-day', scope: 'app', remaining: 10_000 }),
        expect.objectContaining({ name: 'posts-of-account-per-day', scope: 'account', max: null }),
      ]);
      const { id } = await read();
      await api.test.database.query(
        `UPDATE integrations.connection SET refresh_token = NULL, access_expires_at = now() + interval '3 days' WHERE id = $1`,
        [id],
      );
      const { tokenHealth, warnings } = await read();
      expect(tokenHealth).toMatchObject({ state: 'ends-soon', renewable: false });
      expect(warnings).toMatchObject([{ code: 'grant_ends', at: tokenHealth.endsAt }]);
      await api.test.database.query(
        `UPDATE integrations.connection SET state = 'reconnect-needed' WHERE id = $1`,
        [id],
      );
      expect(await read()).toMatchObject({
        tokenHealth: { state: 'ended' },
        warnings: [{ code: 'grant_ended' }],
      });
    });

    it('warns of the end of the version of an interface, of the network and of its accounts', async () => {
      await connected();
      const endsAt = new Date(Date.now() + 29 * 86_400_000).toISOString();
      const version = jest.spyOn(XProvider.prototype, 'apiVersion') as unknown as jest.Mock<() => object>;
      version.mockReturnValue({ name: 'v9', endsAt });
      const { body } = await api.as(owner.token)('GET', '/api/integrations');
      const warning = { code: 'api_version_ends', message: expect.stringContaining('v9'), at: endsAt };
      const provider = (body.providers as { platform: string }[]).find(({ platform }) => platform === 'x');
      expect(provider).toMatchObject({ apiVersion: { name: 'v9', endsAt }, warnings: [warning] });
      expect(body.data[0].warnings).toEqual([warning]);
      version.mockRestore();
    });

    it('filters by network and state; what is neither is ignored', async () => {
      await connected();
      const count = async (query: string) =>
        (await api.as(owner.token)('GET', `/api/integrations?brandId=${brandId}&${query}`)).body.data.length;
      const all = await count('');
      expect(all).toBeGreaterThan(0);
      expect([await count('platform=x'), await count('platform=tiktok,x')]).toEqual([all, all]);
      expect(await count('platform=tiktok')).toBe(0);
      const [active, ended] = [await count('state=active'), await count('state=reconnect-needed')];
      expect([active > 0, active + ended]).toEqual([true, all]);
      expect(await count('state=active&state=reconnect-needed')).toBe(all);
      expect([await count('state=disconnected'), await count('platform=nothing')]).toEqual([all, all]);
    });

    it('pages through them', async () => {
      await connected('northwind');
      await connected('lumenstudio');
      const call = api.as(owner.token, { 'x-brand-id': brandId });
      const first = await call('GET', '/api/integrations?limit=1');
      expect(first.body.pagination).toMatchObject({ limit: 1, hasMore: true });
      const next = await call('GET', `/api/integrations?limit=1&cursor=${first.body.pagination.nextCursor}`);
      expect(next.body.data[0].id).not.toBe(first.body.data[0].id);
    });

    it('hides the accounts of other organizations', async () => {
      await connected();
      const call = api.as(stranger.token);
      expect((await call('GET', '/api/integrations')).body.data).toEqual([]);
      expect((await call('GET', `/api/integrations?brandId=${brandId}`)).status).toBe(404);
      expect((await api.as()('GET', '/api/integrations')).status).toBe(401);
      const reader = api.person(owner.organizationId, ['posts.read']);
      expect((await api.as(reader.token)('GET', '/api/integrations')).status).toBe(403);
    });
  });

  describe('GET /api/integrations by a caller bound to brands', () => {
    const seenBy = async (organizationId: string, boundTo: string) => {
      const organization = { id: organizationId, brandIds: [boundTo] };
      const { status, body } = await api.as(api.identity.service({ organization }))(
        'GET',
        '/api/integrations',
      );
      expect(status).toBe(200);
      return new Set((body.data as { brandId: string }[]).map((each) => each.brandId));
    };

    it('shows the accounts of those brands, and of no brand that its organization does not own', async () => {
      await connected();
      expect(await seenBy(owner.organizationId, brandId)).toEqual(new Set([brandId]));
      expect(await seenBy(stranger.organizationId, brandId)).toEqual(new Set());
    });

    it('shows them to the present organization of the brand, not to the former one', async () => {
      const to = randomUUID();
      const moved = await api.as(owner.token)('POST', '/api/brands', { name: 'On the move' });
      const id = moved.body.id as string;
      const { body } = await connect('x', id);
      expect((await comeBack(await allow(body.authorizationUrl as string))).status).toBe(200);
      const seen = async () => [await seenBy(owner.organizationId, id), await seenBy(to, id)];
      const [all, none] = [new Set([id]), new Set()];
      expect(await seen()).toEqual([all, none]);
      const mover = api.identity.user({
        organizations: [{ id: owner.organizationId, role: 'owner' }, { id: to }],
      });
      const path = `/api/brands/${id}/transfer-organization`;
      expect((await api.as(mover)('POST', path, { organizationId: to })).status).toBe(200);
      expect(await seen()).toEqual([none, all]);
    });
  });

  describe('POST /internal/connections/{connectionId}/refresh', () => {
    const tokens = async (connectionId: string) => {
      const [row] = await api.test.database.query<Record<'access_token' | 'refresh_token' | 'state', string>>(
        'SELECT access_token, refresh_token, state FROM integrations.connection WHERE id = $1',
        [connectionId],
      );
      return row;
    };

    const leaseOf = async (connectionId: string) => {
      const key = `connection-refresh:${connectionId}`;
      return (await api.test.database.query('SELECT FROM due_work.lease WHERE key = $1', [key])).length;
    };

    it('stores rotated tokens, sealed, and refuses to rotate what is newer already', async () => {
      const id = await connected();
      const before = await tokens(id);
      const answer = await refresh(id);
      expect([answer.status, await answer.json()]).toEqual([200, { result: 'refreshed' }]);
      const after = await tokens(id);
      expect(after?.refresh_token).not.toBe(before?.refresh_token);
      expect(after?.access_token).toMatch(/^test\.[\w-]+$/);
      expect(await (await refresh(id, { tokenVersion: 1 })).json()).toEqual({ result: 'refreshed' });
      expect(await tokens(id)).toEqual(after);
    });

    it.each([
      ['no JSON', '<html>503</html>', 'unavailable', 'active'],
      ['nested in data[]', '{"data":[{"access_token":"nested","expires_in":60}]}', 'unavailable', 'active'],
      ['without an access token', '{"token_type":"bearer","expires_in":7200}', 'unavailable', 'active'],
      ['a list', '[]', 'unavailable', 'active'],
    ])('changes nothing by a response that is %s', async (_, body, result, state) => {
      const id = await connected();
      const before = await tokens(id);
      const route = 'POST /2/oauth2/token';
      await sandbox.fault({ kind: 'answer-instead', route, status: 200, times: 1, body });
      expect(await (await refresh(id)).json()).toEqual({ result });
      expect(await tokens(id)).toEqual({ ...before, state });
    });

    it('keeps the refresh token and states no end when the response has neither', async () => {
      const id = await connected();
      const before = await tokens(id);
      const body = '{"token_type":"bearer","access_token":"renewed","scope":"tweet.read"}';
      const fault = { kind: 'answer-instead', route: 'POST /2/oauth2/token', status: 200, times: 1, body };
      await sandbox.fault(fault);
      expect(await (await refresh(id)).json()).toEqual({ result: 'refreshed' });
      const after = await tokens(id);
      expect([after?.access_token === before?.access_token, after?.refresh_token]).toEqual([
        false,
        before?.refresh_token,
      ]);
      const [row] = await api.test.database.query<{ ends: Date | null }>(
        'SELECT access_expires_at AS ends FROM integrations.connection WHERE id = $1',
        [id],
      );
      expect(row?.ends).toBeNull();
    });

    it('renews once for many who ask for the same', async () => {
      const id = await connected();
      const [row] = await api.test.database.query<{ v: number }>(
        'SELECT token_version v FROM integrations.connection WHERE id = $1',
        [id],
      );
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => refresh(id, { tokenVersion: row?.v })),
      );
      for (const answer of answers) expect(await answer.json()).toEqual({ result: 'refreshed' });
      const [now] = await api.test.database.query<{ v: number }>(
        'SELECT token_version v FROM integrations.connection WHERE id = $1',
        [id],
      );
      expect(now?.v).toBe((row?.v ?? 0) + 1);
    });

    it('keeps no transaction open, and no place at the database, while the network takes its time', async () => {
      const id = await connected();
      const slow = { kind: 'delay-before-effect', delayMs: 3_000, route: 'POST /2/oauth2/token', times: 1 };
      await sandbox.fault(slow);
      const answer = refresh(id);
      await waitUntil(async () => (await leaseOf(id)) > 0);
      await waitUntil(async () => {
        const open = await api.test.database.query(
          `SELECT FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid() AND state LIKE 'idle in transaction%'`,
        );
        return open.length === 0;
      });
      expect(await leaseOf(id)).toBe(1);
      expect(await (await answer).json()).toEqual({ result: 'refreshed' });
      expect(await leaseOf(id)).toBe(0);
    });

    it.each(['delay-before-effect', 'delay-after-effect'])(
      'brings nothing back to an account that was disconnected meanwhile, here or at the network (%s)',
      async (kind) => {
        const id = await connected(await anAccount('disconnected'));
        await sandbox.fault({ kind, delayMs: 1_500, route: 'POST /2/oauth2/token', times: 1 });
        const answer = refresh(id);
        await waitUntil(async () => (await sandbox.control('GET', '/faults')).body.data.at(-1).hits > 0);
        expect((await api.as(owner.token)('DELETE', `/api/integrations/${id}`)).status).toBe(204);
        await answer;
        expect(await tokens(id)).toMatchObject({ access_token: null, state: 'disconnected' });
        expect(await grantsOf('disconnected')).toBe(0);
      },
    );

    it('leaves no grant at the network when the account is disconnected while tokens are stored', async () => {
      const id = await connected(await anAccount('overtaken'));
      const answers: Promise<{ status: number }>[] = [];
      await whileLocked('integrations.connection', async (waiting) => {
        answers.push(refresh(id));
        await waiting(1);
        answers.push(api.as(owner.token)('DELETE', `/api/integrations/${id}`));
        await waiting(2);
      });
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 204]);
      expect(await tokens(id)).toMatchObject({ access_token: null, state: 'disconnected' });
      expect(await grantsOf('overtaken')).toBe(0);
    });

    it('keeps the connection when the network is down, and asks for a reconnect when the grant is dead', async () => {
      const id = await connected('lumenstudio');
      await sandbox.fault({ kind: 'server-error-before-effect', route: 'POST /2/oauth2/token', times: 1 });
      expect(await (await refresh(id)).json()).toEqual({ result: 'unavailable' });
      expect((await tokens(id))?.state).toBe('active');
      await sandbox.control('POST', '/x/accounts/lumenstudio/revoke');
      expect(await (await refresh(id)).json()).toEqual({
        result: 'reconnect-needed',
        networkCode: 'invalid_request',
      });
      expect((await tokens(id))?.state).toBe('reconnect-needed');
      expect(await connected('lumenstudio')).toBe(id);
      expect((await tokens(id))?.state).toBe('active');
    });

    describe('when the connection to the database is lost', () => {
      /** While `work` runs, the tokens cannot be stored; it can cut the connections of those that wait to. */
      const whileLocked = (
        id: string,
        work: (cut: (connections: number) => Promise<void>) => Promise<void>,
      ) =>
        api.test.database.transaction(async (transaction) => {
          await transaction.query('SELECT FROM integrations.connection WHERE id = $1 FOR UPDATE', [id]);
          const pids = new Set<number>();
          await work((connections) =>
            waitUntil(async () => {
              const waiting = await transaction.query<{ pid: number }>(
                `SELECT pid, pg_terminate_backend(pid) FROM pg_locks
                 WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`,
              );
              for (const { pid } of waiting) pids.add(pid);
              return pids.size >= connections;
            }),
          );
        });

      it('stores what the network has granted, however often it takes, and renews with it the next time', async () => {
        const id = await connected('lumenstudio');
        const before = await tokens(id);
        let answer: Promise<Response> | undefined;
        await whileLocked(id, async (cut) => {
          answer = refresh(id);
          await cut(2);
          expect(await leaseOf(id)).toBe(1);
        });
        expect(await (await answer)?.json()).toEqual({ result: 'refreshed' });
        const after = await tokens(id);
        expect(after?.state).toBe('active');
        expect(after?.refresh_token).not.toBe(before?.refresh_token);
        expect(await leaseOf(id)).toBe(0);
        expect(await (await refresh(id)).json()).toEqual({ result: 'refreshed' });
      });

      it('keeps what was stored when only the answer to that was lost', async () => {
        const id = await connected(await anAccount('answer_lost'));
        const store = api.service.app.get(TokensStore, { strict: false });
        const replace = store.replace.bind(store);
        const once = jest.spyOn(store, 'replace').mockImplementationOnce(async (...tokens) => {
          await replace(...tokens);
          throw new DatabaseIsUnavailable(new Error('Connection terminated unexpectedly'));
        });
        expect(await (await refresh(id)).json()).toEqual({ result: 'refreshed' });
        expect(once).toHaveBeenCalledTimes(2);
        once.mockRestore();
        expect(await (await refresh(id)).json()).toEqual({ result: 'refreshed' });
        expect((await tokens(id))?.state).toBe('active');
      });

      it('stores it after the client disconnected and the process got SIGTERM', async () => {
        const id = await connected('lumenstudio');
        const replica = await api.replica({ SHUTDOWN_GRACE_MS: '120000' });
        const hangUp = new AbortController();
        let closed: Promise<void> | undefined;
        await whileLocked(id, async (cut) => {
          const answer = refresh(id, {}, internalToken, { at: replica.managementUrl, signal: hangUp.signal });
          await cut(1);
          hangUp.abort();
          await expect(answer).rejects.toThrow();
          closed = replica.close();
          await waitUntil(async () => !(await fetch(replica.url).catch(() => null)));
          await cut(2);
        });
        await closed;
        expect((await tokens(id))?.state).toBe('active');
        expect(await (await refresh(id)).json()).toEqual({ result: 'refreshed' });
      });
    });

    it('is for holders of the internal token, on the management address only', async () => {
      const id = await connected();
      expect((await refresh(id, {}, 'guessed')).status).toBe(401);
      expect((await api.as(owner.token)('POST', `/internal/connections/${id}/refresh`, {})).status).toBe(404);
    });
  });

  describe('a network that refuses this service', () => {
    const x = async (url = api.service.url) => {
      const { body } = await callOf(url, { authorization: `Bearer ${owner.token}` })(
        'GET',
        '/api/integrations',
      );
      const { readiness, connectable } = (body.providers as Record<string, unknown>[]).find(
        ({ platform }) => platform === 'x',
      ) as { readiness: string; connectable: boolean };
      return { readiness, connectable };
    };
    const ready = { readiness: 'sandbox-only', connectable: true };
    const refused = { readiness: 'setup-required', connectable: false };
    const answer = (route: string, status: number, body: object) =>
      sandbox.fault({ kind: 'answer-instead', route, status, body: JSON.stringify(body), times: 2 });
    const signInIsRefused = () =>
      answer('POST /2/oauth2/token', 401, {
        error: 'unauthorized_client',
        error_description: 'Missing valid authorization header',
      });
    const refuseSignIn = async () => {
      await signInIsRefused();
      const { body } = await connect();
      return comeBack(await allow(body.authorizationUrl as string));
    };

    afterEach(async () => {
      await api.test.database.query('DELETE FROM integrations.platform_hold');
      await api.test.database.query('DELETE FROM integrations.network_outage');
      await sandbox.control('DELETE', '/faults');
    });

    it('has to be set up before another account is connected; those that are connected stay what they are', async () => {
      const id = await connected();
      expect(await x()).toEqual(ready);
      const page = await refuseSignIn();
      expect([page.status, await page.text()]).toEqual([
        409,
        expect.stringContaining('set up by an operator'),
      ]);
      expect(await x()).toEqual(refused);
      const { status, body } = await connect();
      expect([status, body.code, body.readiness]).toEqual([
        409,
        'provider_not_connectable',
        'setup-required',
      ]);
      expect((await redirect()).status).toBe(409);
      const list = await api.as(owner.token)('GET', '/api/integrations');
      expect((list.body.data as { id: string }[]).find((each) => each.id === id)).toMatchObject({
        state: 'active',
        readiness: 'sandbox-only',
        heldUntil: expect.any(String),
        holdReason: 'client_refused',
      });
    });

    it('is found out when tokens are renewed, and that it is over, too', async () => {
      const id = await connected();
      await signInIsRefused();
      expect(await (await refresh(id)).json()).toEqual({ result: 'misconfigured' });
      expect(await x()).toEqual(refused);
      await sandbox.control('DELETE', '/faults');
      expect(await (await refresh(id)).json()).toEqual({ result: 'refreshed' });
      expect(await x()).toEqual(ready);
    });

    it('is found out when a profile is read', async () => {
      const problem = { title: 'Client Forbidden', reason: 'client-not-enrolled', type: 'about:blank' };
      await answer('GET /2/users/me', 403, problem);
      const { body } = await connect();
      expect((await comeBack(await allow(body.authorizationUrl as string))).status).toBe(409);
      expect(await x()).toEqual(refused);
    });

    it('is not seen in a refusal of one sign-in or one grant', async () => {
      const { body } = await connect();
      const state = new URL(body.authorizationUrl as string).searchParams.get('state') ?? '';
      expect((await comeBack(`/api/integrations/x/callback?state=${state}&code=wrong`)).status).toBe(400);
      await connected('lumenstudio').then(async (id) => {
        await sandbox.control('POST', '/x/accounts/lumenstudio/revoke');
        await refresh(id);
      });
      expect(await x()).toEqual(ready);
    });

    it('is what publishing found out elsewhere, which a renewed token does not refute, and time ends', async () => {
      const id = await connected();
      const hold = (until: string) =>
        api.test.database.query(
          `INSERT INTO integrations.platform_hold (platform, until, reason)
           VALUES ('x', now() + $1::interval, 'client_forbidden')
           ON CONFLICT (platform) DO UPDATE SET until = excluded.until`,
          [until],
        );
      await hold('1 hour');
      expect(await x()).toEqual(refused);
      expect(await (await refresh(id)).json()).toEqual({ result: 'refreshed' });
      expect(await x()).toEqual(refused);
      await hold('-1 second');
      expect(await x()).toEqual(ready);
    });

    it('is what refuses posts: it is shown with what an operator has to do, and ends with another setup', async () => {
      const id = await connected();
      await api.test.database.query(REFUSAL);
      expect(await x()).toEqual(refused);
      const { body } = await api.as(owner.token)('GET', '/api/integrations');
      const warning = { code: 'service_refused', message: expect.stringContaining('An operator has to') };
      expect((body.data as { id: string }[]).find((each) => each.id === id)).toMatchObject({
        state: 'active',
        holdReason: 'client_forbidden',
        warnings: [warning],
      });
      const ofX = (body.providers as { platform: string }[]).find(({ platform }) => platform === 'x');
      expect(ofX).toMatchObject({ warnings: [warning] });
      expect(await (await refresh(id)).json()).toEqual({ result: 'refreshed' });
      expect(await x()).toEqual(refused);
      await api.replica({ X_CLIENT_SECRET: 'yet-another-one' }).then((other) => other.close());
      expect(await x()).toEqual(ready);
      await api.replica().then((same) => same.close());
    });

    it('is known to every replica, until one starts with another setup', async () => {
      await refuseSignIn();
      const replica = await api.replica();
      const [here, there] = [await x(), await x(replica.url)];
      await replica.close();
      expect([here, there]).toEqual([refused, refused]);
      await api.replica({ X_CLIENT_SECRET: 'the-right-one' }).then((other) => other.close());
      expect(await x()).toEqual(ready);
    });
  });

  describe('DELETE /api/integrations/{platform}/hold', () => {
    let operator: ReturnType<BusinessApi['person']>;
    let replica: Awaited<ReturnType<BusinessApi['replica']>>;

    beforeAll(async () => {
      operator = api.person();
      replica = await api.replica({ OPERATOR_ORGANIZATION_ID: operator.organizationId });
    });
    afterAll(() => replica.close());
    beforeEach(() =>
      api.test.database.query(
        `INSERT INTO integrations.platform_hold (platform, until, reason)
         VALUES ('x', now() + interval '1 hour', 'usage_capped')
         ON CONFLICT (platform) DO UPDATE SET until = excluded.until`,
      ),
    );
    afterEach(() => api.test.database.query('DELETE FROM integrations.platform_hold'));

    const end = (token: string, platform = 'x', headers: Record<string, string> = {}) =>
      callOf(replica.url, { authorization: `Bearer ${token}`, ...headers })(
        'DELETE',
        `/api/integrations/${platform}/hold`,
      );
    const isHeld = async () =>
      (await api.test.database.query('SELECT FROM integrations.platform_hold')).length === 1;
    const member = (role: string, more: object = {}) =>
      api.identity.user({ organizations: [{ id: operator.organizationId, role, ...more }] });
    const ended = () =>
      api.test.database.query<{ data: object; metadata: object }>(
        `SELECT data, metadata FROM events.event WHERE type = 'PlatformHoldEnded' ORDER BY position`,
      );

    it("ends it once under concurrent requests, and the operator's audit names the caller and the hold", async () => {
      const before = (await ended()).length;
      const answers = await Promise.all([1, 2, 3].map(() => end(operator.token)));
      expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
      expect(await isHeld()).toBe(false);
      expect((await ended()).slice(before)).toEqual([
        {
          data: { platform: 'x', reason: 'usage_capped', until: expect.any(String) },
          metadata: expect.objectContaining({
            organizationId: operator.organizationId,
            actor: { type: 'user', id: operator.id },
          }),
        },
      ]);
      await api.followed();
      const { body } = await api.as(operator.token)('GET', '/api/content-ops/events');
      expect(body.data).toEqual([
        expect.objectContaining({
          kind: 'platform_hold.ended',
          details: expect.objectContaining({ platform: 'x', reason: 'usage_capped' }),
        }),
      ]);
      const others = await api.as(stranger.token)('GET', '/api/content-ops/events');
      expect(JSON.stringify(others.body)).not.toContain('platform_hold');
    });

    it('ends also that the network refuses the service, which has no end by itself', async () => {
      await api.test.database.query('DELETE FROM integrations.platform_hold');
      await api.test.database.query(REFUSAL);
      const before = (await ended()).length;
      expect((await end(operator.token)).status).toBe(204);
      expect((await ended()).slice(before)).toMatchObject([
        { data: { platform: 'x', reason: 'client_forbidden', until: null } },
      ]);
      const open = await api.test.database.query(
        'SELECT FROM integrations.network_outage WHERE open_since IS NOT NULL',
      );
      expect(open).toEqual([]);
    });

    it('may be asked by an admin', async () => {
      expect((await end(member('admin'))).status).toBe(204);
      expect(await isHeld()).toBe(false);
    });

    it.each([
      ['an owner of another organization', () => stranger.token, 403, 'operator_required'],
      ['a member', () => member('member'), 403, 'operator_required'],
      ['an admin of some brands', () => member('admin', { brandIds: [brandId] }), 403, 'operator_required'],
      ['an owner without the scope', () => member('owner', { scopes: [] }), 403, 'insufficient_scope'],
      [
        'a service principal',
        () => api.identity.service({ organization: { id: operator.organizationId, role: 'owner' } }),
        403,
        'operator_required',
      ],
    ] as const)('refuses %s', async (_, token, status, code) => {
      const answer = await end(token());
      expect([answer.status, answer.body.code]).toEqual([status, code]);
      expect(await isHeld()).toBe(true);
    });

    it('refuses an API key', async () => {
      const key = api.identity.apiKey({ organization: { id: operator.organizationId, role: 'owner' } });
      const answer = await callOf(replica.url, { 'x-api-key': key })('DELETE', '/api/integrations/x/hold');
      expect(answer.status).toBe(401);
      expect(await isHeld()).toBe(true);
    });

    it('names the setting when no organization operates the installation', async () => {
      const answer = await api.as(operator.token)('DELETE', '/api/integrations/x/hold');
      expect([answer.status, answer.body.code]).toEqual([403, 'operator_not_configured']);
      expect(answer.body.detail).toContain('OPERATOR_ORGANIZATION_ID');
      expect(await isHeld()).toBe(true);
    });

    it('refuses unknown networks, and records nothing without a hold', async () => {
      const before = await ended();
      expect((await end(operator.token, 'nowhere')).status).toBe(404);
      expect((await end(operator.token, 'linkedin')).status).toBe(204);
      await api.test.database.query(
        `UPDATE integrations.platform_hold SET until = now() - interval '1 second'`,
      );
      expect((await end(operator.token)).status).toBe(204);
      expect(await ended()).toEqual(before);
    });
  });

  describe('DELETE /api/integrations/{connectionId}', () => {
    it('erases tokens and profile, and tells the audit by ids and names of fields only', async () => {
      const id = await connected('harborbooks');
      const call = api.as(owner.token);
      expect((await call('DELETE', `/api/integrations/${id}`)).status).toBe(204);
      expect((await call('DELETE', `/api/integrations/${id}`)).status).toBe(404);
      const [row] = await api.test.database.query<Record<string, unknown>>(
        'SELECT * FROM integrations.connection WHERE id = $1',
        [id],
      );
      expect(row).toMatchObject({
        access_token: null,
        refresh_token: null,
        username: '',
        state: 'disconnected',
      });
      const events = await api.test.database.query<{ type: string; data: object }>(
        'SELECT type, data FROM events.event WHERE stream = $1 ORDER BY version',
        [id],
      );
      expect(events.map(({ type }) => type)).toEqual(
        expect.arrayContaining(['AccountConnected', 'AccountDisconnected']),
      );
      for (const { data } of events)
        expect(Object.keys(data).sort()).toEqual(['brandId', 'changed', 'connectionId', 'platform']);
      expect(JSON.stringify(events)).not.toContain('harborbooks');
    });

    it('disconnects once, however many ask at the same time', async () => {
      const id = await connected('harborbooks');
      const path = `/api/integrations/${id}`;
      const answers: Promise<{ status: number }>[] = [];
      await whileLocked('integrations.connection', async (waiting) => {
        answers.push(...[1, 2].map(() => api.as(owner.token)('DELETE', path)));
        await waiting(2);
      });
      const statuses = (await Promise.all(answers)).map(({ status }) => status);
      expect(statuses.toSorted((a, b) => a - b)).toEqual([204, 404]);
    });

    it('of an older grant happens when the account is connected again', async () => {
      const username = await anAccount('reconnected');
      await connected(username);
      await connected(username);
      expect(await grantsOf(username)).toBe(1);
    });

    describe('at a network where a revocation ends the whole consent', () => {
      let provider: PublishingProvider;
      let restore: () => void;
      let revoke: jest.SpiedFunction<PublishingProvider['revoke']>;
      let shared = '';
      let tests = 0;
      beforeEach(async () => {
        shared = await anAccount(`shared_${(tests += 1)}`);
        provider = api.service.app.get(ProviderRegistry, { strict: false }).publishing('x');
        const whole = jest.replaceProperty(provider, 'revocation', 'consent');
        revoke = jest.spyOn(provider, 'revoke').mockImplementation(async () => {
          await grantsOf(shared);
        });
        restore = () => {
          whole.restore();
          revoke.mockRestore();
        };
      });
      afterEach(() => restore());

      /** Connects it for the organization of that person. */
      const share = async (person: { token: string }) => {
        const brand = await api.as(person.token)('POST', '/api/brands', { name: 'Shares' });
        const { body } = await connect('x', brand.body.id as string, person.token);
        const page = await comeBack(await allow(body.authorizationUrl as string, shared));
        const list = await api.as(person.token)('GET', `/api/integrations?brandId=${brand.body.id}`);
        return { page, id: list.body.data[0]?.id as string };
      };
      const disconnect = (id: string, { token }: { token: string }) =>
        api.as(token)('DELETE', `/api/integrations/${id}`);

      it('it stays while another brand or organization uses the account, and ends with the last', async () => {
        const [one, two] = [await share(owner), await share(owner)];
        const foreign = await share(stranger);
        expect((await disconnect(one.id, owner)).status).toBe(204);
        expect((await disconnect(two.id, owner)).status).toBe(204);
        expect(revoke).not.toHaveBeenCalled();
        expect((await disconnect(foreign.id, stranger)).status).toBe(204);
        expect(revoke).toHaveBeenCalledTimes(1);
        expect(await grantsOf(shared)).toBe(0);
      });

      it('it ends when the last two are disconnected at once', async () => {
        const [one, two] = [await share(owner), await share(stranger)];
        const both = [disconnect(one.id, owner), disconnect(two.id, stranger)];
        expect((await Promise.all(both)).map(({ status }) => status)).toEqual([204, 204]);
        expect(await grantsOf(shared)).toBe(0);
      });

      it('it stays when the account is connected again', async () => {
        const { body } = await connect();
        await comeBack(await allow(body.authorizationUrl as string, shared));
        const again = await connect();
        await comeBack(await allow(again.body.authorizationUrl as string, shared));
        expect(revoke).not.toHaveBeenCalled();
        expect(await grantsOf(shared)).toBe(2);
      });

      it('a sign-in that a disconnect overtakes connects nothing, rather than an account without consent', async () => {
        const { id } = await share(stranger);
        const accounts = provider.accounts.bind(provider);
        const read = jest.spyOn(provider, 'accounts').mockImplementationOnce(async (grant, connecting) => {
          const known = await accounts(grant, connecting);
          await disconnect(id, stranger);
          return known;
        });
        const late = await share(owner);
        read.mockRestore();
        expect([late.page.status, late.id]).toEqual([expect.any(Number), undefined]);
        expect(late.page.status).not.toBe(200);
      });

      it('a disconnect leaves the consent that a sign-in is being stored under', async () => {
        const { id } = await share(stranger);
        let late: ReturnType<typeof share> | undefined;
        let ended: ReturnType<typeof disconnect> | undefined;
        await whileLocked('integrations.connection', async (waiting) => {
          late = share(owner);
          await waiting(1);
          ended = disconnect(id, stranger);
          await waiting(2);
        });
        expect((await late)?.page.status).toBe(200);
        expect((await ended)?.status).toBe(204);
        expect(revoke).not.toHaveBeenCalled();
        expect(await grantsOf(shared)).toBe(2);
      });
    });

    it('404 for another organization’s, for none and for what is no id; 401 without a caller', async () => {
      const id = await connected();
      expect((await api.as(stranger.token)('DELETE', `/api/integrations/${id}`)).status).toBe(404);
      expect((await api.as(owner.token)('DELETE', `/api/integrations/${randomUUID()}`)).status).toBe(404);
      expect((await api.as(owner.token)('DELETE', '/api/integrations/none')).status).toBe(404);
      expect((await api.as()('DELETE', `/api/integrations/${id}`)).status).toBe(401);
      const reader = api.person(owner.organizationId, ['accounts.read']);
      expect((await api.as(reader.token)('DELETE', `/api/integrations/${id}`)).status).toBe(403);
    });
  });
});
