import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import {
  asService,
  bearer,
  type BootedIdentity,
  bootIdentity,
  PASSWORD,
  type Person,
} from '../support/boot-identity.js';
import { Documented } from '../support/documented.js';
import { inlined } from '../support/inlined.js';

const GRANT = { name: 'Robot', service: 'social-publishing', scopes: ['posts.read'] };

describe('the responses of identity match its document', () => {
  let identity: BootedIdentity;
  let documented: Documented;
  let owner: Person;
  const seen = new Set<string>();

  beforeAll(async () => {
    identity = await bootIdentity();
    documented = await Documented.by(identity.service.url);
    owner = await identity.person();
  });
  afterAll(() => identity.close());

  /** Sends, with the parameters put into the path, and holds the answer against the document. */
  const send = async (
    operation: string,
    ids: Record<string, string> = {},
    body?: object,
    token = owner.token,
    service: Record<string, string> = asService,
  ): Promise<Response> => {
    const [method, template = ''] = operation.split(' ') as [
      'get' | 'post' | 'put' | 'patch' | 'delete',
      string,
    ];
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');
    const sent = identity.http[method](path)
      .set(token ? bearer(token) : {})
      .set(service);
    const response = await (body ? sent.send(body) : sent);
    documented.check(operation, response);
    seen.add(operation);
    return response;
  };

  it('for accounts and sessions', async () => {
    const email = 'documented@example.com';
    await send('post /register', {}, { email, password: PASSWORD, name: 'D', createOrganization: true }, '');
    await send('post /register', {}, { email, password: PASSWORD, name: 'D' }, '');
    await send('post /register', {}, {}, '');
    const { body } = await send('post /api/auth/login', {}, { email, password: PASSWORD }, '');
    await send('post /api/auth/login', {}, { email, password: 'wrong' }, '');
    await send('post /api/auth/refresh', {}, { refreshToken: body.refreshToken }, '');
    await send('post /api/auth/refresh', {}, { refreshToken: 'nonsense' }, '');
    await send('post /api/auth/revoke', {}, { token: 'nonsense' }, '');
    await send('post /api/auth/revoke', {}, {}, '');
    await send('get /api/auth/me/account-events', {}, undefined, body.accessToken);
    await send('get /api/auth/me', {}, undefined, body.accessToken);
    await send('get /api/auth/me', {}, undefined, '');
    const passwords = { currentPassword: PASSWORD, newPassword: 'yet another long password' };
    await send('put /api/auth/me/password', {}, passwords, body.accessToken);
    const sessions = await send('get /api/auth/sessions', {}, undefined, body.accessToken);
    expect(sessions.body.data).toHaveLength(1);
    await send('delete /api/auth/sessions/{sessionId}', { sessionId: randomUUID() });
    await send('post /api/auth/logout', {}, undefined, body.accessToken);
  });

  it('for validation, the registry and permissions', async () => {
    for (const token of [owner.token, '']) {
      await send('get /validate', {}, undefined, token);
      await send('post /validate', {}, undefined, token);
      await send('get /validate', {}, undefined, token, {});
      const validations = [{ authorization: `Bearer ${token}`, service: 'social-publishing' }];
      await send('post /validate/batch', {}, { validations }, '');
      await send('post /validate/batch', {}, { validations: [] }, '');
      await send('post /validate/batch', {}, { validations }, token, {});
      await send('get /api/services', {}, undefined, token);
      await send('get /api/users/{userId}/permissions', { userId: owner.id }, undefined, token);
    }
    await send('get /api/attribution', {}, undefined, '');
    await send('get /api/attribution', {}, undefined, '', {});
    for (const slug of ['agent', 'nothing']) {
      await send('get /api/services/{slug}', { slug });
      await send('get /api/registrations/{slug}', { slug }, undefined, '');
      await send('get /api/registrations/{slug}', { slug }, undefined, '', {});
      await send('get /api/services/{slug}/permissions', { slug });
      await send('get /api/services/{slug}/api-key-scopes', { slug });
      await send('get /api/services/{slug}/role-bundles', { slug });
    }
  });

  it('for organizations and members', async () => {
    const created = await send('post /api/organizations', {}, { name: 'Second' });
    const ids = { organizationId: created.body.id };
    await send('post /api/organizations', {}, { name: '' });
    await send('get /api/organizations');
    await send('get /api/organizations/{organizationId}', ids);
    await send('get /api/organizations/{organizationId}', { organizationId: randomUUID() });
    const members = '/api/organizations/{organizationId}/members';
    const other = await identity.person({ organization: false });
    await send(`post ${members}`, ids, { email: other.email, role: 'viewer' });
    await send(`post ${members}`, ids, { email: other.email, role: 'viewer' });
    const invitations = '/api/organizations/{organizationId}/invitations';
    const { body: invited } = await send(`post ${invitations}`, ids, { userId: other.id, role: 'viewer' });
    await send(`post ${invitations}`, ids, { userId: other.id, role: 'viewer' });
    await send(`post ${invitations}`, ids, { role: 'viewer' });
    await send(`get ${invitations}`, ids);
    const invitation = { ...ids, invitationId: invited.id };
    await send(`post ${invitations}/{invitationId}/resend`, invitation);
    await send('get /api/auth/me/invitations', {}, undefined, other.token);
    await send('post /api/auth/me/invitations/{invitationId}/accept', invitation);
    await send('post /api/auth/me/invitations/{invitationId}/accept', invitation, undefined, other.token);
    await send('post /api/auth/me/invitations/{invitationId}/accept', invitation, undefined, other.token);
    await send('post /api/auth/me/invitations/{invitationId}/decline', invitation, undefined, other.token);
    await send(`delete ${invitations}/{invitationId}`, invitation);
    await send(`get ${members}`, ids);
    const member = { ...ids, userId: other.id };
    await send(`patch ${members}/{userId}`, member, { role: 'member' });
    await send(`put ${members}/{userId}/permission-overrides`, member, { overrides: [] });
    await send(`get ${members}/{userId}/permission-overrides`, member);
    await send(`get /api/organizations/{organizationId}/audit-events`, ids);
    await send(`get /api/organizations/{organizationId}/account-events`, ids);
    await send(`get /api/organizations/{organizationId}/audit-events`, ids, undefined, other.token);
    await send(`delete ${members}/{userId}`, member);
    await send(`delete ${members}/{userId}`, { ...ids, userId: owner.id });
  });

  it('for API keys and service principals', async () => {
    const ids = { organizationId: owner.organizationId };
    const keys = '/api/organizations/{organizationId}/api-keys';
    const { body: key } = await send(`post ${keys}`, ids, { ...GRANT, brandIds: [randomUUID()] });
    await send(`post ${keys}`, ids, { ...GRANT, scopes: ['nothing.at_all'] });
    await send(`post ${keys}/{keyId}/rotate`, { ...ids, keyId: key.id }, {});
    await send(`get ${keys}`, ids);
    await send(`delete ${keys}/{keyId}`, { ...ids, keyId: key.id });
    const principals = '/api/organizations/{organizationId}/service-principals';
    const { body: robot } = await send(`post ${principals}`, ids, GRANT);
    const principal = { ...ids, principalId: robot.id };
    await send(`post ${principals}/{principalId}/rotate`, principal, { overlapMinutes: 5 });
    await send(`get ${principals}`, ids);
    await send(`post ${principals}`, ids, GRANT, robot.token);
    await send(`post ${principals}/{principalId}/disable`, principal);
  });

  it('for every operation', async () => {
    for (const probe of ['/health', '/healthz', '/readyz']) await send(`get ${probe}`, {}, undefined, '');
    expect(documented.operations.filter((operation) => !seen.has(operation))).toEqual([]);
  });

  describe('the document is complete', () => {
    interface Schema {
      readonly $ref?: string;
      readonly example?: unknown;
      readonly items?: Schema;
      readonly allOf?: readonly Schema[];
      readonly oneOf?: readonly Schema[];
      readonly anyOf?: readonly Schema[];
      readonly properties?: Readonly<Record<string, Schema>>;
    }
    interface Described {
      readonly parameters?: readonly { name: string; in: string; schema: { format?: string } }[];
      readonly responses: Readonly<
        Record<string, { description: string; content?: Record<string, { schema: Schema }> }>
      >;
    }
    let schemas: Record<string, Schema>;
    let operations: [string, Described][];

    beforeAll(async () => {
      const { body } = await identity.http.get('/openapi.json').expect(200);
      schemas = body.components.schemas;
      operations = Object.entries<Record<string, Described>>(inlined(body).paths)
        .filter(([path]) => path.startsWith('/api/') || path === '/register' || path.startsWith('/validate'))
        .flatMap(([path, methods]) =>
          Object.entries(methods).map(([method, one]): [string, Described] => [`${method} ${path}`, one]),
        );
    });

    it('about each response', () => {
      const said = operations.flatMap(([name, { responses }]) =>
        Object.entries(responses).map(([status, { description }]) => ({ name, status, description })),
      );
      expect(said.filter(({ description }) => description === '' || description.includes('\n'))).toEqual([]);
    });

    it('about ids in paths', () => {
      const ids = operations.flatMap(([name, { parameters = [] }]) =>
        parameters
          .filter((one) => one.in === 'path' && one.name.endsWith('Id'))
          .map((one) => ({ operation: name, name: one.name, format: one.schema.format })),
      );
      expect(ids.length).toBeGreaterThan(20);
      expect(ids.filter(({ format }) => format !== 'uuid')).toEqual([]);
    });

    it('about the format of fields', () => {
      const bare = (name: string, schema: Schema): string[] => {
        const [wrapped] = schema.allOf ?? schema.oneOf ?? schema.anyOf ?? [];
        const inner = schema.$ref ?? schema.items?.$ref ?? wrapped?.$ref;
        const { properties } = inner ? (schemas[inner.split('/').at(-1) ?? ''] ?? {}) : schema;
        if (!properties) return 'example' in schema ? [] : [name];
        return Object.entries(properties).flatMap(([field, one]) => bare(`${name}.${field}`, one));
      };
      const successes = operations.flatMap(([name, { responses }]) =>
        Object.entries(responses)
          .filter(([status]) => status.startsWith('2'))
          .flatMap(([, { content = {} }]) =>
            Object.values(content).flatMap(({ schema }) => bare(name, schema)),
          ),
      );
      expect(successes.filter((field) => !field.includes('.pagination'))).toEqual([]);
    });
  });
});
