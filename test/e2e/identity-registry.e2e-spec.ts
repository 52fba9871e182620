import { randomUUID } from 'node:crypto';
import {
  asService,
  bearer,
  type BootedIdentity,
  bootIdentity,
  type Person,
} from '../support/boot-identity.js';

const SCOPES: Record<string, string> = {
  'social-publishing':
    'accounts.read accounts.write analytics.read api_keys.write calendar.read calendar.write dashboard.read posts.read posts.write',
  'contact-management': 'contacts.read contacts.write pipelines.read pipelines.write',
  'workspace-launcher':
    'api_keys.write apps.read apps.write dashboard.read entitlements.read launcher.read launches.read notifications.read notifications.write settings.read settings.write widgets.read workflows.read workflows.write',
  'provider-gateway':
    'ai.invoke apps.read limits.manage org.admin organizations.provision provider_credentials.manage service.invoke usage.read',
  agent:
    'agents.read agents.write approvals.write knowledge.read knowledge.write reports.read runs.invoke workflows.read workflows.write workspace.read workspace.write',
};

const CALLERS_OF_THE_GATEWAY = ['mail', 'notification', 'payment', 'settlement'];

describe('the registry and the permissions of identity', () => {
  let identity: BootedIdentity;
  let owner: Person;

  beforeAll(async () => {
    identity = await bootIdentity();
    owner = await identity.person();
  });
  afterAll(() => identity.close());

  const get = (path: string, token = owner.token) => identity.http.get(path).set(bearer(token));
  const sql = <Row extends object>(text: string, values: unknown[] = []) =>
    identity.test.database.query<Row>(text, values);

  it('finds services by slug, with ids made by the database', async () => {
    const list = await get('/api/services').expect(200);
    expect(list.body.data.map(({ slug }: { slug: string }) => slug)).toEqual(
      [...Object.keys(SCOPES), 'identity', ...CALLERS_OF_THE_GATEWAY].sort(),
    );
    const one = await get('/api/services/social-publishing').expect(200);
    expect(one.body).toMatchObject({ surface_kind: 'application', launchable: true });
    expect(one.body.supportedContexts).toEqual(['organization']);
    await get('/api/services/nothing').expect(404);
    for (const path of ['', '/agent', '/agent/permissions', '/agent/api-key-scopes', '/agent/role-bundles']) {
      await identity.http.get(`/api/services${path}`).expect(401);
    }
  });

  it('separates launchable services from APIs and support services', async () => {
    const unclear = await get('/api/services?launchable=maybe&context=nowhere');
    expect(unclear.body.warnings).toMatchObject([
      { parameter: 'launchable', code: 'not_a_boolean' },
      { parameter: 'context', code: 'not_allowed' },
    ]);
    const launchable = await get('/api/services?launchable=true');
    const slugs = launchable.body.data.map(({ slug }: { slug: string }) => slug);
    expect(slugs).not.toContain('provider-gateway');
    const personal = await get('/api/services?context=personal&launchable=true');
    expect(personal.body.data).toEqual([
      expect.objectContaining({ slug: 'workspace-launcher', household_capable: true }),
    ]);
  });

  it.each(Object.entries(SCOPES))('has exactly the scopes of %s', async (slug, scopes) => {
    const { body } = await get(`/api/services/${slug}/api-key-scopes`).expect(200);
    expect(body.data).toEqual(scopes.split(' '));
    const catalog = await get(`/api/services/${slug}/permissions`).expect(200);
    for (const { permission } of catalog.body.data)
      expect(permission).toMatch(/^[0-9a-f-]{36}\.[a-z_]+:[a-z_]+$/);
    await get('/api/services/nothing/permissions').expect(404);
    await get('/api/services/nothing/api-key-scopes').expect(404);
  });

  it('has default role bundles', async () => {
    const { body } = await get('/api/services/social-publishing/role-bundles').expect(200);
    const viewer = body.data.find(({ role }: { role: string }) => role === 'viewer');
    expect(viewer.scopes).toEqual([
      ...['accounts.read', 'analytics.read', 'calendar.read', 'dashboard.read', 'posts.read'],
    ]);
    expect(viewer.permissions[0]).toMatch(/\.accounts:read$/);
    await get('/api/services/nothing/role-bundles').expect(404);
  });

  it('reads from its tables: a changed row changes the response', async () => {
    const [service] = await sql<{ id: string }>(
      `INSERT INTO identity.service (slug, name, description, surface_kind, surface_group, launchable, supported_contexts)
       VALUES ('newcomer', 'Newcomer', '–', 'runtime', 'platform', false, '{organization}') RETURNING id`,
    );
    await sql(`INSERT INTO identity.permission VALUES ($1, 'things.read', '–')`, [service?.id]);
    await sql(`INSERT INTO identity.api_key_scope VALUES ($1, 'things.read')`, [service?.id]);
    const { body } = await get('/api/services/newcomer/api-key-scopes').expect(200);
    expect(body.data).toEqual(['things.read']);
    await sql('DELETE FROM identity.service WHERE id = $1', [service?.id]);
    await get('/api/services/newcomer').expect(404);
  });

  describe('GET /api/users/:userId/permissions', () => {
    const path = (userId: string) => `/api/users/${userId}/permissions`;
    const overridesPath = (userId: string) =>
      `/api/organizations/${owner.organizationId}/members/${userId}/permission-overrides`;
    const override = (token: string, userId: string, overrides: object[]) =>
      identity.http.put(overridesPath(userId)).set(bearer(token)).send({ overrides });
    const joined = async (role: string) => {
      const person = await identity.person({ organization: false });
      await identity.join(owner, person, role);
      return person;
    };
    const nameOf = async (scope: string) => {
      const { body } = await get('/api/services/social-publishing');
      return `${body.id}.${scope.replace('.', ':')}`;
    };
    type Entry = { permission: string; service: string; scope: string; sources: string[] };
    const scopesOf = (body: { effectivePermissionEntries: Entry[] }) =>
      body.effectivePermissionEntries
        .filter(({ service }) => service === 'social-publishing')
        .map(({ scope }) => scope);

    it('traces every effective permission to its sources', async () => {
      const { body } = await get(path(owner.id)).expect(200);
      expect(body.userId).toBe(owner.id);
      expect(body.effectivePermissions).toHaveLength(9 + 4 + 14 + 6 + 11);
      for (const permission of body.effectivePermissions) {
        expect(permission).toMatch(/^[0-9a-f-]{36}\.[a-z_]+:[a-z_]+$/);
      }
      for (const entry of body.effectivePermissionEntries) {
        expect(entry.sources).toEqual(['organization_service_access', 'role_bundle']);
        expect(body.effectivePermissions).toContain(entry.permission);
      }
      expect(body.sources.organizationServiceAccess).toHaveLength(6);
      expect(body.sources.roleBundles).toHaveLength(6);
      expect(body.sources.userOverrides).toEqual([]);
    });

    it('applies allowing and denying overrides from the next request on', async () => {
      const viewer = await joined('viewer');
      const [write, read] = [await nameOf('posts.write'), await nameOf('posts.read')];
      await override(owner.token, viewer.id, [
        { permission: write, effect: 'allow', reason: 'covers for Ada' },
        { permission: read, effect: 'deny' },
      ]).expect(200);
      const { body } = await get(path(viewer.id), viewer.token).expect(200);
      expect(scopesOf(body)).toContain('posts.write');
      expect(scopesOf(body)).not.toContain('posts.read');
      const entry = body.effectivePermissionEntries.find((one: Entry) => one.permission === write);
      expect(entry.sources).toEqual(['organization_service_access', 'user_override']);
      expect(body.sources.userOverrides).toContainEqual({
        ...{ organizationId: owner.organizationId, permission: read, effect: 'deny', reason: null },
      });
      const validated = await identity.http
        .get('/validate?service=social-publishing')
        .set(asService)
        .set(bearer(viewer.token))
        .expect(200);
      expect(validated.body.organizations[0].scopes).toContain('posts.write');
      expect(validated.body.organizations[0].scopes).not.toContain('posts.read');
      await override(owner.token, viewer.id, []).expect(200);
      const restored = await get(path(viewer.id), viewer.token);
      expect(scopesOf(restored.body)).toContain('posts.read');
    });

    it('needs the organization to have the service', async () => {
      const person = await identity.person();
      await sql('DELETE FROM identity.organization_service_access WHERE organization_id = $1', [
        person.organizationId,
      ]);
      const { body } = await get(path(person.id), person.token).expect(200);
      expect(body.effectivePermissions).toEqual([]);
    });

    it('is available for the user, and for administrators of the organization', async () => {
      const [member, other, elsewhere] = [
        await joined('member'),
        await joined('member'),
        await identity.person(),
      ];
      await identity.join(elsewhere, member, 'admin');
      const mine = await get(path(member.id), member.token).expect(200);
      const theirs = await get(path(member.id), owner.token).expect(200);
      const organizations = (body: { effectivePermissionEntries: { organizationId: string }[] }) =>
        new Set(body.effectivePermissionEntries.map(({ organizationId }) => organizationId));
      expect(organizations(mine.body).size).toBe(2);
      expect([...organizations(theirs.body)]).toEqual([owner.organizationId]);
      await get(path(member.id), other.token).expect(404);
      await get(path(owner.id), elsewhere.token).expect(404);
      await get(path(randomUUID())).expect(404);
      await get(path('nonsense')).expect(404);
      await identity.http.get(path(owner.id)).expect(401);
    });

    it('returns the overrides of one member to administrators, in the form of the PUT body', async () => {
      const [member, admin, elsewhere] = [
        await joined('member'),
        await joined('admin'),
        await identity.person(),
      ];
      const [write, read] = [await nameOf('posts.write'), await nameOf('posts.read')];
      const list = (token: string, userId = member.id) => get(overridesPath(userId), token);
      const none = await list(admin.token).expect(200);
      expect(none.body).toEqual({ version: 1, overrides: [] });
      const put = await override(owner.token, member.id, [
        { permission: write, effect: 'deny', reason: 'on leave' },
        { permission: read, effect: 'allow' },
      ]).expect(200);
      const { body, headers } = await list(admin.token).expect(200);
      expect(body).toEqual(put.body);
      expect(headers.etag).toBe(`"v${body.version}"`);
      expect(body.overrides).toEqual([
        { permission: read, effect: 'allow', reason: null },
        { permission: write, effect: 'deny', reason: 'on leave' },
      ]);
      const again = await override(owner.token, member.id, body.overrides).expect(200);
      expect(again.body.overrides).toEqual(body.overrides);
      expect(again.body.version).not.toBe(body.version);
      await list(admin.token).set('If-None-Match', String(again.headers.etag)).expect(304);
      await list(member.token).expect(403);
      await list(elsewhere.token).expect(404);
      await list(owner.token, elsewhere.id).expect(404);
      await identity.http.get(overridesPath(member.id)).expect(401);
    });

    it('keeps a denial that a concurrent writer has not read', async () => {
      const member = await joined('member');
      const [write, read] = [await nameOf('posts.write'), await nameOf('posts.read')];
      const deny = (...permissions: string[]) =>
        permissions.map((permission) => ({ permission, effect: 'deny' }));
      const seen = (await get(overridesPath(member.id)).expect(200)).headers.etag as string;
      const change = (etag: string, overrides: object[]) =>
        override(owner.token, member.id, overrides).set('If-Match', etag);
      const first = await change(seen, deny(write)).expect(200);
      const late = await change(seen, deny(read)).expect(412);
      expect(late.body).toMatchObject({ code: 'version_mismatch', currentVersion: first.body.version });
      expect((await get(overridesPath(member.id))).body).toEqual(first.body);
      await change('*', deny(write, read)).expect(200);
      const both = await Promise.all(
        [deny(write), deny(read)].map((overrides) => change(String(seen), overrides)),
      );
      expect(both.map(({ status }) => status)).toEqual([412, 412]);
      // Who left and came back has no overrides, and is not who was read of before.
      const path = `/api/organizations/${owner.organizationId}/members`;
      const { etag } = (await get(overridesPath(member.id))).headers;
      await identity.http.delete(`${path}/${member.id}`).set(bearer(owner.token)).expect(204);
      await identity.join(owner, member, 'member');
      await change(String(etag), deny(write)).expect(412);
      await override(owner.token, member.id, deny(write)).expect(200);
      await change(String(etag), []).expect(412);
    });

    it('lets only administrators override, and only grant permissions that they have', async () => {
      const [member, admin] = [await joined('member'), await joined('admin')];
      const elsewhere = await identity.person();
      const allow = [{ permission: await nameOf('posts.write'), effect: 'allow' }];
      await override(member.token, member.id, allow).expect(403);
      await override(elsewhere.token, member.id, allow).expect(404);
      await override(owner.token, elsewhere.id, allow).expect(404);
      await identity.http.put(overridesPath(member.id)).send({ overrides: [] }).expect(401);
      for (const permission of ['nonsense', `${randomUUID()}.posts:write`]) {
        const refused = await override(owner.token, member.id, [{ permission, effect: 'allow' }]).expect(400);
        expect(refused.body.errors[0].pointer).toBe('#/overrides/0/permission');
      }
      const gateway = (await get('/api/services/provider-gateway')).body.id;
      const platform = { permission: `${gateway}.organizations:provision`, effect: 'allow' };
      await override(admin.token, member.id, [platform]).expect(400);
      await override(owner.token, member.id, [{ ...allow[0], effect: 'maybe' }]).expect(400);
    });

    describe('a restricted member', () => {
      const allowed = async (person: Person) =>
        scopesOf((await get(path(person.id), person.token).expect(200)).body);
      const restricted = async (role: string) => {
        const person = await joined(role);
        const permission = await nameOf('posts.write');
        await override(owner.token, person.id, [{ permission, effect: 'deny' }]).expect(200);
        return person;
      };

      it('cannot change their own overrides', async () => {
        const admin = await restricted('admin');
        for (const person of [admin, owner]) {
          const { body } = await override(person.token, person.id, []).expect(403);
          expect(body.code).toBe('own_overrides');
        }
        expect(await allowed(admin)).not.toContain('posts.write');
      });

      it('cannot restrict an owner: only owners change the overrides of owners', async () => {
        const [admin, second] = [await joined('admin'), await joined('owner')];
        const deny = [{ permission: await nameOf('posts.write'), effect: 'deny' }];
        for (const one of [owner, second]) {
          const { body } = await override(admin.token, one.id, deny).expect(403);
          expect(body.code).toBe('role_not_enough');
          expect(await allowed(one)).toContain('posts.write');
        }
        await override(owner.token, second.id, deny).expect(200);
        await override(admin.token, second.id, []).expect(403);
        expect(await allowed(second)).not.toContain('posts.write');
      });

      it('cannot grant a denied permission, also not by removing a denial', async () => {
        const [admin, member, viewer] = [
          await restricted('admin'),
          await restricted('member'),
          await joined('viewer'),
        ];
        const [write, read] = [await nameOf('posts.write'), await nameOf('posts.read')];
        await override(admin.token, viewer.id, [{ permission: write, effect: 'allow' }]).expect(400);
        const { body } = await override(admin.token, member.id, []).expect(400);
        expect(body.errors).toEqual([
          expect.objectContaining({ pointer: '#/overrides', code: 'permission_not_offered' }),
        ]);
        expect(body.errors[0].detail).toContain(write);
        expect(await allowed(member)).not.toContain('posts.write');
        // What stays denied may be sent again, with more.
        const both = [write, read].map((permission) => ({ permission, effect: 'deny' }));
        await override(admin.token, member.id, both).expect(200);
        await override(admin.token, member.id, both.slice(0, 1)).expect(200);
        expect(await allowed(member)).toContain('posts.read');
        await override(owner.token, member.id, []).expect(200);
        expect(await allowed(member)).toContain('posts.write');
      });
    });
  });

  it('describes itself', async () => {
    const { body } = await identity.http.get('/openapi.json').expect(200);
    expect(body.openapi).toBe('3.1.0');
    const operations = Object.values<Record<string, { operationId: string; summary?: string }>>(
      body.paths,
    ).flatMap((path) => Object.values(path));
    expect(operations.length).toBeGreaterThan(30);
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const operation of operations) expect(operation.summary).toBeTruthy();
    await identity.http.get('/docs').expect(200);
    for (const path of ['/health', '/healthz', '/readyz']) await identity.http.get(path).expect(200);
  });
});
