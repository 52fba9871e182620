import { createHmac } from 'node:crypto';
import { signedRequest } from '../../sandbox/networks/graph/callback-routes.js';
import { BusinessApi } from '../support/business-api.js';
import { type ApiResponse, ask } from '../support/call.js';
import { connectAccount } from '../support/connect-account.js';
import { SandboxForTests } from '../support/sandbox.js';

const SECRET = 'sandbox-secret';
const PUBLIC_URL = 'http://127.0.0.1:3000';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

interface Row {
  readonly state: string;
  readonly accountId: string;
  readonly access: string | null;
  readonly personal: string;
}

describe('callbacks that the operator of a network signs', () => {
  let api: BusinessApi;
  let sandbox: SandboxForTests;
  let owners: ReturnType<BusinessApi['person']>[];
  let brands: string[];
  let people = 0;

  beforeAll(async () => {
    sandbox = await SandboxForTests.start({
      SANDBOX_REDIRECT_URIS: `${PUBLIC_URL}/api/integrations/facebook/callback`,
    });
    api = await BusinessApi.start({
      PUBLIC_URL,
      FACEBOOK_GRAPH_URL: `${sandbox.url}/facebook`,
      FACEBOOK_APP_ID: 'sandbox-client',
      FACEBOOK_APP_SECRET: SECRET,
      THREADS_APP_ID: 'threads-app',
      THREADS_APP_SECRET: 'threads-secret',
    });
    owners = [api.person(), api.person()];
    brands = await Promise.all(
      owners.map(async ({ token }) => {
        const { body } = await api.as(token)('POST', '/api/brands', { name: 'Acme' });
        return body.id as string;
      }),
    );
  });
  afterAll(async () => {
    await api.stop();
    await sandbox.stop();
  });

  const now = () => Math.floor(Date.now() / 1000);
  const signed = (subject: string, more: object = {}, secret = SECRET) =>
    signedRequest({ user_id: subject, issued_at: now(), ...more }, secret);
  const send = (name: string, request: string, platform = 'facebook'): Promise<ApiResponse> =>
    ask(`${api.service.url}/api/integrations/${platform}/${name}`, {
      method: 'POST',
      headers: FORM,
      body: new URLSearchParams({ signed_request: request }),
    });
  const status = (code: string, accept = 'application/json') =>
    ask(`${api.service.url}/api/integrations/data-deletion/${code}`, { headers: { accept } });

  /** The person signs in for the brand of that owner; every page of the person becomes a connection. */
  const connect = async (username: string, of = 0): Promise<void> => {
    const call = api.as(owners[of]?.token);
    const brandId = brands[of] ?? '';
    const page = await connectAccount({ api, sandbox }, { call, platform: 'facebook', brandId, username });
    if (page.status !== 200) throw new Error(page.text);
  };
  /** With two pages. @returns the id of the person */
  const aPerson = async (): Promise<{ id: string; username: string }> => {
    people += 1;
    const username = `person.${people}`;
    const pages = [`page.${people}.a`, `page.${people}.b`];
    return { id: (await sandbox.account(username, { pages }, 'facebook')).id, username };
  };
  const rows = (brand = 0): Promise<Row[]> =>
    api.test.database.query(
      `SELECT state, account_id AS "accountId", access_token AS access,
         concat(username, display_name, avatar_url, consent_id, facts, scopes, pages, groups) AS personal
       FROM integrations.connection WHERE brand_id = $1 ORDER BY id`,
      [brands[brand]],
    );
  const everything = async () => JSON.stringify([await rows(0), await rows(1), await records()]);
  const records = () =>
    api.test.database.query(
      'SELECT kind, connections FROM integrations.signed_callback ORDER BY received_at',
    );

  it('end the connections of the person in every brand of every organization, and no others', async () => {
    const [person, other] = [await aPerson(), await aPerson()];
    await connect(person.username, 0);
    await connect(person.username, 1);
    await connect(other.username, 0);
    const answer = await send('deauthorize', signed(person.id));
    expect([answer.status, answer.text]).toEqual([200, '']);
    const states = (await rows(0)).map(({ state, access }) => [state, access === null]);
    expect(states).toEqual([
      ['reconnect-needed', true],
      ['reconnect-needed', true],
      ['active', false],
      ['active', false],
    ]);
    expect((await rows(1)).map(({ state }) => state)).toEqual(['reconnect-needed', 'reconnect-needed']);
    const { body } = await api.as(owners[1]?.token)('GET', `/api/integrations?brandId=${brands[1]}`);
    expect((body.data as { state: string }[]).map(({ state }) => state)).toEqual([
      'reconnect-needed',
      'reconnect-needed',
    ]);
    await api.followed();
    const audited = await api.test.database.query<{ kind: string; actor: unknown }>(
      `SELECT data->>'changed' AS kind, metadata->'actor'->>'id' AS actor FROM events.event
       WHERE type = 'ReconnectNeeded'`,
    );
    expect(audited).toHaveLength(4);
    expect(audited[0]).toEqual({ kind: '["state", "tokens"]', actor: 'deauthorize-callback' });
  });

  it('change nothing when they are repeated, also after the person connected again', async () => {
    const person = await aPerson();
    await connect(person.username);
    const request = signed(person.id);
    expect((await send('deauthorize', request)).status).toBe(200);
    await connect(person.username);
    const before = await everything();
    expect((await send('deauthorize', request)).status).toBe(200);
    expect(await everything()).toBe(before);
    expect((await rows()).filter(({ state }) => state === 'active').length).toBeGreaterThan(0);
  });

  it('leave a sign-in alone that began after the person removed the service', async () => {
    const person = await aPerson();
    await connect(person.username);
    const before = await rows();
    const late = await send('deauthorize', signed(person.id, { issued_at: now() - 3_600 }));
    expect(late.status).toBe(200);
    expect(await rows()).toEqual(before);
    expect((await send('deauthorize', signed(person.id))).status).toBe(200);
    expect((await rows()).slice(-2).map(({ state }) => state)).toEqual([
      'reconnect-needed',
      'reconnect-needed',
    ]);
  });

  it('delete tokens, profile and ids at once, and keep the rows', async () => {
    const person = await aPerson();
    await connect(person.username, 1);
    const before = await rows(1);
    const answer = await send('data-deletion', signed(person.id));
    expect(answer.status).toBe(200);
    const { url, confirmation_code: code } = answer.body as Record<string, string>;
    expect(code).toMatch(/^[0-9a-z]{20,}$/);
    expect(url).toBe(`${PUBLIC_URL}/api/integrations/data-deletion/${code}`);
    const after = await rows(1);
    expect(after).toHaveLength(before.length);
    for (const row of after.slice(-2)) {
      expect(row).toMatchObject({ state: 'disconnected', access: null, personal: '{}{}[][]' });
      expect(row.accountId).toMatch(/^deleted:/);
    }
    const shown = await status(code ?? '');
    expect([shown.status, shown.body]).toMatchObject([200, { state: 'completed', connections: 2 }]);
    expect(JSON.stringify(shown.body)).not.toContain(person.id);
    const list = await api.as(owners[1]?.token)('GET', `/api/integrations?brandId=${brands[1]}`);
    expect(JSON.stringify(list.body)).not.toContain(person.username);
  });

  it('leave no id of the person or their pages anywhere in the database', async () => {
    const person = await aPerson();
    await connect(person.username, 1);
    const pages = await api.test.database.query<{ id: string }>(
      `INSERT INTO integrations.network_usage (platform, account_id, counter)
       SELECT platform, account_id, 'a-limit' FROM integrations.connection WHERE consent_id = $1
       RETURNING account_id AS id`,
      [person.id],
    );
    expect(pages).toHaveLength(2);
    await send('data-deletion', signed(person.id));
    const tables = await api.test.database.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const ids = [person.id, `page.${people}.`, ...pages.map(({ id }) => id)];
    for (const { name } of tables) {
      const sql = `SELECT FROM ${name} AS row WHERE row::text LIKE ANY ($1)`;
      const found = await api.test.database.query(sql, [ids.map((id) => `%${id}%`)]);
      expect([name, found.length]).toEqual([name, 0]);
    }
  });

  it('return the same code for a repeated deletion, and another one for another request', async () => {
    const person = await aPerson();
    await connect(person.username);
    const request = signed(person.id);
    const codeOf = (answer: ApiResponse) => (answer.body as Record<string, string>).confirmation_code;
    const answers = await Promise.all([1, 2, 3].map(() => send('data-deletion', request)));
    expect(new Set(answers.map(codeOf)).size).toBe(1);
    const later = await send('data-deletion', signed(person.id, { issued_at: now() - 5 }));
    expect(codeOf(later)).not.toBe(codeOf(answers[0] as ApiResponse));
    expect((await status(codeOf(later) ?? '')).body).toMatchObject({ connections: 0 });
  });

  it('tell a person what happened, and of an unknown code nothing', async () => {
    const answer = await send('data-deletion', signed('77'));
    const { confirmation_code: code = '' } = answer.body as Record<string, string>;
    const page = await status(code, 'text/html,application/xhtml+xml');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).toContain('This service had no data of an account of yours.');
    expect([page.headers.get('cache-control'), page.headers.get('x-robots-tag')]).toEqual([
      'no-store',
      'noindex',
    ]);
    for (const unknown of ['0'.repeat(32), 'x', `${code}0`, "'--", '%00']) {
      expect((await status(encodeURIComponent(unknown))).body).toMatchObject({
        code: 'data_deletion_not_found',
      });
      const none = await status(encodeURIComponent(unknown), 'text/html');
      expect([none.status, none.text.includes('Unknown code')]).toEqual([404, true]);
    }
  });

  const person = { user_id: '1', algorithm: 'HMAC-SHA256', issued_at: now() };
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const over = (text: string, payload: string, secret = SECRET) =>
    `${createHmac('sha256', secret).update(text).digest('base64url')}.${payload}`;
  const payload = encoded(person);

  it.each([
    ['the secret of another app', 403, 'signature_invalid', signed('1', {}, 'threads-secret')],
    ['a signature of the padded payload', 403, 'signature_invalid', over(`${payload}==`, payload)],
    ['a signature of the decoded payload', 403, 'signature_invalid', over(JSON.stringify(person), payload)],
    ['an age of two days', 403, 'signed_request_expired', signed('1', { issued_at: now() - 172_800 })],
    ['another algorithm', 400, 'signed_request_malformed', signed('1', { algorithm: 'HMAC-SHA1' })],
    ['no dot', 400, 'signed_request_malformed', 'abcdef'],
    ['no base64url', 400, 'signed_request_malformed', '+++.+++'],
    ['no JSON', 400, 'signed_request_malformed', over('bm8', 'bm8')],
    ['nobody named', 400, 'signed_request_malformed', signed('', {})],
    ['100 kB', 400, 'signed_request_malformed', signed('1', { more: 'x'.repeat(100_000) })],
  ])('are refused with %s, and change nothing', async (_, expected, code, request) => {
    const before = await everything();
    for (const name of ['deauthorize', 'data-deletion']) {
      const answer = await send(name, request);
      expect([answer.status, answer.body.code]).toEqual([expected, code]);
    }
    expect(await everything()).toBe(before);
  });

  it('are refused without the field, twice with it, and as another type', async () => {
    const url = `${api.service.url}/api/integrations/facebook/deauthorize`;
    const twice = `signed_request=${signed('1')}&signed_request=${signed('1')}`;
    for (const body of ['', 'other=1', twice]) {
      const answer = await ask(url, { method: 'POST', headers: FORM, body });
      expect([answer.status, answer.body.code]).toEqual([400, 'signed_request_malformed']);
    }
    const text = await ask(url, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' });
    expect(text.status).toBe(415);
    const large = await ask(url, {
      method: 'POST',
      headers: FORM,
      body: `signed_request=${'x'.repeat(2_000_000)}`,
    });
    expect(large.status).toBe(413);
  });

  it('have an address only at networks that send them', async () => {
    expect((await send('deauthorize', signed('1'), 'x')).body).toMatchObject({ code: 'callback_not_found' });
    expect((await send('deauthorize', signed('1'), 'nonsense')).body).toMatchObject({
      code: 'platform_not_found',
    });
    const ofThreads = await send('deauthorize', signed('1', {}, 'threads-secret'), 'threads');
    expect(ofThreads.status).toBe(200);
    expect((await send('deauthorize', signed('1'), 'threads')).status).toBe(403);
    const notSetUp = await send('deauthorize', signed('1'), 'instagram');
    expect([notSetUp.status, notSetUp.body.code]).toEqual([409, 'provider_not_connectable']);
  });

  it('are not needed by a person who disconnects: the last of their pages ends the consent', async () => {
    const call = api.as(owners[0]?.token);
    /** Disconnects so many pages of a new person. @returns how many of their tokens the network still accepts */
    const afterDisconnecting = async (count: number): Promise<number> => {
      const someone = await aPerson();
      await connect(someone.username);
      const ids = (
        await api.test.database.query<{ id: string }>(
          'SELECT id FROM integrations.connection WHERE consent_id = $1',
          [someone.id],
        )
      ).map(({ id }) => id);
      for (const id of ids.slice(0, count))
        expect((await call('DELETE', `/api/integrations/${id}`)).status).toBe(204);
      const { body } = await sandbox.control('POST', `/facebook/accounts/${someone.username}/revoke`);
      return body.grants as number;
    };
    expect(await afterDisconnecting(1)).toBeGreaterThan(0);
    expect(await afterDisconnecting(2)).toBe(0);
  });

  it('arrive from the sandbox as the operator sends them', async () => {
    const someone = await aPerson();
    await connect(someone.username, 1);
    const at = (name: string) => ({ url: `${api.service.url}/api/integrations/facebook/${name}` });
    const path = `/facebook/accounts/${someone.username}`;
    const ended = await sandbox.control('POST', `${path}/deauthorize`, at('deauthorize'));
    expect(ended.body).toEqual({ status: 200, body: '' });
    const deleted = await sandbox.control('POST', `${path}/data-deletion`, at('data-deletion'));
    expect(deleted.body).toMatchObject({
      status: 200,
      body: expect.stringContaining('confirmation_code') as string,
    });
    expect((await rows(1)).at(-1)?.state).toBe('disconnected');
  });
});
