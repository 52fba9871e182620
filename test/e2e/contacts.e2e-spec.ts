import { randomUUID } from 'node:crypto';
import { BusinessApi } from '../support/business-api.js';
import { callOf } from '../support/call.js';
import { ContactsWorld } from '../support/contacts-world.js';
import { RowLock } from '../support/row-lock.js';

let api: BusinessApi;
let world: ContactsWorld;
beforeAll(async () => {
  api = await BusinessApi.start();
});
beforeEach(() => {
  world = new ContactsWorld(api);
});
afterAll(() => api.stop());

const FULL = {
  name: 'Jana Nováková',
  email: 'Jana.Novakova@Example.com',
  company: 'Acme Coffee',
  jobTitle: 'Head of Roasting',
  phones: ['+420 601 123 456', '+420 602 000 000'],
  tags: ['customer', 'Prague'],
  customFields: { language: 'cs', seats: 12, newsletter: true, note: null },
  externalId: 'crm-4711',
  additionalEmails: ['jana@acme.example'],
  addresses: [
    {
      label: 'Office',
      street: 'Dlouhá 12',
      city: 'Prague',
      region: null,
      postalCode: '110 00',
      country: 'Czechia',
    },
  ],
  birthday: '1990-05-12',
  department: 'Roastery',
  websites: ['https://acme.example'],
};
const stranger = () => api.as(api.person().token);

