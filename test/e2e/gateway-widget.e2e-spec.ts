import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import request from 'supertest';
import { LimitsStore } from '../../src/platform/gateway/ai/usage/limits/limits.store.js';
import { UsageReport } from '../../src/platform/gateway/ai/usage/report/usage-report.js';
import { MEASURES } from '../../src/platform/gateway/ai/usage/rollups/measures.sql.js';
import { RollupsSweep, UsageRollups } from '../../src/platform/gateway/ai/usage/rollups/usage-rollups.js';
import { SpendLedger } from '../../src/platform/gateway/ai/usage/spend/spend-ledger.js';
import { type BootedGateway, bootGateway } from '../support/boot-gateway.js';
import { anAttempt, anOutcome, DOLLAR, limitOfOrganization } from '../support/spend-world.js';

describe('the widget of the gateway', () => {
  let gateway: BootedGateway;
  let organizationId: string;

  beforeAll(async () => {
    gateway = await bootGateway('http://127.0.0.1:1', { PUBLIC_URL: 'https://gateway.example.com' });
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => gateway.close());
  beforeEach(async () => {
    organizationId = gateway.identity.organization();
    await gateway.test.database.query('DELETE FROM gateway.credential');
  });

  const widget = async () => {
    const organizations = [{ id: organizationId, scopes: ['usage.read'] }];
    const authorization = `Bearer ${gateway.identity.user({ organizations })}`;
    return (await request(gateway.service.url).get('/api/widget').set({ authorization }).expect(200)).body;
  };
  const use = async (cost: bigint, applicationId: string = randomUUID()) => {
    const ledger = gateway.service.app.get(SpendLedger, { strict: false });
    const id = await ledger.reserve(anAttempt({ organizationId, applicationId, estimate: cost }));
    await ledger.settle(id, anOutcome({ cost }));
  };
  /** In a month, before any of its days: one of each measure. */
  const usedIn = (month: string) =>
    gateway.test.database.query(
      `INSERT INTO gateway.usage_sum (level, period, starts_on, organization_id, application_id, application, capability,
         provider, model, credential_id, ${MEASURES.join(', ')})
       SELECT 'organization', 'month', $2::date, $1, $1, 'mail', 'completions',
         'openai', 'gpt-5', $1, ${MEASURES.map((name) => (name.endsWith('cost') ? DOLLAR : '1')).join(', ')}`,
      [organizationId, `${month}-01`],
    );
  const credential = async (provider: string, owner: string | null, columns: Record<string, string> = {}) => {
    const id = randomUUID();
    const [names, values] = [Object.keys(columns), Object.values(columns)];
    await gateway.test.database.query(
      `INSERT INTO gateway.credential (${['id, provider, organization_id, position, label, data_key, secret, hint, created_by', ...names].join(', ')})
       VALUES (${[`$1, $2, $3, 1, 'key', 'x', 'x', 'x', 'a test'`, ...values].join(', ')})`,
      [id, provider, owner],
    );
    return id;
  };

  it('tells today from the month', async () => {
    const { app } = gateway.service;
    // The row gets another day below: it may not be counted before.
    jest.spyOn(app.get(UsageRollups, { strict: false }), 'advance').mockResolvedValue(false);
    await app.get(RollupsSweep, { strict: false }).tick();
    // On the first day of a month there is nothing to tell apart.
    const report = app.get(UsageReport, { strict: false });
    jest.spyOn(report, 'moment').mockResolvedValue({ ...(await report.moment()), today: '2024-10-15' });
    await use(5n * DOLLAR);
    await gateway.test.database.query(
      `UPDATE gateway.usage SET reserved_at = '2024-10-15T12:00:00Z' WHERE organization_id = $1`,
      [organizationId],
    );
    await usedIn('2024-10');
    expect((await widget()).stats).toEqual({
      ...{ spentToday: '5', spentThisMonth: '6', uncertainThisMonth: '1' },
      ...{ callsToday: 1, callsThisMonth: 2, failedToday: 0 },
    });
  });

  it('refuses an X-Organization-Id that is none, instead of showing all organizations', async () => {
    const organizations = [{ id: organizationId, scopes: ['usage.read'] }];
    const authorization = `Bearer ${gateway.identity.user({ organizations })}`;
    const asked = (named: string) =>
      request(gateway.service.url).get('/api/widget').set({ authorization, 'x-organization-id': named });
    expect((await asked('abc').expect(400)).body.code).toBe('organization_missing');
    await asked(organizationId).expect(200);
  });

  it('tells limits that are reached from others', async () => {
    const limits = gateway.service.app.get(LimitsStore, { strict: false });
    const applicationId = randomUUID();
    const of = limitOfOrganization(organizationId);
    await limits.create({ ...of, hard: 10n * DOLLAR }, 'a test');
    await limits.create({ ...of, period: 'month', hard: 10n * DOLLAR, soft: 4n * DOLLAR }, 'a test');
    const ofApplication = { ...of, scopeType: 'application', scopeValue: applicationId } as const;
    await limits.create({ ...ofApplication, hard: 8n * DOLLAR }, 'a test');
    await use(4n * DOLLAR, applicationId);
    await use(4n * DOLLAR, applicationId);
    const { limits: shown, actions } = await widget();
    expect(
      (shown as { scopeType: string; period: string; state: string }[]).map(
        ({ scopeType, period, state }) => `${scopeType} ${period}: ${state}`,
      ),
    ).toEqual([
      'organization day: ok',
      'organization month: soft_limit_reached',
      'application day: hard_limit_reached',
    ]);
    expect(actions).toEqual([
      {
        id: 'raise-limits',
        label: 'Look at 2 reached limits',
        count: 2,
        href: 'https://gateway.example.com/api/limits',
      },
    ]);
  });

  it('shows failing credentials of the platform where calls use them', async () => {
    await credential('openai', null, { failing_since: 'now()' });
    await credential('google', null, { failing_since: 'now()' });
    await credential('google', organizationId);
    expect((await widget()).failingProviders).toMatchObject([
      { provider: 'openai', credential: 'platform', reason: 'credential' },
    ]);
  });

  it('shows a failing payment credential of the platform only to organizations without one of their own', async () => {
    await credential('stripe', null, { failing_since: 'now()' });
    expect((await widget()).failingProviders).toMatchObject([{ provider: 'stripe', credential: 'platform' }]);
    await credential('stripe', organizationId, { enabled: 'false' });
    expect((await widget()).failingProviders).toEqual([]);
  });

  it('shows credentials and models whose calls pause, while they do', async () => {
    const later = `now() + interval '1 hour'`;
    await credential('anthropic', organizationId, {
      breaker_open_until: later,
      breaker_reason: `'money'`,
    });
    const [paused, working] = [
      await credential('openai', organizationId),
      await credential('google', organizationId),
    ];
    for (const [id, until] of [
      [paused, later],
      [working, `now() - interval '1 second'`],
    ])
      await gateway.test.database.query(
        `INSERT INTO gateway.model_breaker (credential_id, model, failures, failed_at, open_until, reason)
         VALUES ($1, 'gpt-5', 5, now(), ${until}, 'overload')`,
        [id],
      );
    expect((await widget()).failingProviders).toMatchObject([
      { provider: 'anthropic', credential: 'own', reason: 'money' },
      { provider: 'openai', credential: 'own', reason: 'overload' },
    ]);
  });
});
