import { randomUUID } from 'node:crypto';
import { SpendLedger } from '../../src/platform/gateway/ai/usage/spend/spend-ledger.js';
import { type BootedGateway, bootGateway } from '../support/boot-gateway.js';
import { bootIdentity, PASSWORD } from '../support/boot-identity.js';
import { type Call, callOf } from '../support/call.js';
import { type Filters, problemsOfLists, type WalkedLists } from '../support/combined-filters.js';
import { anAttempt, anOutcome } from '../support/spend-world.js';
import { bearer } from '../support/walk.js';

const SCOPES = ['ai.invoke', 'limits.manage', 'org.admin', 'provider_credentials.manage', 'usage.read'];
const ADDRESS = 'ada@example.com';
const isOne = (chosen: Filters) => 'address' in chosen;

/** Sends what is needed for a list of two rows. */
const making =
  (call: Call) =>
  async (path: string, body: object): Promise<{ id: string }> => {
    const { status, body: made } = await call('POST', path, body);
    expect([path, status, status === 201 ? '' : made]).toEqual([path, 201, '']);
    return made as { id: string };
  };

describe('Every list of the gateway with every combination of its filters', () => {
  let gateway: BootedGateway;
  let organizationId: string;
  let owner: Filters;
  let platform: Filters;
  let service: Filters;

  beforeAll(async () => {
    gateway = await bootGateway('http://127.0.0.1:1', { RATE_LIMIT_PER_MINUTE: '100000' });
    const { identity } = gateway;
    organizationId = identity.organization();
    owner = bearer(identity.user({ organizations: [{ id: organizationId, role: 'owner', scopes: SCOPES }] }));
    const principalType = 'platform_super_admin';
    const organizations = [{ id: identity.organization(), isAdministrative: true, scopes: [] }];
    platform = bearer(identity.user({ principalType, organizations }));
    service = await gateway.headers({ organizationId });
  });
  afterAll(() => gateway.close());

  const credentialsAndLimits = async () => {
    const [ofOwner, ofPlatform] = [owner, platform].map((who) => making(callOf(gateway.service.url, who)));
    for (const label of ['First', 'Second']) {
      const credential = { provider: 'resend', label, secret: `re_${randomUUID()}` };
      await ofOwner!('/api/credentials', credential);
      await ofPlatform!('/api/credentials', { ...credential, scope: 'platform' });
      await ofOwner!('/api/email/templates', {
        name: label.toLowerCase(),
        subject: 'x',
        text: 'x',
        variables: [],
      });
    }
    for (const period of ['day', 'month'])
      await ofOwner!('/api/limits', { scopeType: 'organization', period, hard: '10' });
    for (const address of [ADDRESS, 'max@example.com'])
      await ofOwner!('/api/email/suppressions', { address });
  };

  /** Each row twice. */
  const rows = (sql: string, ...values: unknown[]) =>
    Promise.all([1, 2].map((n) => gateway.test.database.query(sql, [randomUUID(), n, ...values])));

  const mailAndPayments = async () => {
    const applicationId = service['x-application-id'];
    await rows(
      `WITH domain AS (INSERT INTO gateway.email_domain (id, organization_id, name, provider, challenge)
         VALUES ($1, $3, 'd' || $2::int || '.example.com', 'resend', 'x') RETURNING id),
       sender AS (INSERT INTO gateway.email_sender (id, organization_id, domain_id, name, address)
         SELECT id, $3, id, 'Ada', $2::int || '@example.com' FROM domain),
       message AS (INSERT INTO gateway.email_message (id, organization_id, application_id, provider, is_platform, from_name,
         from_address, subject, headers, message_id)
         VALUES ($1, $3, $4, 'smtp', true, 'Ada', $5, 'x', '{}', $1) RETURNING id)
       INSERT INTO gateway.email_recipient (message_id, position, kind, address, state) SELECT id, 0, 'to', $5, 'sent' FROM message`,
      ...[organizationId, applicationId, ADDRESS],
    );
    await rows(
      `WITH suppressed AS (INSERT INTO gateway.email_suppression (id, address, reason)
         VALUES ($1, CASE $2::int WHEN 1 THEN $3 ELSE 'max@example.com' END, 'bounce'))
       INSERT INTO gateway.payment_event (id, credential_id, event_id, type, occurred_at, object_type, refs, application_id,
         organization_id, state)
       VALUES ($1, $1, $1, 'invoice.paid', now(), 'invoice', '{}', $1, $1, 'dead')`,
      ADDRESS,
    );
  };

  const usage = async (): Promise<Filters> => {
    const ledger = gateway.service.app.get(SpendLedger, { strict: false });
    const [applicationId, userId, credentialId] = [randomUUID(), randomUUID(), randomUUID()];
    for (const days of [0, 1]) {
      const attempt = anAttempt({ organizationId, applicationId, userId, credentialId });
      const id = await ledger.reserve(attempt);
      const moved = `UPDATE gateway.usage SET reserved_at = reserved_at - make_interval(days => $2) WHERE id = $1`;
      await gateway.test.database.query(moved, [id, days]);
      await ledger.settle(id, anOutcome({ doubt: 'implausible', state: 'estimated' }));
    }
    const day = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
    const of = { 'X-Organization-Id': organizationId, organizationId, applicationId, userId, credentialId };
    return {
      ...of,
      capability: 'completions',
      provider: 'openai',
      model: 'openai/gpt-5',
      from: day(3),
      to: day(0),
    };
  };

  it('has two pages', async () => {
    await credentialsAndLimits();
    await mailAndPayments();
    const spent = await usage();
    const ofOrganization = { 'X-Organization-Id': organizationId };
    const isWhole = (chosen: Filters) => !('groupBy' in chosen);
    const mail = (filters: Filters = {}, hasOnePage?: typeof isOne) => [
      { values: { ...ofOrganization, ...filters }, hasOnePage },
      { values: filters, headers: service, hasOnePage },
    ];
    const all = 'day,organization,application,user,capability,provider,model,credential';
    const lists: WalkedLists = {
      '/api/audit': [{ values: ofOrganization }],
      '/api/audit/platform': [{ values: {}, headers: platform }],
      '/api/credentials': [{ values: { ...ofOrganization, provider: 'resend', scope: 'organization' } }],
      '/api/models': [{ values: { capability: 'completions', provider: 'openai', lifecycle: 'active' } }],
      '/api/platform/usage/attempts': [{ values: {}, headers: platform }],
      '/api/limits': [{ values: { ...ofOrganization, scope: 'organization' } }],
      '/api/usage': ['day', all].map((groupBy) => ({ values: { ...spent, groupBy }, hasOnePage: isWhole })),
      '/api/email/messages': mail({ state: 'sent', recipient: ADDRESS }),
      '/api/email/connections': mail(),
      '/api/email/domains': mail(),
      '/api/email/senders': mail(),
      '/api/email/templates': mail(),
      '/api/email/suppressions': mail({ address: ADDRESS }, isOne),
      '/api/platform/email/suppressions': [
        { values: { address: ADDRESS }, headers: platform, hasOnePage: isOne },
      ],
      '/api/payments/undelivered-events': [{ values: { state: 'dead' }, headers: platform }],
    };
    expect(await problemsOfLists(gateway.service.url, owner, lists)).toEqual([]);
  });
});

