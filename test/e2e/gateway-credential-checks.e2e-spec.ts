import { randomUUID } from 'node:crypto';
import request from 'supertest';
import { type BootedGateway, bootGateway } from '../support/boot-gateway.js';
import { PaymentsSandbox } from '../support/payments-sandbox.js';
import { SandboxForTests } from '../support/sandbox.js';
import { waitUntil } from '../support/wait-until.js';

const KEYS = {
  openai: 'sk-sandbox-openai',
  openrouter: 'sk-or-sandbox-openrouter',
  anthropic: 'sk-ant-sandbox-anthropic',
  google: 'AIza-sandbox-google',
} as const;
const WRONG = 'sk-wrong-0123456789abcdef';

const VIDEOS = { provider: 'youtube', scope: 'platform', project: 'a-project', label: 'Videos' };

interface Body {
  readonly id: string;
  readonly [member: string]: unknown;
}

describe('checks of credentials', () => {
  let sandbox: SandboxForTests;
  let payments: PaymentsSandbox;
  let gateway: BootedGateway;
  let http: ReturnType<typeof request>;
  let admin: string;

  beforeAll(async () => {
    sandbox = await SandboxForTests.start();
    payments = await PaymentsSandbox.of(sandbox);
    gateway = await bootGateway('http://127.0.0.1:1', {
      OPENAI_URL: `${sandbox.url}/openai`,
      OPENROUTER_URL: `${sandbox.url}/openrouter`,
      ANTHROPIC_URL: `${sandbox.url}/anthropic`,
      GOOGLE_AI_URL: `${sandbox.url}/google-ai`,
      RESEND_URL: `${sandbox.url}/resend`,
      STRIPE_URL: payments.url,
    });
    http = request(gateway.service.url);
    admin = gateway.identity.organization();
  });
  afterAll(async () => {
    await gateway.close();
    await sandbox.stop();
  });

  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const member = (organizationId: string = randomUUID(), scopes = ['provider_credentials.manage']) =>
    bearer(gateway.identity.user({ organizations: [{ id: organizationId, scopes }] }));
  const platform = (principalType: 'platform_admin' | 'platform_super_admin') =>
    bearer(gateway.identity.user({ principalType, organizations: [{ id: admin, isAdministrative: true }] }));
  const add = async (headers: Record<string, string>, credential: object): Promise<Body> => {
    const sent = http
      .post('/api/credentials')
      .set(headers)
      .send({ label: 'A key', ...credential });
    return (await sent.expect(201)).body as Body;
  };
  const check = ({ id }: Body, headers: Record<string, string>, url = gateway.service.url) =>
    request(url).post(`/api/credentials/${id}/check`).set(headers);
  const set = (id: string, columns: string) =>
    gateway.test.database.query(`UPDATE gateway.credential SET ${columns} WHERE id = $1`, [id]);

  it.each(Object.entries(KEYS))('tell that %s accepts a key', async (provider, secret) => {
    const headers = member();
    const credential = await add(headers, { provider, secret });
    const { body } = await check(credential, headers).expect(200);
    expect(body).toMatchObject({
      id: credential.id,
      checkedAt: expect.any(String) as string,
      checkResult: { outcome: 'works', code: null, milliseconds: expect.any(Number) as number },
      failingSince: null,
      version: 1,
    });
    const { body: read } = await http.get(`/api/credentials/${credential.id}`).set(headers).expect(200);
    expect(read).toEqual(body);
  });

  it.each(Object.keys(KEYS))('mark a key that %s refuses as failing, once', async (provider) => {
    const headers = member();
    const credential = await add(headers, { provider, secret: WRONG });
    const first = (await check(credential, headers).expect(200)).body as Body;
    expect(first).toMatchObject({
      checkResult: { outcome: 'refused' },
      failingSince: expect.any(String) as string,
    });
    expect(JSON.stringify(first)).not.toContain(WRONG);
    const second = (await check(credential, headers).expect(200)).body as Body;
    expect(second.failingSince).toBe(first.failingSince);
  });

  it('let calls try again when the credential works, also for want of money', async () => {
    const headers = member();
    const credential = await add(headers, { provider: 'openai', secret: KEYS.openai });
    await set(
      credential.id,
      `breaker_open_until = 'infinity', breaker_reason = 'money', failing_since = now(), breaker_failures = 4`,
    );
    const { body: before } = await http.get(`/api/credentials/${credential.id}`).set(headers);
    expect(before).toMatchObject({ heldBack: 'money' });
    expect((await check(credential, headers).expect(200)).body).toMatchObject({
      heldBack: null,
      heldBackUntil: null,
      failingSince: null,
    });
    const [stored] = await gateway.test.database.query(
      `SELECT breaker_open_until <= now() AS "isProbed", breaker_reason AS reason, breaker_failures AS failures
         FROM gateway.credential WHERE id = $1`,
      [credential.id],
    );
    expect(stored).toEqual({ isProbed: true, reason: 'money', failures: 0 });
  });

  it('change nothing but the result when the provider gives no answer', async () => {
    const headers = member();
    const credential = await add(headers, { provider: 'anthropic', secret: KEYS.anthropic });
    await set(credential.id, `breaker_open_until = 'infinity', breaker_reason = 'money'`);
    await sandbox.fault({ network: 'anthropic', kind: 'server-error-before-effect', status: 500, times: 1 });
    expect((await check(credential, headers).expect(200)).body).toMatchObject({
      heldBack: 'money',
      checkResult: { outcome: 'unavailable', status: 500 },
    });
  });

  it('hold calls back when the account has no money', async () => {
    const headers = member();
    const credential = await add(headers, { provider: 'openai', secret: KEYS.openai });
    await sandbox.fault({ network: 'openai', kind: 'usage-capped', times: 1 });
    expect((await check(credential, headers).expect(200)).body).toMatchObject({
      checkResult: { outcome: 'out_of_money', code: 'insufficient_quota', status: 429 },
      heldBack: 'money',
      heldBackUntil: null,
      failingSince: null,
    });
    expect((await check(credential, headers).expect(200)).body).toMatchObject({ heldBack: null });
  });

  it('of Resend ask for its domains', async () => {
    const headers = member();
    const credential = await add(headers, { provider: 'resend', secret: 're_sandbox_0123456789abcdef' });
    expect((await check(credential, headers).expect(200)).body).toMatchObject({
      checkResult: { outcome: 'works', status: 200 },
    });
    const wrong = await add(headers, { provider: 'resend', secret: 're_wrong_0123456789abcdef' });
    expect((await check(wrong, headers).expect(200)).body).toMatchObject({
      checkResult: { outcome: 'refused' },
      failingSince: expect.any(String) as string,
    });
  });

  it('of Stripe ask for a product', async () => {
    const headers = member();
    const credential = await add(headers, { provider: 'stripe', secret: payments.secretKey });
    expect((await check(credential, headers).expect(200)).body).toMatchObject({
      checkResult: { outcome: 'works' },
    });
    const wrong = await add(headers, { provider: 'stripe', secret: 'sk_test_wrong0123456789abcdef' });
    expect((await check(wrong, headers).expect(200)).body).toMatchObject({
      checkResult: { outcome: 'refused' },
    });
  });

  it('of mail servers sign in and send nothing', async () => {
    const superAdmin = platform('platform_super_admin');
    const { body } = await sandbox.control('GET', '/mail');
    const { port } = (body as { smtp: { port: number } }).smtp;
    const server = { host: '127.0.0.1', port, secure: false, user: 'sandbox' };
    const smtp = (password: string, changes: object = {}) =>
      add(superAdmin, { provider: 'smtp', scope: 'platform', secret: { ...server, password, ...changes } });
    const outcome = async (credential: Body) =>
      (await check(credential, superAdmin).expect(200)).body.checkResult as object;
    expect(await outcome(await smtp('sandbox-mail-password'))).toMatchObject({ outcome: 'works' });
    expect(await outcome(await smtp('another-password'))).toMatchObject({ outcome: 'refused', code: '535' });
    expect(await outcome(await smtp('x-password', { port: 1 }))).toMatchObject({ outcome: 'unavailable' });
    expect(await sandbox.ledger('?kind=mail.accepted')).toEqual([]);
  });

  it('of an organization connect to no address of the cluster', async () => {
    const headers = member();
    const secret = { host: 'mail.example.test', port: 25, secure: false, user: 'a', password: 'b' };
    const credential = await add(headers, { provider: 'smtp', secret });
    expect((await check(credential, headers).expect(200)).body).toMatchObject({
      checkResult: { outcome: 'unavailable', code: 'no_public_address' },
    });
  });

  it('say so where the provider has no call for it', async () => {
    const headers = platform('platform_super_admin');
    const credential = await add(headers, VIDEOS);
    expect((await check(credential, headers).expect(200)).body).toMatchObject({
      checkResult: { outcome: 'not_checkable' },
      failingSince: null,
    });
  });

  it('need the scope to manage credentials in the organization', async () => {
    const organizationId = randomUUID();
    const headers = member(organizationId);
    const credential = await add(headers, { provider: 'openai', secret: KEYS.openai });
    await check(credential, {}).expect(401);
    await check(credential, member(organizationId, ['usage.read'])).expect(403);
    await check(credential, member()).expect(404);
    await check({ id: randomUUID() }, headers).expect(404);
    await check({ id: 'x' }, headers).expect(404);
    await check(credential, platform('platform_super_admin')).expect(404);
  });

  it('of platform credentials are for platform administrators', async () => {
    const superAdmin = platform('platform_super_admin');
    const credential = await add(superAdmin, { provider: 'openai', scope: 'platform', secret: KEYS.openai });
    await check(credential, superAdmin).expect(200);
    await check(credential, platform('platform_admin')).expect(200);
    await check(credential, member()).expect(404);
  });

  it('are recorded', async () => {
    const headers = member();
    const credential = await add(headers, { provider: 'openai', secret: KEYS.openai });
    await check(credential, headers).expect(200);
    const rows = await gateway.test.database.query(
      `SELECT action, details FROM gateway.audit WHERE target_id = $1 ORDER BY id`,
      [credential.id],
    );
    expect(rows.at(-1)).toMatchObject({
      action: 'credential_checked',
      details: { provider: 'openai', outcome: 'works' },
    });
  });

  it('say nothing about a secret that replaced the checked one at another replica', async () => {
    const other = await gateway.replica();
    const headers = member();
    const credential = await add(headers, { provider: 'openai', secret: WRONG });
    let rotated: Promise<unknown> = Promise.resolve();
    await sandbox.fault({ network: 'openai', kind: 'delay-before-effect', delayMs: 700, times: 1 });
    const [{ body }] = await Promise.all([
      check(credential, headers).expect(409),
      (rotated = waitUntil(
        async () => (await sandbox.control('GET', '/faults')).body.data[0]?.hits === 1,
      ).then(() =>
        request(other.url)
          .post(`/api/credentials/${credential.id}/rotate`)
          .set(headers)
          .send({ secret: KEYS.openai })
          .expect(200),
      )),
    ]);
    await rotated;
    expect(body).toMatchObject({ code: 'secret_changed' });
    const { body: now } = await http.get(`/api/credentials/${credential.id}`).set(headers).expect(200);
    expect(now).toMatchObject({ checkedAt: null, checkResult: null, failingSince: null });
    expect((await check(credential, headers, other.url).expect(200)).body).toMatchObject({
      checkResult: { outcome: 'works' },
    });
  });

  it('are limited over all replicas', async () => {
    const headers = platform('platform_super_admin');
    const credential = await add(headers, VIDEOS);
    const other = await gateway.replica();
    const statuses: number[] = [];
    for (let one = 0; one < 21; one += 1)
      statuses.push((await check(credential, headers, one % 2 ? gateway.service.url : other.url)).status);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(20);
    expect(statuses).toContain(429);
  });
});