describe('POST /api/contacts', () => {
  it('201 with everything a contact can have, tagged with its version', async () => {
    const answer = await world.call('POST', '/api/contacts', FULL);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('etag')).toBe('"v1"');
    const { id, createdAt, updatedAt, ...rest } = answer.body;
    expect(rest).toEqual({ ...FULL, organizationId: world.organizationId, deleted: false, version: 1 });
    expect([id, createdAt, updatedAt]).toEqual(Array(3).fill(expect.any(String)));
    expect((await world.call('GET', `/api/contacts/${id}`)).body).toEqual(answer.body);
  });

  it('201 with a name or an email alone; what is not given is null or empty', async () => {
    const nothing = {
      company: null,
      jobTitle: null,
      externalId: null,
      phones: [],
      tags: [],
      customFields: {},
    };
    expect(await world.contact({ name: ' Ada ' })).toMatchObject({ ...nothing, name: 'Ada', email: null });
    expect(await world.contact({ email: 'ada@example.com', name: '  ' })).toMatchObject({
      ...nothing,
      name: null,
      email: 'ada@example.com',
    });
  });

  it('201 for the organization named by a caller of several, 400 when none is named', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    const call = api.as(api.identity.user({ organizations: [{ id: one }, { id: other }] }));
    const body = { name: 'Ada', organizationId: other.toUpperCase() };
    const answer = await call('POST', '/api/contacts', body);
    expect([answer.status, answer.body.organizationId]).toEqual([201, other]);
    const unnamed = await call('POST', '/api/contacts', { name: 'Ada' });
    expect([unnamed.status, unnamed.body.code]).toEqual([400, 'organization_missing']);
  });

  it.each([
    ['neither name, email, company nor phone', { jobTitle: 'Roaster' }, '#/name'],
    ['an empty name alone', { name: '   ' }, '#/name'],
    ['a name without a visible character', { name: '\u200b\u2060' }, '#/name'],
    ['a name too long', { name: 'ä'.repeat(201) }, '#/name'],
    ['a name that is no text', { name: 7 }, '#/name'],
    ['no address', { email: 'ada@' }, '#/email'],
    ['an address with a space', { email: 'a da@example.com' }, '#/email'],
    ['two addresses', { email: 'a@example.com,b@example.com' }, '#/email'],
    [
      'an address too long',
      { email: `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(130)}.com` },
      '#/email',
    ],
    ['phones that are no list', { name: 'A', phones: '+420' }, '#/phones'],
    ['too many phones', { name: 'A', phones: Array.from({ length: 11 }, (_, n) => String(n)) }, '#/phones'],
    ['a phone too long', { name: 'A', phones: ['1'.repeat(41)] }, '#/phones'],
    ['too many tags', { name: 'A', tags: Array.from({ length: 51 }, (_, n) => String(n)) }, '#/tags'],
    ['a tag that is no text', { name: 'A', tags: [{}] }, '#/tags'],
    ['custom fields that are a list', { name: 'A', customFields: [] }, '#/customFields'],
    ['nested custom fields', { name: 'A', customFields: { a: {} } }, '#/customFields'],
    ['a custom text too long', { name: 'A', customFields: { a: 'x'.repeat(1_001) } }, '#/customFields'],
    [
      'a custom field called constructor',
      { name: 'A', customFields: { constructor: 'B' } },
      '#/customFields',
    ],
    ['a tag of more characters than are seen', { name: 'A', tags: ['❤️'.repeat(40)] }, '#/tags'],
    ['a name of more characters than are seen', { name: '❤️'.repeat(101) }, '#/name'],
    ['a custom field called valueOf', { name: 'A', customFields: { valueOf: 1 } }, '#/customFields'],
    ['a custom field without a name', { name: 'A', customFields: { ' ': 1 } }, '#/customFields'],
    ['NUL', { name: 'A\u0000' }, '#/name'],
    ['an id that is none', { name: 'A', organizationId: '17' }, '#/organizationId'],
    ['an unknown field', { name: 'A', colour: 'red' }, '#/colour'],
  ])('400 for %s', async (_, body, pointer) => {
    const answer = await world.call('POST', '/api/contacts', body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
  });

  it('takes 50 custom fields and refuses 51', async () => {
    const fields = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, n]));
    expect((await world.contact({ name: 'A', customFields: fields(50) })).customFields).toEqual(fields(50));
    const answer = await world.call('POST', '/api/contacts', { name: 'A', customFields: fields(51) });
    expect(answer.status).toBe(400);
  });

  it('401, 403 and 404: without a caller, without the scope, for a foreign organization', async () => {
    const body = { name: 'Ada' };
    expect((await api.as()('POST', '/api/contacts', body)).status).toBe(401);
    expect((await world.as('member', ['contacts.read'])('POST', '/api/contacts', body)).status).toBe(403);
    const foreign = await world.call('POST', '/api/contacts', { ...body, organizationId: randomUUID() });
    expect([foreign.status, foreign.body.code]).toEqual([404, 'organization_not_found']);
  });

  it('403 for a caller bound to brands: contacts are the organization’s', async () => {
    const organizations = [{ id: world.organizationId, brandIds: [randomUUID()] }];
    const bound = api.as(api.identity.user({ organizations }));
    const { id } = await world.contact();
    expect((await bound('GET', '/api/contacts')).status).toBe(403);
    expect((await bound('GET', `/api/contacts/${id}`)).status).toBe(403);
    const named = { name: 'Ada', organizationId: world.organizationId };
    expect((await bound('POST', '/api/contacts', named)).status).toBe(403);
  });

  it('is created once per Idempotency-Key', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const first = await world.call('POST', '/api/contacts', FULL, key);
    const again = await world.call('POST', '/api/contacts', FULL, key);
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([
      201,
      first.body,
      'true',
    ]);
    expect((await world.call('POST', '/api/contacts', { name: 'B' }, key)).status).toBe(422);
    expect((await world.call('GET', '/api/contacts')).body.data).toHaveLength(1);
  });
});

