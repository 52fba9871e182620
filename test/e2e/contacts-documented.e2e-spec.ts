import { randomUUID } from 'node:crypto';
import { BusinessApi } from '../support/business-api.js';
import type { Method } from '../support/call.js';
import { ContactsWorld } from '../support/contacts-world.js';
import { Documented } from '../support/documented.js';

const OPERATIONS: Record<string, number[]> = {
  'get /api/contacts': [200, 401, 403, 500, 503],
  'post /api/contacts': [201, 400, 401, 403, 404, 409, 422, 500, 503],
  'get /api/contacts/{id}': [200, 304, 401, 403, 404, 500, 503],
  'put /api/contacts/{id}': [200, 400, 401, 403, 404, 412, 500, 503],
  'delete /api/contacts/{id}': [200, 401, 403, 404, 412, 500, 503],
  'post /api/contacts/{id}/restore': [200, 400, 401, 403, 404, 409, 412, 422, 500, 503],
};
const WITH_ID = Object.keys(OPERATIONS).filter((operation) => operation.includes('{id}'));

describe('the responses of contacts match the document', () => {
  let api: BusinessApi;
  let world: ContactsWorld;
  let documented: Documented;
  const seen = new Map<string, Set<number>>();
  beforeAll(async () => {
    api = await BusinessApi.start();
    world = new ContactsWorld(api);
    documented = await Documented.by(api.service.url);
  });
  afterAll(() => api.stop());

  const send = async (
    operation: string,
    id = '',
    body?: object,
    { headers = {}, call = world.as('admin'), query = '' } = {},
  ) => {
    const [method, template = ''] = operation.split(' ');
    const path = template.replace('{id}', id) + query;
    const answer = await call(method?.toUpperCase() as Method, path, body, headers);
    documented.check(operation, answer);
    seen.set(operation, (seen.get(operation) ?? new Set()).add(answer.status));
    return answer;
  };
  const bodyOf = (operation: string) => (/^(put|post [^{]+$)/.test(operation) ? { name: 'Ada' } : undefined);

  it('for contacts with all fields and with the minimum', async () => {
    const full = {
      name: 'Jana',
      email: 'jana@example.com',
      company: 'Acme',
      jobTitle: 'CEO',
      phones: ['1'],
      tags: ['vip'],
      customFields: { a: 'b', n: 1.5, yes: true, nothing: null },
      externalId: 'x',
    };
    for (const body of [full, { email: 'a@example.com' }]) {
      const { id } = (await send('post /api/contacts', '', body)).body;
      await send('get /api/contacts/{id}', id);
      const headers = { 'if-none-match': '"v1"' };
      await send('get /api/contacts/{id}', id, undefined, { headers });
      await send('put /api/contacts/{id}', id, { name: 'Eva' });
      for (const query of ['', '?q=eva', '?q=nobody', '?limit=1'])
        await send('get /api/contacts', '', undefined, { query });
      await send('delete /api/contacts/{id}', id);
      await send('get /api/contacts', '', undefined, { query: '?deleted=true' });
      await send('post /api/contacts/{id}/restore', id);
      await send('delete /api/contacts/{id}', id, undefined, { query: '?erase=true' });
    }
  });

  it('for refusals', async () => {
    const { id } = await world.contact({ name: 'Ada', email: 'taken@example.com' });
    await send('post /api/contacts', '', { name: 5, colour: 'red' });
    await send('post /api/contacts', '', { company: 'Acme' });
    await send('post /api/contacts', '', { email: 'taken@example.com' }, { query: '?onDuplicate=reject' });
    await send('post /api/contacts', '', { name: 'Ada', organizationId: randomUUID() });
    await send('put /api/contacts/{id}', id, { email: 'x' });
    for (const operation of WITH_ID) {
      await send(operation, randomUUID(), bodyOf(operation));
      await send(operation, 'x', bodyOf(operation));
      if (!operation.startsWith('get'))
        await send(operation, id, bodyOf(operation), { headers: { 'if-match': '"v9"' } });
    }
    await send('delete /api/contacts/{id}', id, undefined, { query: '?erase=true', call: world.call });
  });

  it('for repeated and invalid idempotency keys', async () => {
    const { id } = await world.contact();
    const path = `/api/contacts/${id}/restore`;
    for (const operation of ['post /api/contacts', 'post /api/contacts/{id}/restore']) {
      const headers = { 'idempotency-key': randomUUID() };
      const call = world.as('member');
      const none = await send(
        operation,
        id,
        { name: 'Ada' },
        { headers: { 'idempotency-key': 'x'.repeat(256) } },
      );
      expect(none.status).toBe(400);
      await send(operation, id, { name: 'Ada' }, { headers, call });
      // A body is read by neither way to restore, but it is part of what was sent.
      expect((await send(operation, id, { name: 'Eva' }, { headers, call })).status).toBe(422);
      const running = { 'idempotency-key': randomUUID() };
      await send(operation, id, { name: 'Ada' }, { headers: running, call });
      await api.test.database.query(
        `UPDATE http.idempotent_request SET response = NULL, lease_until = now() + interval '1 hour'`,
      );
      expect((await send(operation, id, { name: 'Ada' }, { headers: running, call })).status).toBe(409);
    }
    expect((await world.call('GET', path.replace('/restore', ''))).status).toBe(200);
  });

  it('without credentials, without a scope, while identity is down', async () => {
    const { id } = await world.contact();
    for (const operation of Object.keys(OPERATIONS))
      for (const call of [api.as(), world.as('owner', ['posts.read'])])
        await send(operation, id, bodyOf(operation), { call });
    api.identity.goDown();
    for (const operation of Object.keys(OPERATIONS)) await send(operation, id, bodyOf(operation));
    api.identity.comeBack();
  });

  it('when an internal error occurs, without its details', async () => {
    const { id } = await world.contact();
    await api.test.database.query('ALTER TABLE contacts.contact RENAME TO contact_elsewhere');
    try {
      for (const operation of Object.keys(OPERATIONS)) {
        const { status, text } = await send(operation, id, bodyOf(operation));
        expect([operation, status]).toEqual([operation, 500]);
        expect(text).not.toMatch(/relation|contacts\.|SELECT/);
      }
    } finally {
      await api.test.database.query('ALTER TABLE contacts.contact_elsewhere RENAME TO contact');
    }
    expect((await world.call('GET', `/api/contacts/${id}`)).status).toBe(200);
  });

  it('and every documented status except the common ones occurred', () => {
    const inFront = [408, 413, 415, 429, 431];
    for (const [operation, statuses] of Object.entries(OPERATIONS)) {
      const documentedOnes = documented.statuses(operation).filter((status) => !inFront.includes(status));
      expect([operation, documentedOnes]).toEqual([operation, statuses]);
      expect([operation, [...(seen.get(operation) ?? [])].sort()]).toEqual([operation, statuses]);
    }
  });
});
