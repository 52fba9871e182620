import { randomUUID } from 'node:crypto';
import request from 'supertest';
import { type BootedGateway, bootGateway } from '../support/boot-gateway.js';
import { Documented } from '../support/documented.js';

const OPENAI = { provider: 'openai', label: 'Main', secret: 'sk-0123456789abcdefghij' };
const ONE = '/api/credentials/{credentialId}';

describe('the responses of credentials and audit match the document', () => {
  let gateway: BootedGateway;
  let documented: Documented;
  let manager: Record<string, string>;
  let superAdmin: Record<string, string>;
  const stranger = { authorization: 'Bearer nothing' };

  beforeAll(async () => {
    gateway = await bootGateway('http://127.0.0.1:1');
    documented = await Documented.by(gateway.service.url);
    const scopes = ['provider_credentials.manage', 'org.admin'];
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    manager = bearer(gateway.identity.user({ organizations: [{ id: randomUUID(), scopes }] }));
    superAdmin = bearer(
      gateway.identity.user({
        principalType: 'platform_super_admin',
        organizations: [{ id: randomUUID(), isAdministrative: true }],
      }),
    );
  });
  afterAll(() => gateway.close());

  const send = async (
    operation: string,
    status: number,
    headers: Record<string, string>,
    { id = '', body }: { id?: string; body?: object } = {},
  ) => {
    const [method, path = ''] = operation.split(' ') as ['get' | 'post' | 'patch' | 'delete', string];
    const sent = request(gateway.service.url)[method](path.replace('{credentialId}', id)).set(headers);
    const response = await (body ? sent.send(body) : sent);
    documented.check(operation, response);
    expect([operation, response.status]).toEqual([operation, status]);
    return response;
  };

  it('for lists and new credentials', async () => {
    const { body } = await send('post /api/credentials', 201, manager, { body: OPENAI });
    await send('post /api/credentials', 201, superAdmin, { body: { ...OPENAI, scope: 'platform' } });
    await send('post /api/credentials', 400, manager, { body: {} });
    await send('post /api/credentials', 401, stranger, { body: OPENAI });
    await send('post /api/credentials', 403, manager, { body: { ...OPENAI, scope: 'platform' } });
    const elsewhere = { ...manager, 'x-organization-id': randomUUID() };
    await send('post /api/credentials', 404, elsewhere, { body: OPENAI });
    await send('get /api/credentials', 200, manager);
    await send('get /api/credentials', 400, { ...manager, 'x-organization-id': 'acme' });
    await send('get /api/credentials', 401, stranger);
    await send('get /api/credentials', 404, elsewhere);
    await send(`get ${ONE}`, 200, manager, body);
    await send(`get ${ONE}`, 404, superAdmin, body);
  });

  it('for changes', async () => {
    const { body } = await send('post /api/credentials', 201, manager, { body: OPENAI });
    const { id } = body as { id: string };
    const [stale, label] = [{ ...manager, 'if-match': '"v9"' }, { label: 'Another' }];
    await send(`patch ${ONE}`, 200, manager, { id, body: label });
    await send(`patch ${ONE}`, 400, manager, { id, body: { label: 1 } });
    await send(`patch ${ONE}`, 404, superAdmin, { id, body: label });
    await send(`patch ${ONE}`, 412, stale, { id, body: label });
    const secret = { secret: 'sk-another-0123456789' };
    await send(`post ${ONE}/rotate`, 200, manager, { id, body: secret });
    await send(`post ${ONE}/rotate`, 400, manager, { id, body: {} });
    await send(`post ${ONE}/rotate`, 404, superAdmin, { id, body: secret });
    await send(`post ${ONE}/rotate`, 412, stale, { id, body: secret });
    await send(`delete ${ONE}`, 401, stranger, { id });
    await send(`delete ${ONE}`, 412, stale, { id });
    await send(`delete ${ONE}`, 204, manager, { id });
    await send(`delete ${ONE}`, 404, manager, { id });
  });

  it('for the audit', async () => {
    await send('get /api/audit', 200, manager);
    await send('get /api/audit', 401, stranger);
    await send('get /api/audit', 404, { ...manager, 'x-organization-id': randomUUID() });
    await send('get /api/audit/platform', 200, superAdmin);
    await send('get /api/audit/platform', 403, manager);
  });
});