describe('one address, several contacts', () => {
  const post = (email: string, query = '') => world.call('POST', `/api/contacts${query}`, { email });

  it('201 by default', async () => {
    expect((await post('info@example.com')).status).toBe(201);
    expect((await post('info@example.com')).status).toBe(201);
  });

  it('400 with the other one’s id when asked to reject, however it is spelled', async () => {
    const first = await post('Info@Example.com');
    for (const email of ['info@example.com', ' INFO@example.COM ', 'ｉｎｆｏ＠example.com']) {
      const answer = await post(email, '?onDuplicate=reject');
      expect([answer.status, answer.body.code]).toEqual([400, 'duplicate_contact']);
      expect(answer.body.contactId).toBe(first.body.id);
    }
    expect((await post('other@example.com', '?onDuplicate=reject')).status).toBe(201);
    expect((await post('a@example.com', '?onDuplicate=maybe')).status).toBe(400);
  });

  it('does not count deleted contacts or those of others', async () => {
    const { body } = await post('info@example.com');
    await world.call('DELETE', `/api/contacts/${body.id}`);
    await stranger()('POST', '/api/contacts', { email: 'info@example.com' });
    expect((await post('info@example.com', '?onDuplicate=reject')).status).toBe(201);
  });

  it('lets one of many through who reject at the same moment', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => post('same@example.com', '?onDuplicate=reject')),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(400)]);
  });
});

describe('GET /api/contacts', () => {
  it('200 newest first, page by page, with a total, only of the organization', async () => {
    await stranger()('POST', '/api/contacts', { name: 'Foreign' });
    for (const name of ['A', 'B', 'C']) await world.contact({ name });
    const names: string[] = [];
    let next = '/api/contacts?limit=2';
    for (const [size, hasMore] of [
      [2, true],
      [1, false],
    ] as const) {
      const { body, headers } = await world.call('GET', next);
      expect(body.pagination).toMatchObject({ limit: 2, hasMore, total: 3 });
      expect(body.data).toHaveLength(size);
      names.push(...body.data.map(({ name }: { name: string }) => name));
      next = /<(.+)>/.exec(headers.get('link') ?? '')?.[1] ?? '';
    }
    expect(names).toEqual(['C', 'B', 'A']);
    for (const query of ['', '&q=a']) {
      const { body } = await world.call('GET', `/api/contacts?includeTotal=false${query}`);
      expect(body.data.at(-1).name).toBe('A');
      expect(body.pagination).not.toHaveProperty('total');
    }
  });

  it('does not skip or repeat contacts when some are added between pages', async () => {
    for (const name of ['A', 'B', 'C']) await world.contact({ name });
    const first = (await world.call('GET', '/api/contacts?limit=2')).body;
    await world.contact({ name: 'D' });
    const cursor = first.pagination.nextCursor;
    const second = (await world.call('GET', `/api/contacts?limit=2&cursor=${cursor}`)).body;
    expect(second.data.map(({ name }: { name: string }) => name)).toEqual(['A']);
  });

  it('200 for any parameters', async () => {
    await world.contact();
    for (const query of [
      'limit=-7',
      'limit=x',
      'cursor=zzz',
      'page=x',
      'sort=;',
      'q=',
      'deleted=7',
      'a&&=',
    ]) {
      const answer = await world.call('GET', `/api/contacts?${query}`);
      expect([query, answer.status, answer.body.data?.length]).toEqual([query, 200, 1]);
    }
    expect((await world.call('GET', '/api/contacts?q=%00')).body.data).toEqual([]);
    for (const organizationId of ['x', randomUUID()]) {
      const answer = await world.call('GET', `/api/contacts?organizationId=${organizationId}`);
      expect([answer.status, answer.body.data, answer.body.pagination.total]).toEqual([200, [], 0]);
    }
  });

  it('shows all organizations of the caller, or the one asked for', async () => {
    const other = new ContactsWorld(api);
    await world.contact({ name: 'One' });
    await other.contact({ name: 'Other' });
    const organizations = [{ id: world.organizationId }, { id: other.organizationId }];
    const both = api.as(api.identity.user({ organizations }));
    const names = async (query: string) =>
      (await both('GET', `/api/contacts${query}`)).body.data.map(({ name }: { name: string }) => name);
    expect(await names('')).toEqual(['Other', 'One']);
    expect(await names(`?organizationId=${world.organizationId.toUpperCase()}`)).toEqual(['One']);
  });

  it('401 and 403', async () => {
    expect((await api.as()('GET', '/api/contacts')).status).toBe(401);
    expect((await world.as('member', ['contacts.write'])('GET', '/api/contacts')).status).toBe(403);
  });
});

