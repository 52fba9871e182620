import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import request from 'supertest';
import { SoftLimitsSweep } from '../../src/platform/gateway/ai/usage/limits/soft-limits.sweep.js';
import { RollupsSweep, UsageRollups } from '../../src/platform/gateway/ai/usage/rollups/usage-rollups.js';
import { UsageReport } from '../../src/platform/gateway/ai/usage/report/usage-report.js';
import { SpendLedger } from '../../src/platform/gateway/ai/usage/spend/spend-ledger.js';
import { type BootedGateway, bootGateway } from '../support/boot-gateway.js';
import { Documented } from '../support/documented.js';
import { anAttempt, anOutcome, DOLLAR } from '../support/spend-world.js';

type Headers = Record<string, string>;

describe('usage and limits of spend', () => {
  let gateway: BootedGateway;
  let documented: Documented;
  let ledger: SpendLedger;
  let admin: string;
  let organizationId: string;

  beforeAll(async () => {
    gateway = await bootGateway('http://127.0.0.1:1');
    documented = await Documented.by(gateway.service.url);
    ledger = gateway.service.app.get(SpendLedger, { strict: false });
    admin = gateway.identity.organization();
  });
  afterAll(() => gateway.close());
  afterEach(() => jest.restoreAllMocks());
  beforeEach(async () => {
    organizationId = gateway.identity.organization();
    await gateway.test.database.query(
      'TRUNCATE gateway.usage, gateway.usage_sum, gateway.spend_limit, gateway.spend_counter',
    );
  });

  const person = (scopes: string[], role = 'member', id = organizationId): Headers => ({
    authorization: `Bearer ${gateway.identity.user({ organizations: [{ id, scopes, role }] })}`,
  });
  const manager = () => person(['limits.manage', 'usage.read', 'org.admin']);
  const platform = (principalType: 'platform_admin' | 'platform_super_admin', isAdministrative = true) => ({
    authorization: `Bearer ${gateway.identity.user({
      principalType,
      organizations: [{ id: isAdministrative ? admin : randomUUID(), isAdministrative, scopes: [] }],
    })}`,
  });
  const send = async (operation: string, status: number, headers: Headers, body?: object, path?: string) => {
    const [method, stated = ''] = operation.split(' ') as ['get' | 'post' | 'patch' | 'delete', string];
    const sent = request(gateway.service.url)
      [method](path ?? stated)
      .set(headers);
    const response = await (body ? sent.send(body) : sent);
    expect([operation, response.status, response.status >= 400 ? 0 : response.body]).toEqual([
      operation,
      status,
      response.status >= 400 ? 0 : response.body,
    ]);
    documented.check(operation, response);
    return response;
  };
  const limit = { scopeType: 'organization', period: 'month', hard: '10', soft: '4.5' };
  const create = (headers: Headers, changes: object = {}, status = 201) =>
    send('post /api/limits', status, headers, { ...limit, ...changes });
  const one = 'get /api/limits/{limitId}';
  const pathOf = ({ body }: { body: { id: string } }) => `/api/limits/${body.id}`;
  const registered = async (slug: string) => (await gateway.identity.registration(slug))?.id ?? '';
  const use = async (more: Parameters<typeof anAttempt>[0] = {}, cost = DOLLAR) =>
    ledger.settle(await ledger.reserve(anAttempt({ organizationId, ...more })), anOutcome({ cost }));

  describe('limits', () => {
    it('are set, read, changed and deleted, each with an entry of the audit', async () => {
      const headers = manager();
      await use();
      const created = await create(headers);
      expect(created.body).toMatchObject({ hard: '10', soft: '4.5', spent: '1', reserved: '0', version: 1 });
      await create(headers, {}, 409);
      const { headers: sent } = await send(one, 200, headers, undefined, pathOf(created));
      await send(one, 304, { ...headers, 'if-none-match': sent.etag ?? '' }, undefined, pathOf(created));
      const change = (status: number, body: object, more: Headers = {}) =>
        send('patch /api/limits/{limitId}', status, { ...headers, ...more }, body, pathOf(created));
      const changed = await change(200, { hard: '4.6' }, { 'if-match': sent.etag ?? '' });
      expect(changed.body).toMatchObject({ hard: '4.6', soft: '4.5', version: 2 });
      await change(412, { hard: '5' }, { 'if-match': sent.etag ?? '' });
      await change(400, { hard: '4' });
      await change(400, { hard: null, soft: null });
      const { body: list } = await send('get /api/limits', 200, headers);
      expect((list as { data: unknown[] }).data).toEqual([changed.body]);
      await send('delete /api/limits/{limitId}', 204, headers, undefined, pathOf(created));
      await send(one, 404, headers, undefined, pathOf(created));
      const { body: audit } = await request(gateway.service.url).get('/api/audit').set(headers).expect(200);
      expect((audit as { data: { action: string }[] }).data.map(({ action }) => action)).toEqual([
        'spend_limit_deleted',
        'spend_limit_changed',
        'spend_limit_created',
      ]);
    });

    it.each([
      [{ hard: '0' }],
      [{ hard: '-1' }],
      [{ hard: 5 }],
      [{ hard: '0.0000000001' }],
      [{ hard: null, soft: null }],
      [{ hard: '1', soft: '2' }],
      [{ period: 'year' }],
      [{ scopeType: 'application' }],
      [{ allOrganizations: true }],
      [{ scopeValue: 'everyone' }],
      [{ extra: true }],
    ])('are refused with %j', async (changes) => {
      await create(manager(), changes, 400);
    });

    it('GW-18: have the scopes platform, organization and application', async () => {
      const scopeValue = await registered('mail');
      const superAdmin = platform('platform_super_admin');
      const created = [
        await create(platform('platform_admin'), { scopeType: 'platform' }),
        await create(superAdmin, { scopeType: 'application', scopeValue, allOrganizations: true }),
        await create(superAdmin, { scopeValue: organizationId, hard: '1000', soft: null }),
        await create(manager(), { scopeType: 'application', scopeValue }),
        await create(manager()),
      ];
      expect(
        created.map(
          ({ body }) => [body.scopeType, body.scopeValue, body.organizationId, body.setBy] as unknown[],
        ),
      ).toEqual([
        ['platform', 'platform', null, 'platform'],
        ['application', scopeValue, null, 'platform'],
        ['organization', organizationId, organizationId, 'platform'],
        ['application', scopeValue, organizationId, 'organization'],
        ['organization', organizationId, organizationId, 'organization'],
      ]);
      const { body } = await send(
        'get /api/limits',
        200,
        superAdmin,
        undefined,
        '/api/limits?scope=platform',
      );
      expect((body as { data: unknown[] }).data).toHaveLength(3);
      await use({ estimate: 5n * DOLLAR, applicationId: scopeValue }, 7n * DOLLAR);
      await expect(
        ledger.reserve(anAttempt({ organizationId, estimate: 4n * DOLLAR })),
      ).rejects.toMatchObject({
        code: 'spend_limit_reached',
      });
    });

    it('of the platform are for its administrators, and those of others do not exist', async () => {
      const stranger = person(['limits.manage'], 'owner', gateway.identity.organization());
      await create(manager(), { scopeType: 'platform' }, 403);
      await create(
        manager(),
        { scopeType: 'application', scopeValue: await registered('mail'), allOrganizations: true },
        403,
      );
      await create(manager(), { scopeValue: organizationId }, 403);
      await create(platform('platform_super_admin', false), { scopeValue: organizationId }, 403);
      await create(platform('platform_super_admin', false), { scopeType: 'platform' }, 403);
      await create(person(['usage.read']), {}, 403);
      await create({ ...stranger, 'x-organization-id': organizationId }, {}, 404);
      await create({}, {}, 401);
      const ofPlatform = await create(platform('platform_admin'), { scopeType: 'platform' });
      const own = await create(manager());
      await send(one, 404, manager(), undefined, pathOf(ofPlatform));
      await send(one, 404, stranger, undefined, pathOf(own));
      await send('delete /api/limits/{limitId}', 404, stranger, undefined, pathOf(own));
      await send('get /api/limits', 403, manager(), undefined, '/api/limits?scope=platform');
    });

    describe('GW-18: of an organization that the platform sets', () => {
      const superAdmin = () => platform('platform_super_admin');
      const ids = ({ body }: { body: unknown }) =>
        (body as { data: { id: string }[] }).data.map(({ id }) => id);
      const change = (status: number, headers: Headers, path: string) =>
        send('patch /api/limits/{limitId}', status, headers, { hard: '9', soft: null }, path);
      const remove = (status: number, headers: Headers, path: string) =>
        send('delete /api/limits/{limitId}', status, headers, undefined, path);

      it('guards the organization in addition to its own, and names who set the limit that refused', async () => {
        const owner = person(['limits.manage'], 'owner');
        await use();
        const set = await create(superAdmin(), { scopeValue: organizationId, hard: '8', soft: null });
        await create(owner, { hard: '100', soft: null });
        expect(set.body).toMatchObject({ setBy: 'platform', organizationId, spent: '1' });
        await use({ estimate: 4n * DOLLAR }, 4n * DOLLAR);
        const other = gateway.identity.organization();
        await ledger.reserve(anAttempt({ organizationId: other, estimate: 4n * DOLLAR }));
        await expect(
          ledger.reserve(anAttempt({ organizationId, estimate: 4n * DOLLAR })),
        ).rejects.toMatchObject({
          code: 'spend_limit_reached',
          message: expect.stringContaining('monthly spend limit of the organization (set by the platform)'),
          members: { scope: 'organization', setBy: 'platform', window: 'month' },
        });
        await create(superAdmin(), { scopeValue: organizationId.toUpperCase() }, 409);
      });

      it('is seen by the organization and changed by the platform alone', async () => {
        const owner = person(['limits.manage', 'usage.read', 'org.admin'], 'owner');
        const set = await create(superAdmin(), { scopeValue: organizationId });
        const path = pathOf(set);
        expect((await send(one, 200, owner, undefined, path)).body).toEqual(set.body);
        expect(ids(await send('get /api/limits', 200, owner))).toEqual([set.body.id]);
        const widget = await send('get /api/widget', 200, owner);
        expect((widget.body as { limits: unknown[] }).limits).toMatchObject([{ setBy: 'platform' }]);
        for (const refused of [await change(403, owner, path), await remove(403, owner, path)])
          expect(refused.body).toMatchObject({ code: 'spend_limit_of_platform' });
        await change(200, superAdmin(), path);
        await remove(204, superAdmin(), path);
        const actions = ['spend_limit_deleted', 'spend_limit_changed', 'spend_limit_created'];
        for (const [headers, audit] of [
          [owner, '/api/audit'],
          [superAdmin(), '/api/audit/platform'],
        ] as const) {
          const { body } = await request(gateway.service.url).get(audit).set(headers).expect(200);
          const entries = (body as { data: { action: string; target: { id: string }; details: object }[] })
            .data;
          const shown = entries.filter(({ target }) => target.id === set.body.id);
          expect(shown.map(({ action }) => action)).toEqual(actions);
          expect(shown[0]?.details).toMatchObject({ setBy: 'platform', scopeValue: organizationId });
        }
      });

      it('does not exist for other organizations', async () => {
        const stranger = person(['limits.manage', 'usage.read'], 'owner', gateway.identity.organization());
        const path = pathOf(await create(superAdmin(), { scopeValue: organizationId }));
        await send(one, 404, stranger, undefined, path);
        await change(404, stranger, path);
        await remove(404, stranger, path);
        expect(ids(await send('get /api/limits', 200, stranger))).toEqual([]);
        const { body } = await send('get /api/widget', 200, stranger);
        expect((body as { limits: unknown[] }).limits).toEqual([]);
      });
    });

    describe('name what identity knows', () => {
      const answer = async (status: number, headers: Headers, body: object) =>
        (await create(headers, body, status)).body as unknown;

      it('and refuse an unknown organization or application', async () => {
        const scopeValue = randomUUID();
        const application = { scopeType: 'application', scopeValue };
        const errors = [{ pointer: '#/scopeValue' }];
        expect(await answer(422, platform('platform_super_admin'), { scopeValue })).toMatchObject({
          ...{ code: 'organization_unknown', errors },
        });
        expect(await answer(422, manager(), application)).toMatchObject({
          code: 'application_unknown',
          errors,
        });
        const ofAll = { ...application, allOrganizations: true };
        expect(await answer(422, platform('platform_admin'), ofAll)).toMatchObject({
          code: 'application_unknown',
        });
      });

      it('and are refused while identity does not answer', async () => {
        const check = jest.spyOn(gateway.identity, 'verifyAttribution');
        check.mockRejectedValue(new Error('down'));
        const application = { scopeType: 'application', scopeValue: await registered('mail') };
        for (const [headers, body] of [
          [platform('platform_super_admin'), { scopeValue: organizationId }],
          [manager(), application],
        ] as const)
          expect(await answer(503, headers, body)).toMatchObject({ code: 'identity_unavailable' });
        check.mockRestore();
        await create(manager(), application);
      });
    });
  });

  describe('options of hard limits', () => {
    const options = (status: number, headers: Headers) => send('get /api/limits/options', status, headers);

    it('GW-09: are for owners and super-admins; other roles do not see them', async () => {
      await options(200, person([], 'owner'));
      await options(200, platform('platform_super_admin'));
      for (const role of ['admin', 'member', 'viewer']) await options(403, person(['limits.manage'], role));
      await options(403, platform('platform_admin'));
      await options(403, platform('platform_super_admin', false));
      const key = gateway.identity.apiKey({
        organization: { id: organizationId, scopes: ['limits.manage'] },
      });
      await options(401, { 'x-api-key': key });
      const service = gateway.identity.service({
        organization: { id: organizationId, scopes: ['limits.manage'] },
      });
      await options(403, { authorization: `Bearer ${service}` });
    });

    it('GW-32: show each of the two roles its own', async () => {
      const ofOrganization = await create(manager());
      const ofPlatform = await create(platform('platform_admin'), { scopeType: 'platform' });
      type Options = {
        roles: string[];
        options: { scopeType: string; allOrganizations: boolean; limits: { id: string }[] }[];
      };
      const shown = async (headers: Headers) => {
        const { roles, options: all } = (await options(200, headers)).body as Options;
        const scopes = [...new Set(all.map((each) => `${each.scopeType} ${each.allOrganizations}`))];
        return { roles, scopes, limits: all.flatMap(({ limits }) => limits.map(({ id }) => id)) };
      };
      expect(await shown(person([], 'owner'))).toEqual({
        roles: ['owner'],
        scopes: ['organization false', 'application false'],
        limits: [ofOrganization.body.id],
      });
      expect(await shown(platform('platform_super_admin'))).toEqual({
        roles: ['super_admin'],
        scopes: ['platform true', 'organization false', 'application true'],
        limits: [ofPlatform.body.id],
      });
      const set = await create(platform('platform_admin'), { scopeValue: organizationId });
      const named = { ...platform('platform_super_admin'), 'x-organization-id': organizationId };
      expect((await shown(named)).limits).toEqual([ofPlatform.body.id, set.body.id]);
      expect((await shown(platform('platform_super_admin'))).limits).toEqual([ofPlatform.body.id]);
      expect((await shown(person([], 'owner'))).limits).toEqual([ofOrganization.body.id, set.body.id]);
    });
  });

  it('a soft limit raises one alarm in a window, over replicas', async () => {
    const headers = manager();
    const created = await create(headers, { period: 'day', hard: null, soft: '2' });
    const replica = await gateway.replica();
    const sweeps = [gateway.service, replica].map(({ app }) => app.get(SoftLimitsSweep, { strict: false }));
    const alarms = async () => {
      const raised = await Promise.all(sweeps.map((sweep) => sweep.sweep()));
      return raised.reduce((a, b) => a + b);
    };
    await use();
    expect(await alarms()).toBe(0);
    await use();
    expect(await alarms()).toBe(1);
    await use();
    expect(await alarms()).toBe(0);
    const { body } = await send(one, 200, headers, undefined, pathOf(created));
    expect((body as { softLimitReachedAt: unknown }).softLimitReachedAt).toEqual(expect.any(String));
    const { body: audit } = await request(gateway.service.url).get('/api/audit').set(headers).expect(200);
    expect((audit as { data: unknown[] }).data[0]).toMatchObject({
      action: 'spend_soft_limit_reached',
      details: { soft: '2', spent: '2', period: 'day' },
    });
    const alarmsShown = async (who: Headers, query = '') => {
      const { body: page } = await send('get /api/usage', 200, who, undefined, `/api/usage?${query}`);
      return (page as { alarms: unknown[] }).alarms;
    };
    const shown = {
      ...{ limitId: created.body.id, scopeType: 'organization', scopeValue: organizationId, organizationId },
      ...{ setBy: 'organization', period: 'day', soft: '2', spent: '3' },
      ...{ startsOn: expect.any(String) as string, raisedAt: expect.any(String) as string },
    };
    expect(await alarmsShown(person(['usage.read']))).toEqual([shown]);
    expect(await alarmsShown(platform('platform_admin'))).toEqual([shown]);
    expect(await alarmsShown(headers, 'from=2020-01-01&to=2020-12-31')).toEqual([]);
    const stranger = person(['usage.read'], 'member', gateway.identity.organization());
    expect(await alarmsShown(stranger)).toEqual([]);
  });

  it('a soft limit that the platform set is shown to the organization and in both audits', async () => {
    const superAdmin = platform('platform_super_admin');
    await use({}, 3n * DOLLAR);
    await use({ organizationId: gateway.identity.organization() }, 3n * DOLLAR);
    const set = await create(superAdmin, { scopeValue: organizationId, hard: null, soft: '2' });
    expect(await gateway.service.app.get(SoftLimitsSweep, { strict: false }).sweep()).toBe(1);
    const alarm = { limitId: set.body.id, setBy: 'platform', organizationId, spent: '3' };
    for (const [who, alarms] of [
      [person(['usage.read']), [alarm]],
      [superAdmin, [alarm]],
      [person(['usage.read'], 'member', gateway.identity.organization()), []],
    ] as const)
      expect((await send('get /api/usage', 200, who)).body).toMatchObject({ alarms });
    for (const [who, audit] of [
      [manager(), '/api/audit'],
      [superAdmin, '/api/audit/platform'],
    ] as const) {
      const { body } = await request(gateway.service.url).get(audit).set(who).expect(200);
      expect((body as { data: unknown[] }).data[0]).toMatchObject({
        action: 'spend_soft_limit_reached',
        details: { setBy: 'platform', scopeValue: organizationId, spent: '3' },
      });
    }
  });

  describe('the report', () => {
    const report = (headers: Headers, query = '', status = 200) =>
      send('get /api/usage', status, headers, undefined, `/api/usage?${query}`);

    it('shows what was used by whom, to those who may read it', async () => {
      const [userId, applicationId] = [randomUUID(), randomUUID()];
      await use({ userId, applicationId }, 1_230_000n);
      await use({ estimate: null, model: 'novelty' });
      await ledger.settle(
        await ledger.reserve(anAttempt({ organizationId, userId, applicationId, attempt: 2, estimate: 7n })),
        anOutcome({ state: 'unknown', cost: null }),
      );
      await use({ organizationId: gateway.identity.organization() });
      const { body } = await report(manager(), 'groupBy=user,application,model');
      expect(body).toMatchObject({
        totals: { calls: 2, attempts: 3, unknown: 1, cost: '1.00123', uncertainCost: '0.000000007' },
        pagination: { hasMore: false },
      });
      expect((body as { data: { group: object }[] }).data.map(({ group }) => group)).toContainEqual({
        userId,
        applicationId,
        application: 'mail',
        model: 'openai/gpt-5',
      });
      await report(person(['limits.manage']), '', 403);
      await report({}, '', 401);
      const all = (await report(platform('platform_admin'), 'groupBy=organization')).body as {
        data: unknown[];
      };
      expect(all.data).toHaveLength(2);
      const stranger = person(['usage.read'], 'member', gateway.identity.organization());
      expect((await report(stranger, `organizationId=${organizationId}`)).body).toMatchObject({
        totals: { calls: 0 },
        data: [],
      });
    });

    it('is that of the named organization alone, also as CSV', async () => {
      const other = gateway.identity.organization();
      for (const id of [organizationId, other, other]) await use({ organizationId: id });
      const scopes = ['usage.read'];
      const token = gateway.identity.user({
        organizations: [organizationId, other].map((id) => ({ id, scopes, role: 'member' })),
      });
      for (const headers of [{ authorization: `Bearer ${token}` }, platform('platform_admin')]) {
        const calls = async (id?: string, query = '') => {
          const named = id === undefined ? headers : { ...headers, 'x-organization-id': id };
          const path = `/api/usage${query}`;
          const { body } = await send('get /api/usage', 200, named, undefined, path);
          const { text } = await send(
            'get /api/usage/export',
            200,
            named,
            undefined,
            path.replace('usage', 'usage/export'),
          );
          const csv = text.split('\r\n')[1] ?? '';
          expect(csv === '' ? 0 : Number(csv.split(',')[0])).toBe(body.totals.calls);
          return body.totals.calls as number;
        };
        expect([await calls(), await calls(organizationId), await calls(other)]).toEqual([3, 1, 2]);
        expect(await calls(other, `?organizationId=${organizationId}`)).toBe(0);
      }
      const stranger = { ...manager(), 'x-organization-id': other };
      await send('get /api/usage', 404, stranger);
      await send('get /api/usage/export', 404, stranger);
      await send('get /api/usage', 400, { ...manager(), 'x-organization-id': 'acme' });
    });

    it('counts attempts without a price apart, never as 0', async () => {
      await ledger.settle(
        await ledger.reserve(anAttempt({ organizationId, estimate: null })),
        anOutcome({ cost: null }),
      );
      const { body } = await report(manager());
      expect(body).toMatchObject({ totals: { attempts: 1, unpriced: 1, cost: '0' } });
    });

    it('goes on page by page, filters, and ignores what it does not know', async () => {
      for (const model of ['c', 'a', 'b']) await use({ model });
      const headers = manager();
      type Page = {
        data: { group: { model: string } }[];
        pagination: { nextCursor: string | null };
        warnings?: unknown[];
      };
      const models: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const { data, pagination } = (await report(headers, `groupBy=model&limit=2&cursor=${cursor}`))
          .body as Page;
        models.push(...data.map(({ group }) => group.model));
        cursor = pagination.nextCursor;
      }
      expect(models).toEqual(['openai/a', 'openai/b', 'openai/c']);
      const { body } = await report(headers, 'groupBy=model,moon&model=openai/b&from=2026-13-01');
      expect((body as Page).data).toHaveLength(1);
      expect((body as Page).warnings).toHaveLength(2);
      expect((await report(headers, 'to=2020-01-31')).body).toMatchObject({
        from: '2020-01-01',
        totals: { calls: 0 },
      });
    });

    it('is exported as CSV that no spreadsheet computes', async () => {
      await use({ provider: '=cmd', model: 'x' }, 1_230_000n);
      const { text, headers } = await request(gateway.service.url)
        .get('/api/usage/export?groupBy=provider')
        .set(manager())
        .expect(200);
      expect(headers['content-type']).toBe('text/csv; charset=utf-8');
      expect(headers['content-disposition']).toMatch(/^attachment; filename="usage-.*\.csv"$/);
      expect(text.split('\r\n')[1]).toMatch(/^'=cmd,1,1,0,0,0,0,0,0\.00123,/);
      await request(gateway.service.url).get('/api/usage/export').set(person([])).expect(403);
    });
  });

  it('GW-22: the widget shows spend against limits, calls and failing providers', async () => {
    const headers = manager();
    await create(headers);
    // The rows get other days below: none may be counted before.
    const { app } = gateway.service;
    jest.spyOn(app.get(UsageRollups, { strict: false }), 'advance').mockResolvedValue(false);
    await app.get(RollupsSweep, { strict: false }).tick();
    await use({}, 3n * DOLLAR);
    // On any day of a month: what was used so far was used earlier than today.
    const report = gateway.service.app.get(UsageReport, { strict: false });
    const moment = await report.moment();
    jest.spyOn(report, 'moment').mockResolvedValue({ ...moment, today: '2024-10-15' });
    const usedOn = (day: string) =>
      gateway.test.database.query(
        `UPDATE gateway.usage SET reserved_at = $1 WHERE reserved_at > now() - interval '1 day'`,
        [`${day}T12:00:00Z`],
      );
    await usedOn('2024-10-14');
    await use({}, 2n * DOLLAR);
    const failed = anOutcome({ state: 'failed', cost: 0n, failure: 'overload' });
    await ledger.settle(await ledger.reserve(anAttempt({ organizationId })), failed);
    await usedOn('2024-10-15');
    await gateway.test.database.query(
      `INSERT INTO gateway.credential (id, provider, organization_id, position, label, data_key, secret, hint, enabled,
         failing_since, created_by)
       VALUES ($1, 'anthropic', $2, 1, 'key', 'x', 'x', 'x', true, now(), 'a test')`,
      [randomUUID(), organizationId],
    );
    const { body } = await send('get /api/widget', 200, headers);
    expect(body).toMatchObject({
      stats: { spentToday: '2', spentThisMonth: '5', callsToday: 2, callsThisMonth: 3, failedToday: 1 },
      limits: [
        { scopeType: 'organization', period: 'month', hard: '10', used: '5', state: 'soft_limit_reached' },
      ],
      failingProviders: [{ provider: 'anthropic', credential: 'own', reason: 'credential' }],
      actions: [
        { id: 'raise-limits', count: 1 },
        { id: 'check-credentials', count: 1 },
      ],
    });
    const stranger = person(['usage.read'], 'member', gateway.identity.organization());
    expect((await send('get /api/widget', 200, stranger)).body).toMatchObject({
      stats: { callsToday: 0 },
      limits: [],
      failingProviders: [],
    });
    await send('get /api/widget', 403, person([]));
    await send('get /api/widget', 401, {});
  });

  it('GW-22: the widget names the reason of a breaker only while it is open', async () => {
    await gateway.test.database.query(
      `INSERT INTO gateway.credential (id, provider, organization_id, position, label, data_key, secret, hint, enabled,
         failing_since, breaker_reason, created_by)
       VALUES ($1, 'anthropic', $2, 1, 'key', 'x', 'x', 'x', true, now(), 'overload', 'a test')`,
      [randomUUID(), organizationId],
    );
    const reasonUntil = async (until: string) => {
      await gateway.test.database.query(
        `UPDATE gateway.credential SET breaker_open_until = $1::timestamptz WHERE organization_id = $2`,
        [until, organizationId],
      );
      const { failingProviders } = (await send('get /api/widget', 200, manager())).body;
      return failingProviders[0].reason as string;
    };
    expect([await reasonUntil('2020-01-01'), await reasonUntil('infinity')]).toEqual([
      'credential',
      'overload',
    ]);
  });
});
