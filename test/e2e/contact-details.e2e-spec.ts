import { BusinessApi } from '../support/business-api.js';
import { ContactsWorld } from '../support/contacts-world.js';
import { importing } from '../support/csv-import.js';

const NONE = { label: null, street: null, city: null, region: null, postalCode: null, country: null };

describe('the details of a contact', () => {
  let api: BusinessApi;
  let world: ContactsWorld;
  let token: string;

  beforeAll(async () => {
    api = await BusinessApi.start();
  });
  afterAll(() => api.stop());
  beforeEach(() => {
    world = new ContactsWorld(api);
    const organizations = [{ id: world.organizationId, role: 'owner' }];
    token = api.identity.user({ organizations });
  });

  const full = {
    name: 'Jana Nováková',
    email: 'jana@example.com',
    additionalEmails: ['j.novakova@acme.cz', 'Jana@Home.cz'],
    addresses: [{ ...NONE, label: 'Office', street: 'Dlouhá 12', city: 'Prague', postalCode: '110 00' }],
    birthday: '--05-12',
    department: 'Roastery',
    websites: ['https://acme.cz', 'jana.example'],
  };
  const bring = (file: string, more: object = {}) => importing(api.service.url, token, { file, ...more });
  const list = async () => (await world.call('GET', '/api/contacts')).body.data as Record<string, unknown>[];

  it('are kept, changed by name in the log, and cleared by null', async () => {
    const { id } = await world.contact(full);
    expect((await world.call('GET', `/api/contacts/${id}`)).body).toMatchObject(full);
    const same = {
      addresses: [{ postalCode: '110 00', label: 'Office', city: 'Prague', street: 'Dlouhá 12' }],
    };
    expect((await world.call('PUT', `/api/contacts/${id}`, same)).body.version).toBe(1);
    const cleared = { email: null, birthday: null, addresses: null, websites: [] };
    expect((await world.call('PUT', `/api/contacts/${id}`, cleared)).body).toMatchObject({
      email: 'j.novakova@acme.cz',
      additionalEmails: ['Jana@Home.cz'],
      birthday: null,
      addresses: [],
      websites: [],
      department: 'Roastery',
    });
    const [, updated] = await world.events(id);
    expect(updated?.data).toEqual({
      contactId: id,
      fields: ['email', 'additionalEmails', 'addresses', 'birthday', 'websites'],
    });
  });

  it.each([
    [{ additionalEmails: ['nobody'] }, '#/additionalEmails'],
    [{ birthday: '1990-02-30' }, '#/birthday'],
    [{ websites: ['javascript:alert(1)'] }, '#/websites'],
    [{ addresses: [{ city: 7 }] }, '#/addresses/0/city'],
    [{ addresses: 'Prague' }, '#/addresses'],
    [{ addresses: [null] }, '#/addresses'],
  ])('refuse %j', async (fields, pointer) => {
    const { status, body } = await world.call('POST', '/api/contacts', { name: 'Jana', ...fields });
    expect([status, body.errors[0].pointer]).toEqual([400, expect.stringContaining(pointer)]);
  });

  it('are unchanged by export and import, and complete in another organization', async () => {
    await world.contact(full);
    await world.contact({ name: 'Max', addresses: [{ ...NONE, street: '=1+1; "x"' }] });
    const { text } = await world.call('GET', '/api/contacts/export');
    expect((await bring(text)).body).toMatchObject({
      totals: { unchanged: 2 },
      errors: [],
      unmappedColumns: [],
    });
    const other = api.person();
    const copied = await importing(api.service.url, other.token, { file: text });
    expect(copied.body.totals).toMatchObject({ created: 2 });
    const copies = (await api.as(other.token)('GET', '/api/contacts')).body.data as object[];
    expect(copies).toContainEqual(expect.objectContaining(full));
  });

  it('are not columns of an export where no contact has any', async () => {
    await world.contact({ name: 'Max' });
    const { text } = await world.call('GET', '/api/contacts/export');
    expect(text.split('\r\n')[0]).toBe('name,email,company,jobTitle,phones,tags,externalId,id');
  });

  it('find a contact by any of its addresses, and add to them', async () => {
    const { id } = await world.contact(full);
    const { body } = await bring('name,email,Email 2\nJana N.,JANA@home.cz,new@example.com\n');
    expect(body.totals).toMatchObject({ updated: 1, created: 0 });
    expect((await world.call('GET', `/api/contacts/${id}`)).body).toMatchObject({
      name: 'Jana N.',
      email: 'jana@example.com',
      additionalEmails: ['j.novakova@acme.cz', 'Jana@Home.cz', 'new@example.com'],
    });
    const duplicate = await world.call('POST', '/api/contacts?onDuplicate=reject', {
      email: 'new@example.com',
    });
    expect(duplicate.body).toMatchObject({ code: 'duplicate_contact', contactId: id });
  });

  it('bring notes in as notes, once', async () => {
    const file = 'name,email,Notes\nJana,jana@example.com,"First\nline"\nMax,max@example.com,\n';
    expect((await bring(file)).body.totals).toMatchObject({ created: 2 });
    expect((await bring(file)).body.totals).toMatchObject({ unchanged: 2 });
    const more = 'email,Notes\njana@example.com,Second\n';
    expect((await bring(more, { options: { dryRun: true } })).body.totals).toMatchObject({ updated: 1 });
    expect((await bring(more)).body.totals).toMatchObject({ updated: 1 });
    const jana = (await list()).find(({ name }) => name === 'Jana');
    const notes = await world.call('GET', `/api/contacts/${jana?.['id'] as string}/notes`);
    expect(notes.body.data.map(({ body }: { body: string }) => body).sort()).toEqual([
      'First\nline',
      'Second',
    ]);
  });

  it('keep no failed row of an erased contact by an additional address', async () => {
    const { id } = await world.contact(full);
    const { body } = await bring('name,email,x\nSomebody,j.novakova@acme.cz,1,too many\n');
    expect(body.totals).toMatchObject({ failed: 1 });
    await api.as(token)('DELETE', `/api/contacts/${id}?erase=true`);
    const { text } = await world.call('GET', `/api/contacts/imports/${body.importId as string}/failed-rows`);
    expect(text).not.toContain('acme.cz');
  });
});