describe('GET /api/contacts/{id}', () => {
  it('200 and 304', async () => {
    const contact = await world.contact();
    const answer = await world.call('GET', `/api/contacts/${contact.id.toUpperCase()}`);
    expect([answer.status, answer.body, answer.headers.get('etag')]).toEqual([200, contact, '"v1"']);
    const again = await world.call('GET', `/api/contacts/${contact.id}`, undefined, {
      'if-none-match': '"v1"',
    });
    expect(again.status).toBe(304);
  });

  it('404 in the same words for what is foreign, deleted or missing; 404 for what is no id', async () => {
    const [contact, deleted] = [await world.contact(), await world.contact()];
    await world.call('DELETE', `/api/contacts/${deleted.id}`);
    const said = async (call = world.call, id = '') => {
      const { status, body } = await call('GET', `/api/contacts/${id}`);
      return [status, body.code, body.title, body.detail];
    };
    const missing = await said(world.call, randomUUID());
    expect(missing.slice(0, 2)).toEqual([404, 'contact_not_found']);
    expect(await said(stranger(), contact.id)).toEqual(missing);
    expect(await said(world.call, deleted.id)).toEqual(missing);
    expect((await world.call('GET', '/api/contacts/17')).status).toBe(404);
  });

  it('401 and 403', async () => {
    const { id } = await world.contact();
    expect((await api.as()('GET', `/api/contacts/${id}`)).status).toBe(401);
    expect((await world.as('member', ['contacts.write'])('GET', `/api/contacts/${id}`)).status).toBe(403);
  });
});