describe('Every list of identity', () => {
  it('has two pages', async () => {
    const identity = await bootIdentity({ RATE_LIMIT_PER_MINUTE: '0' });
    try {
      const { url } = identity.service;
      const [owner, invited] = [await identity.person(), await identity.person({ organization: false })];
      const make = making(callOf(url, bearer(owner.token)));
      const { id: second } = await make('/api/organizations', { name: 'Second' });
      const first = `/api/organizations/${owner.organizationId}`;
      await identity.join(owner, await identity.person({ organization: false }), 'member');
      await make(`${first}/invitations`, { userId: invited.id, role: 'viewer' });
      await make(`${first}/invitations`, { email: 'grace@example.com', role: 'viewer' });
      await make(`/api/organizations/${second}/invitations`, { userId: invited.id, role: 'viewer' });
      for (let signIns = 0; signIns < 2; signIns += 1)
        await callOf(url, {})('POST', '/api/auth/login', { email: owner.email, password: PASSWORD });
      const robot = { name: 'Robot', service: 'social-publishing', scopes: ['posts.read'] };
      for (const list of ['api-keys', 'service-principals'])
        for (const name of ['One', 'Two']) await make(`${first}/${list}`, { ...robot, name });

      const inFirst = (list: string): WalkedLists => ({
        [`/api/organizations/{organizationId}/${list}`]: [{ path: `${first}/${list}`, values: {} }],
      });
      const lists: WalkedLists = {
        '/api/organizations': [{ values: {} }],
        ...inFirst('members'),
        ...inFirst('invitations'),
        '/api/auth/me/invitations': [{ values: {}, headers: bearer(invited.token) }],
        ...inFirst('audit-events'),
        '/api/auth/me/account-events': [{ values: {} }],
        ...inFirst('account-events'),
        ...inFirst('api-keys'),
        ...inFirst('service-principals'),
      };
      expect(await problemsOfLists(url, bearer(owner.token), lists)).toEqual([]);
    } finally {
      await identity.close();
    }
  });
});
