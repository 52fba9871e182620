import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import request from 'supertest';
import { NO_USAGE } from '../../src/platform/gateway/ai/usage/spend/quantities.js';
import { SpendLedger } from '../../src/platform/gateway/ai/usage/spend/spend-ledger.js';
import { type BootedGateway, bootGateway } from '../support/boot-gateway.js';
import { Documented } from '../support/documented.js';
import { anAttempt, anOutcome, DOLLAR } from '../support/spend-world.js';

type Headers = Record<string, string>;

const LIST = 'get /api/platform/usage/attempts';
const GET = 'get /api/platform/usage/attempts/{attemptId}';
const CORRECT = 'post /api/platform/usage/attempts/{attemptId}/corrections';
const REASON = { reason: 'The invoice of the provider has 1 200 tokens.' };

describe('corrections of the usage of attempts', () => {
  let gateway: BootedGateway;
  let documented: Documented;
  let ledger: SpendLedger;
  let admin: string;
  let organizationId: string;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    gateway = await bootGateway('http://127.0.0.1:1');
    documented = await Documented.by(gateway.service.url);
    ledger = gateway.service.app.get(SpendLedger, { strict: false });
    admin = gateway.identity.organization();
  });
  afterAll(() => gateway.close());
  beforeEach(async () => {
    organizationId = gateway.identity.organization();
    await gateway.test.database.query('TRUNCATE gateway.usage, gateway.usage_correction');
  });

  const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
  const platform = (principalType: 'platform_admin' | 'platform_super_admin', isAdministrative = true) =>
    bearer(
      gateway.identity.user({ principalType, organizations: [{ id: admin, isAdministrative, scopes: [] }] }),
    );
  const person = (role: string, scopes = ['org.admin', 'usage.read', 'limits.manage']) =>
    bearer(gateway.identity.user({ organizations: [{ id: organizationId, role, scopes }] }));
  const send = async (operation: string, status: number, headers: Headers, id = '', body?: object) => {
    const [method, path = ''] = operation.split(' ') as ['get' | 'post', string];
    const sent = request(gateway.service.url)[method](path.replace('{attemptId}', id)).set(headers);
    const response = await (body ? sent.send(body) : sent);
    documented.check(operation, response);
    expect([operation, response.status]).toEqual([operation, status]);
    return response;
  };
  const settled = async (more = {}) => {
    const id = await ledger.reserve(anAttempt({ organizationId, estimate: 4n * DOLLAR }));
    const claim = { usage: { ...NO_USAGE, inputTokens: 999_999_999 }, billed: null };
    await ledger.settle(
      id,
      anOutcome({ state: 'estimated', doubt: 'implausible', claim, cost: DOLLAR, ...more }),
    );
    return id;
  };
  const auditOf = async (path: string, headers: Headers) => {
    const { body } = await request(gateway.service.url).get(path).set(headers).expect(200);
    return (body as { data: { action: string; target: { id: string } }[] }).data;
  };

  it('are made by platform administrators, shown in reports and both audits, and keep the claim', async () => {
    const by = platform('platform_admin');
    const id = await settled();
    const { body: page } = await send(LIST, 200, by);
    expect((page as { data: object[] }).data).toMatchObject([
      { id, doubt: 'implausible', claimed: { usage: { inputTokens: 999_999_999 } }, version: 1 },
    ]);
    const { headers } = await send(GET, 200, by, id);
    await send(GET, 304, { ...by, 'if-none-match': headers.etag ?? '' }, id);
    const usage = { inputTokens: 1_200 };
    const correction = { ...REASON, cost: '0.00123', usage };
    const { body, headers: after } = await send(
      CORRECT,
      201,
      { ...by, 'if-match': headers.etag ?? '' },
      id,
      correction,
    );
    expect(after.etag).toBe('"v2"');
    expect(body).toMatchObject({
      doubt: null,
      claimed: { usage: { inputTokens: 999_999_999 } },
      settled: { state: 'estimated', cost: '1', usage: null },
      current: { state: 'done', cost: '0.00123', usage: { ...NO_USAGE, ...usage } },
      corrections: [{ ...REASON, number: 1, doubt: 'implausible', cost: '0.00123' }],
      version: 2,
    });
    expect((await send(GET, 200, by, id)).body).toEqual(body);
    expect(((await send(LIST, 200, by)).body as { data: object[] }).data).toEqual([]);
    const report = await request(gateway.service.url).get('/api/usage').set(person('member')).expect(200);
    expect((report.body as { totals: object }).totals).toMatchObject({ cost: '0.00123', usage });
    const expected = {
      action: 'usage_corrected',
      target: { type: 'attempt', id },
      details: {
        ...REASON,
        doubt: 'implausible',
        from: { state: 'estimated', cost: '1', usage: null },
        to: { state: 'done', cost: '0.00123', usage: { ...NO_USAGE, ...usage } },
      },
    };
    expect((await auditOf('/api/audit', person('owner')))[0]).toMatchObject(expected);
    expect((await auditOf('/api/audit/platform', by))[0]).toMatchObject(expected);
  });

  it('are for platform administrators alone', async () => {
    const id = await settled();
    const key = { organization: { id: admin, isAdministrative: true } };
    const others: [Headers, number][] = [
      [{}, 401],
      [{ 'x-api-key': gateway.identity.apiKey(key) }, 401],
      [person('owner'), 403],
      [platform('platform_super_admin', false), 403],
    ];
    for (const [headers, status] of others) {
      await send(LIST, status, headers);
      await send(GET, status, headers, id);
      await send(CORRECT, status, headers, id, { ...REASON, cost: '0' });
    }
    await send(CORRECT, 201, platform('platform_super_admin'), id, { ...REASON, cost: '0' });
  });

  it('happen once when they are repeated, and not on what has changed', async () => {
    const by = platform('platform_admin');
    const id = await settled();
    const once = { ...by, 'idempotency-key': randomUUID(), 'if-match': '"v1"' };
    const correction = { ...REASON, cost: '0.5' };
    const { body } = await send(CORRECT, 201, once, id, correction);
    expect((await send(CORRECT, 201, once, id, correction)).body).toEqual(body);
    await send(CORRECT, 422, once, id, { ...REASON, cost: '0.6' });
    await send(CORRECT, 412, { ...by, 'if-match': '"v1"' }, id, correction);
    expect((await send(GET, 200, by, id)).body).toEqual(body);
  });

  it('are refused where there is nothing to correct', async () => {
    const by = platform('platform_admin');
    const running = await ledger.reserve(anAttempt({ organizationId }));
    const { body } = await send(CORRECT, 409, by, running, { ...REASON, cost: '0' });
    expect(body).toMatchObject({ code: 'attempt_not_settled' });
    await send(CORRECT, 404, by, randomUUID(), { ...REASON, cost: '0' });
    await send(GET, 404, by, randomUUID());
  });

  it.each<[string, object]>([
    ['no reason', { cost: '0' }],
    ['an empty reason', { reason: ' ', cost: '0' }],
    ['a long reason', { reason: 'x'.repeat(501), cost: '0' }],
    ['nothing to correct', REASON],
    ['null', { ...REASON, cost: null }],
    ['a negative cost', { ...REASON, cost: '-1' }],
    ['a number, which JSON cannot hold exactly', { ...REASON, cost: 1 }],
    ['a part of a token', { ...REASON, usage: { inputTokens: 0.5 } }],
    ['a negative count', { ...REASON, usage: { images: -1 } }],
    ['more than a call can consume', { ...REASON, usage: { outputTokens: 1e10 } }],
    ['no object', { ...REASON, usage: 'all' }],
    ['a list', { ...REASON, usage: [] }],
  ])('refuse %s', async (_, body) => {
    const id = await settled();
    await send(CORRECT, 400, platform('platform_admin'), id, body);
  });

  it('are listed page by page', async () => {
    const by = platform('platform_admin');
    const ids = [await settled(), await settled(), await settled({ doubt: 'uncosted', claim: null })];
    const pageOf = async (query: string) => {
      const { body } = await request(gateway.service.url)
        .get(`/api/platform/usage/attempts?limit=2${query}`)
        .set(by)
        .expect(200);
      return body as { data: { id: string }[]; pagination: { nextCursor: string | null } };
    };
    const first = await pageOf('');
    const second = await pageOf(`&cursor=${encodeURIComponent(first.pagination.nextCursor ?? '')}`);
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids.toReversed());
    expect(second.pagination.nextCursor).toBeNull();
  });
});