describe('PUT /api/contacts/{id}', () => {
  const put = (id: string, body: object, headers = {}) =>
    world.call('PUT', `/api/contacts/${id}`, body, headers);

  it('200 changes what is sent, clears what is null, leaves the rest', async () => {
    const contact = await world.contact(FULL);
    const changes = { company: 'Tea & Co', jobTitle: null, tags: null, customFields: { language: 'en' } };
    const answer = await put(contact.id, changes);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ...contact,
      company: 'Tea & Co',
      jobTitle: null,
      tags: [],
      customFields: { language: 'en' },
      version: 2,
      updatedAt: answer.body.updatedAt,
    });
    expect(answer.headers.get('etag')).toBe('"v2"');
  });

  it('200 without a new version or an event when nothing changes', async () => {
    const contact = await world.contact(FULL);
    const { note, ...others } = FULL.customFields;
    const answer = await put(contact.id, { ...FULL, customFields: { note, ...others } });
    expect(answer.body).toEqual(contact);
    expect((await put(contact.id, {})).body).toEqual(contact);
    expect(await world.events(contact.id)).toHaveLength(1);
  });

  it('412 for the second of two updates with the same If-Match, sequential or concurrent', async () => {
    const contact = await world.contact();
    const first = await put(contact.id, { name: 'First' }, { 'if-match': '"v1"' });
    const second = await put(contact.id, { name: 'Second' }, { 'if-match': '"v1"' });
    expect([first.status, second.status, second.body.code]).toEqual([200, 412, 'version_mismatch']);
    expect(second.body.currentVersion).toBe(2);
    const both = await Promise.all(
      ['Third', 'Fourth'].map((name) => put(contact.id, { name }, { 'if-match': '"v2"' })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
    expect(await world.events(contact.id)).toHaveLength(3);
  });

  it('loses no update when many come at once', async () => {
    const contact = await world.contact();
    const fields = ['name', 'company', 'jobTitle', 'externalId'] as const;
    const answers = await Promise.all(fields.map((field) => put(contact.id, { [field]: `new ${field}` })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { body } = await world.call('GET', `/api/contacts/${contact.id}`);
    expect(body.version).toBe(5);
    for (const field of fields) expect(body[field]).toBe(`new ${field}`);
  });

  it('loses no update when more come at once than a change is tried', async () => {
    const contact = await world.contact();
    const titles = Array.from({ length: 60 }, (_, n) => `Title ${n}`);
    const answers = await Promise.all(titles.map((jobTitle) => put(contact.id, { jobTitle })));
    expect(answers.map(({ status }) => status)).toEqual(titles.map(() => 200));
    expect(new Set(answers.map(({ body }) => body.version)).size).toBe(titles.length);
  });

  it('400, 401, 403, 404', async () => {
    const { id } = await world.contact({ name: 'Ada' });
    const wrong = [
      { name: null },
      { name: '' },
      { name: 5 },
      { email: 'x' },
      { organizationId: randomUUID() },
      { tags: 1 },
    ];
    for (const body of wrong) expect([body, (await put(id, body)).status]).toEqual([body, 400]);
    const path = `/api/contacts/${id}`;
    expect((await api.as()('PUT', path, {})).status).toBe(401);
    expect((await world.as('member', ['contacts.read'])('PUT', path, { name: 'X' })).status).toBe(403);
    for (const headers of [{}, { 'if-match': '"v9"' }] as Record<string, string>[])
      expect((await stranger()('PUT', path, { name: 'X' }, headers)).status).toBe(404);
    for (const unknown of [randomUUID(), '17']) expect((await put(unknown, { name: 'X' })).status).toBe(404);
    await world.call('DELETE', path);
    expect((await put(id, { name: 'X' })).status).toBe(404);
  });
});

describe('DELETE /api/contacts/{id}', () => {
  it('200 sets the flag and keeps the record; it is found nowhere but among the deleted', async () => {
    const contact = await world.contact(FULL);
    const answer = await world.call('DELETE', `/api/contacts/${contact.id}`);
    expect([answer.status, answer.body]).toEqual([200, { id: contact.id, deleted: true, erased: false }]);
    expect((await world.call('GET', `/api/contacts/${contact.id}`)).status).toBe(404);
    expect((await world.call('GET', '/api/contacts')).body).toMatchObject({
      data: [],
      pagination: { total: 0 },
    });
    const deleted = (await world.call('GET', '/api/contacts?deleted=true')).body;
    expect(deleted.data).toEqual([
      { ...contact, deleted: true, version: 2, updatedAt: deleted.data[0].updatedAt },
    ]);
    expect(deleted.pagination.total).toBe(1);
  });

  it('401, 403, 404 and 412', async () => {
    const { id } = await world.contact();
    const path = `/api/contacts/${id}`;
    expect((await api.as()('DELETE', path)).status).toBe(401);
    expect((await world.as('member', ['contacts.read'])('DELETE', path)).status).toBe(403);
    expect((await stranger()('DELETE', path)).status).toBe(404);
    expect((await world.call('DELETE', path, undefined, { 'if-match': '"v7"' })).status).toBe(412);
    expect((await world.call('DELETE', path)).status).toBe(200);
    expect((await world.call('DELETE', path)).status).toBe(404);
    for (const unknown of [randomUUID(), '17'])
      expect((await world.call('DELETE', `/api/contacts/${unknown}`)).status).toBe(404);
  });
});

describe('POST /api/contacts/{id}/restore', () => {
  const restore = (id: string, headers = {}, call = world.call) =>
    call('POST', `/api/contacts/${id}/restore`, undefined, headers);

  it('200 brings it back as it was; again changes nothing', async () => {
    const contact = await world.contact(FULL);
    await world.call('DELETE', `/api/contacts/${contact.id}`);
    const answer = await restore(contact.id);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ...contact, version: 3, updatedAt: answer.body.updatedAt });
    expect((await restore(contact.id)).body).toEqual(answer.body);
    expect((await world.call('GET', `/api/contacts/${contact.id}`)).body).toEqual(answer.body);
  });

  it('happens once for one Idempotency-Key', async () => {
    const { id } = await world.contact();
    await world.call('DELETE', `/api/contacts/${id}`);
    const key = { 'idempotency-key': randomUUID() };
    const first = await restore(id, key);
    await world.call('DELETE', `/api/contacts/${id}`);
    const again = await restore(id, key);
    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first.body, 'true']);
    expect((await world.call('GET', `/api/contacts/${id}`)).status).toBe(404);
  });

  it('401, 403, 404 and 412', async () => {
    const { id } = await world.contact();
    await world.call('DELETE', `/api/contacts/${id}`);
    expect((await restore(id, {}, api.as())).status).toBe(401);
    expect((await restore(id, {}, world.as('member', ['contacts.read']))).status).toBe(403);
    expect((await restore(id, {}, stranger())).status).toBe(404);
    expect((await restore(randomUUID())).status).toBe(404);
    expect((await restore(id, { 'if-match': '"v1"' })).status).toBe(412);
  });
});

