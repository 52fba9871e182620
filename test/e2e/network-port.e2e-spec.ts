import { registerNetwork } from '../../src/integrations/networks.js';
import { planned } from '../../src/integrations/providers/network.declaration.js';
import { ExpiringTokensSweep } from '../../src/integrations/sweeps/expiring-tokens.sweep.js';
import { FictionalWorld, type Integration } from '../support/fictional/fictional-world.js';

describe('a network that is registered from outside', () => {
  const unregister = registerNetwork(planned('somewhere', 'Somewhere'));
  let world: FictionalWorld;

  beforeAll(async () => {
    world = await FictionalWorld.start();
  });
  afterEach(() => world.publishing.stopWorkers());
  afterAll(async () => {
    await world.stop();
    unregister();
  });

  it('takes drafts with a warning, and no accounts, while it is planned', async () => {
    const { body: brand } = await world.person('POST', '/api/brands', { name: 'Acme' });
    const listed = await world.person('GET', '/api/integrations');
    expect(listed.body.providers).toContainEqual(
      expect.objectContaining({ platform: 'somewhere', readiness: 'planned', connectable: false }),
    );
    const post = { brandId: brand.id as string, platform: 'somewhere', text: 'Later' };
    const checked = await world.person('POST', '/api/posts/preflight', post);
    expect(checked.body.findings).toMatchObject([
      { ruleId: 'somewhere.platform.planned', severity: 'warning' },
    ]);
    expect((await world.person('POST', '/api/posts', post)).status).toBe(201);
    const refused = await world.person('POST', `/api/integrations/somewhere/connect?brandId=${post.brandId}`);
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ code: 'provider_not_connectable', readiness: 'planned' });
  });

  it('connects every account of one sign-in, each with a token of its own', async () => {
    const { name, page, accounts, brandId } = await world.connected();
    expect(page).toContain(`@${name}_studio`);
    expect(page).toContain(`@${name}_shop`);
    expect(accounts.map(({ account }) => account.id).sort()).toEqual([`${name}-shop`, `${name}-studio`]);
    expect(accounts.flatMap(({ pages }) => pages.map(({ id }) => id))).toEqual([`page-of-${name}-shop`]);
    const tokens = await world.publishing.tokens.read(accounts.map(({ id }) => id));
    expect(new Set(tokens.map(({ accessToken }) => accessToken)).size).toBe(2);
    const again = await world.api.test.database.query(
      'SELECT FROM integrations.connection WHERE brand_id = $1',
      [brandId],
    );
    expect(again).toHaveLength(2);
  });

  it('connects nothing when two accounts of one sign-in have the same refresh token', async () => {
    world.network.sharesRefreshToken = true;
    const { name, page, accounts } = await world.connected();
    world.network.sharesRefreshToken = false;
    expect(accounts).toEqual([]);
    expect(page).toContain('same refresh token');
    expect(world.network.revoked.some((owner) => owner.startsWith(name))).toBe(true);
  });

  it('ends the consent of a sign-in with its last account only', async () => {
    const { accounts, brandId, name } = await world.connected();
    const [one, two] = accounts as [Integration, Integration];
    expect((await world.person('DELETE', `/api/integrations/${one.id}`)).status).toBe(204);
    expect((await world.accountsOf(brandId)).map(({ id }) => id)).toEqual([two.id]);
    expect(world.network.revoked.filter((owner) => owner.startsWith(name))).toEqual([]);
    expect((await world.person('DELETE', `/api/integrations/${two.id}`)).status).toBe(204);
    expect(world.network.revoked.filter((owner) => owner.startsWith(name))).toEqual([two.account.id]);
  });

  it('ends the consent of a person when the accounts are connected by another one', async () => {
    const { accounts, brandId, name } = await world.connected();
    const tokens = async () =>
      (await world.publishing.tokens.read(accounts.map(({ id }) => id))).map(
        ({ accessToken }) => accessToken,
      );
    const former = await tokens();
    await world.connect(brandId, name);
    expect(world.network.revokedBy.filter((token) => former.includes(token))).toEqual([]);
    const ofFirst = await tokens();
    await world.connect(brandId, `other@${name}`);
    expect(world.network.revokedBy.filter((token) => ofFirst.includes(token))).not.toEqual([]);
    const ofOther = await tokens();
    expect(world.network.revokedBy.filter((token) => ofOther.includes(token))).toEqual([]);
  });

  it('keeps the consent of a person whom another brand still uses', async () => {
    const { accounts, brandId, name } = await world.connected();
    const other = (await world.person('POST', '/api/brands', { name: 'Other' })).body.id as string;
    await world.connect(other, name);
    const tokens = await world.publishing.tokens.read(accounts.map(({ id }) => id));
    await world.connect(brandId, `other@${name}`);
    const former = tokens.map(({ accessToken }) => accessToken);
    expect(world.network.revokedBy.filter((token) => former.includes(token))).toEqual([]);
  });

  it('stores the tokens of the last list of accounts', async () => {
    world.network.replacesTokens = true;
    const { accounts } = await world.connected();
    world.network.replacesTokens = false;
    const tokens = await world.publishing.tokens.read(accounts.map(({ id }) => id));
    expect(tokens.map(({ accessToken }) => world.network.accepts(accessToken ?? ''))).toEqual([true, true]);
  });

  it('publishes to the page that the post names, by the account that has it', async () => {
    const { brandId, name } = await world.connected();
    await world.publishing.worker();
    const body = {
      ...{ brandId, platform: 'fictional', text: `To a page of ${name}` },
      target: { pageId: `page-of-${name}-shop` },
      scheduledAt: new Date(Date.now() + 1_000).toISOString(),
    };
    const created = await world.person('POST', '/api/posts', body);
    expect(created.status).toBe(201);
    await world.isPublished(created.body.id as string);
    expect(world.postsOf(body.text)).toEqual([
      expect.objectContaining({ page: `page-of-${name}-shop`, tokenOf: `${name}-shop` }),
    ]);
  });

  it('refuses to schedule for a page that no connection of the brand reaches; a draft shows why', async () => {
    const { brandId } = await world.connected();
    const other = await world.connected();
    const text = 'To the page of another person';
    const draft = {
      ...{ brandId, platform: 'fictional', text },
      target: { pageId: `page-of-${other.name}-shop` },
    };
    const finding = { ruleId: 'fictional.target.not-connected', pointer: '#/target/pageId' };
    const checked = await world.person('POST', '/api/posts/preflight', draft);
    expect(checked.body.findings).toMatchObject([{ ...finding, severity: 'error' }]);
    const created = await world.person('POST', '/api/posts', draft);
    expect(created.status).toBe(201);
    const scheduledAt = new Date(Date.now() + 60_000).toISOString();
    const scheduled = await world.person('POST', '/api/posts', { ...draft, scheduledAt });
    expect(scheduled.status).toBe(400);
    expect(JSON.stringify(scheduled.body)).toContain(finding.ruleId);
    const later = await world.person('PUT', `/api/posts/${created.body.id as string}`, { scheduledAt });
    expect([later.status, JSON.stringify(later.body).includes(finding.ruleId)]).toEqual([400, true]);
  });

  it('warns about a scheduled post that names none of several accounts', async () => {
    const { brandId, name } = await world.connected();
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
    const post = { brandId, platform: 'fictional', text: `For no account of ${name}`, scheduledAt };
    const unclear = await world.person('POST', '/api/posts', post);
    expect(unclear.status).toBe(201);
    expect(unclear.body.warnings).toMatchObject([{ code: 'account_ambiguous', pointer: '#/platform' }]);
    const named = { ...post, text: `For one of ${name}`, target: { accountId: `${name}-shop` } };
    expect((await world.person('POST', '/api/posts', named)).body.warnings).not.toContainEqual(
      expect.objectContaining({ code: 'account_ambiguous' }),
    );
  });

  it('renews long-lived tokens by themselves, some days before they end', async () => {
    world.network.tokensLastMs = 5 * 86_400_000;
    const { accounts } = await world.connected();
    world.network.tokensLastMs = 60 * 86_400_000;
    const ids = accounts.map(({ id }) => id);
    const before = await world.publishing.tokens.read(ids);
    const worker = await world.publishing.worker();
    await worker.app.get(ExpiringTokensSweep, { strict: false }).sweep();
    const after = await world.publishing.tokens.read(ids);
    for (const { connectionId, accessToken, accessExpiresAt } of after) {
      const old = before.find((each) => each.connectionId === connectionId);
      expect(accessToken).not.toBe(old?.accessToken);
      expect(Date.parse(accessExpiresAt ?? '')).toBeGreaterThan(Date.parse(old?.accessExpiresAt ?? ''));
    }
    const renewals = world.network.countOf('POST /renew');
    await worker.app.get(ExpiringTokensSweep, { strict: false }).sweep();
    expect(world.network.countOf('POST /renew')).toBe(renewals);
  });
});