describe('DELETE /api/contacts/{id}?erase=true', () => {
  /** Names of tables that hold a row about the contact. */
  const rowsAbout = async (id: string): Promise<string[]> => {
    const tables = await api.test.database.query<{ name: string }>(
      `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.columns
       WHERE column_name = 'contact_id' AND table_schema IN ('contacts', 'pipelines') ORDER BY name`,
    );
    expect(tables.length).toBeGreaterThan(3);
    const held = async ({ name }: { name: string }) =>
      (await api.test.database.query(`SELECT FROM ${name} WHERE contact_id = $1`, [id])).length > 0;
    const holding = await Promise.all(tables.map(held));
    return tables.filter((_, index) => holding[index]).map(({ name }) => name);
  };
  const erase = (id: string, call = world.as('admin'), headers = {}) =>
    call('DELETE', `/api/contacts/${id}?erase=true`, undefined, headers);

  it('200 leaves nothing but the fact, whether it was deleted before or not', async () => {
    for (const deletedBefore of [false, true]) {
      const contact = await world.contact({ ...FULL, name: 'Unmistakable Person' });
      if (deletedBefore) await world.call('DELETE', `/api/contacts/${contact.id}`);
      const answer = await erase(contact.id, world.as(deletedBefore ? 'owner' : 'admin'));
      expect([answer.status, answer.body]).toEqual([200, { id: contact.id, deleted: true, erased: true }]);
      const rows = await api.test.database.query('SELECT FROM contacts.contact WHERE id = $1', [contact.id]);
      expect(rows).toEqual([]);
      expect((await world.events(contact.id)).at(-1)).toMatchObject({
        type: 'ContactErased',
        data: { contactId: contact.id },
      });
      expect((await erase(contact.id)).status).toBe(404);
      const restored = await world.call('POST', `/api/contacts/${contact.id}/restore`);
      expect(restored.status).toBe(404);
    }
  });

  it('deletes notes, cards and notes of moves', async () => {
    const { id } = await world.contact();
    await world.call('POST', `/api/contacts/${id}/notes`, { body: 'Likes pears' });
    const pipelineId = (await world.call('GET', '/api/pipeline')).body.data[0].id;
    const { stages } = (await world.call('GET', `/api/pipeline/${pipelineId}`)).body;
    const move = { stageId: stages[1].id, note: 'Met at the fair' };
    expect((await world.call('PUT', `/api/pipeline/${id}/move`, move)).status).toBe(200);
    expect(await rowsAbout(id)).not.toEqual([]);
    expect((await erase(id)).status).toBe(200);
    expect(await rowsAbout(id)).toEqual([]);
    expect((await world.call('GET', `/api/pipeline/${id}/history`)).status).toBe(404);
    expect(JSON.stringify(await world.events(id))).not.toMatch(/pears|fair/);
  });

  it('takes it out of the answers kept for repetition, and repeats no creation', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const person = { name: 'Once Only', email: 'once.only@example.com' };
    const { body } = await world.call('POST', '/api/contacts', person, key);
    await erase(body.id);
    const again = await world.call('POST', '/api/contacts', person, key);
    expect([again.status, again.body.code]).toEqual([404, 'contact_not_found']);
    const kept = await api.test.database.query(
      `SELECT FROM http.idempotent_request WHERE response::text ILIKE '%once%only%'`,
    );
    expect(kept).toEqual([]);
    expect((await world.call('GET', '/api/contacts')).body.data).toEqual([]);
  });

  it('403 for members, viewers and automations; 401, 404, 412', async () => {
    const { id } = await world.contact();
    for (const role of ['member', 'viewer', 'service']) {
      const answer = await erase(id, world.as(role));
      expect([answer.status, answer.body.code]).toEqual([403, 'erasing_needs_an_admin']);
    }
    expect((await erase(id, world.as('admin', ['contacts.read']))).status).toBe(403);
    expect((await erase(id, api.as())).status).toBe(401);
    expect((await erase(id, new ContactsWorld(api).as('owner'))).status).toBe(404);
    expect((await erase(randomUUID())).status).toBe(404);
    expect((await erase(id, world.as('admin'), { 'if-match': '"v7"' })).status).toBe(412);
    expect((await world.call('GET', `/api/contacts/${id}`)).status).toBe(200);
  });

  it('sets the flag only when it is not said in so many words', async () => {
    const { id } = await world.contact();
    const answer = await world.as('admin')('DELETE', `/api/contacts/${id}?erase=yes`);
    expect(answer.body).toEqual({ id, deleted: true, erased: false });
  });
});

describe('the log', () => {
  it('holds ids and names of fields, nothing of the person', async () => {
    const { id } = await world.contact(FULL);
    const path = `/api/contacts/${id}`;
    await world.call('PUT', path, {
      name: 'Jana Dvořáková',
      email: null,
      customFields: { secret: 'Sesame' },
    });
    await world.call('DELETE', path);
    await world.call('POST', `${path}/restore`);
    await world.as('owner')('DELETE', `${path}?erase=true`);
    const events = await world.events(id);
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['ContactCreated', { contactId: id, fields: Object.keys(FULL) }],
      ['ContactUpdated', { contactId: id, fields: ['name', 'email', 'customFields', 'additionalEmails'] }],
      ['ContactDeleted', { contactId: id }],
      ['ContactRestored', { contactId: id }],
      ['ContactErased', { contactId: id }],
    ]);
    const said = JSON.stringify(events);
    const words = [
      'Jana',
      'Dvo',
      'xample',
      'Acme',
      'Roasting',
      '420 601',
      'Prague',
      'Sesame',
      'language',
      'crm-4711',
    ];
    for (const word of words) expect(said).not.toContain(word);
    for (const { metadata } of events)
      expect(metadata).toMatchObject({ organizationId: world.organizationId, brandId: null });
  });

  it('feeds the audit of the organization, which others do not see', async () => {
    const { id } = await world.contact(FULL);
    await api.followed();
    const listed = async (call = world.call) =>
      (await call('GET', '/api/content-ops/events')).body.data.filter(
        (entry: { subjectId: string }) => entry.subjectId === id,
      );
    expect(await listed()).toMatchObject([{ kind: 'contact.created', organizationId: world.organizationId }]);
    expect(await listed(stranger())).toEqual([]);
  });
});

describe('changes of contacts that an import has locked', () => {
  it('leave connections to other organizations, and are made when it ends', async () => {
    const { token, organizationId } = api.person();
    const create = () => api.as(token)('POST', '/api/contacts', FULL);
    const contacts = await Promise.all(Array.from({ length: 12 }, create));
    const replica = await api.replica({ DATABASE_POOL_SIZE: '4' });
    const by = (bearer: string) => callOf(replica.url, { authorization: `Bearer ${bearer}` });
    const lock = await RowLock.by(
      api.test,
      'SELECT FROM contacts.contact WHERE organization_id = $1 FOR NO KEY UPDATE',
      [organizationId],
    );
    const changes = contacts.map(({ body: { id } }) =>
      by(token)('PUT', `/api/contacts/${id}`, { name: 'Max' }),
    );
    try {
      await lock.waitedFor();
      const lists = Array.from({ length: 8 }, () => by(api.person().token)('GET', '/api/contacts'));
      expect((await Promise.all(lists)).map(({ status }) => status)).toEqual(Array(8).fill(200));
    } finally {
      await lock.meanwhile([]);
    }
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(Array(12).fill(200));
    await replica.close();
  });
});
