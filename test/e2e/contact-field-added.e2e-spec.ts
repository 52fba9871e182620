import { randomBytes, randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { FakeIdentity, type ServedIdentity, serveFakeIdentity } from '#libs/platform-client/testing';
import { type Call, callOf } from '../support/call.js';
import { importing } from '../support/csv-import.js';
import { sharedStorage } from '../support/object-storage.js';
import { type SpawnedEntry, spawnEntry } from '../support/spawn-entry.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const FIELDS = fileURLToPath(new URL('../support/fictional/fictional-contact-fields.mjs', import.meta.url));
/** What the migration of such fields does. */
const MIGRATION = [
  `ALTER TABLE contacts.contact ADD COLUMN nickname text, ADD COLUMN languages text[] NOT NULL DEFAULT '{}'`,
  'ALTER TABLE contacts.import_row ADD COLUMN nickname text, ADD COLUMN languages text[]',
  'ALTER TABLE contacts.import_contact ADD COLUMN nickname text, ADD COLUMN languages text[]',
];

describe('a contact field that is an entry of the table of fields and a migration', () => {
  let test: TestDatabase;
  let identity: ServedIdentity;
  let api: SpawnedEntry;
  let token: string;
  let call: Call;

  beforeAll(async () => {
    test = await createTestDatabase();
    for (const statement of MIGRATION) await test.database.query(statement);
    const fake = new FakeIdentity();
    identity = await serveFakeIdentity(fake);
    token = fake.user({ organizations: [{ id: randomUUID() }] });
    api = await spawnEntry('dist/src/main.js', {
      ...{ ...test.environment, IDENTITY_URL: identity.url, ...sharedStorage() },
      ...{ API_PORT: '0', API_MANAGEMENT_PORT: '0', LOG_LEVEL: 'silent' },
      ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
      MEDIA_ADDRESS_KEYS: `test:${randomBytes(32).toString('base64')}`,
      INTERNAL_SERVICE_TOKEN: randomBytes(32).toString('hex'),
      NODE_OPTIONS: `--import=${FIELDS}`,
    });
    call = callOf(api.url, { authorization: `Bearer ${token}` });
  });
  afterAll(async () => {
    api.process.kill('SIGKILL');
    await identity.close();
    await test.drop();
  });

  const bring = async (row: string) =>
    (await importing(api.url, token, { file: `Name,E-Mail,Spitzname,Sprachen\n${row}\n` })).body;
  const only = async () => (await call('GET', '/api/contacts?q=eva')).body.data[0];

  it('is validated, stored, changed and shown', async () => {
    const given = { name: 'Jana', nickname: ' Janka ', languages: ['cs', 'de', 'cs'] };
    const { status, body } = await call('POST', '/api/contacts', given);
    expect([status, body.nickname, body.languages]).toEqual([201, 'Janka', ['cs', 'de']]);
    const changed = await call('PUT', `/api/contacts/${body.id}`, { nickname: null });
    expect(changed.body).toMatchObject({ name: 'Jana', nickname: null, languages: ['cs', 'de'], version: 2 });
    for (const [field, value] of [
      ['nickname', 'x'.repeat(41)],
      ['languages', ['a', 'b', 'c', 'd']],
    ] as const) {
      const refused = await call('POST', '/api/contacts', { name: 'Jana', [field]: value });
      expect([refused.status, refused.body.errors]).toEqual([
        400,
        [expect.objectContaining({ pointer: `#/${field}` })],
      ]);
    }
  });

  it('is recognized, imported, merged and exported', async () => {
    const first = await bring('Eva,eva@example.com,Evi,cs; de');
    expect(first).toMatchObject({ totals: { created: 1 }, unmappedColumns: [] });
    expect(await only()).toMatchObject({ nickname: 'Evi', languages: ['cs', 'de'] });
    expect((await bring('Eva,eva@example.com,,DE; fr')).totals).toMatchObject({ updated: 1 });
    expect(await only()).toMatchObject({ nickname: 'Evi', languages: ['cs', 'de', 'fr'] });
    const tooMany = await bring('Eva,eva@example.com,Eve,it');
    expect([tooMany.totals.failed, tooMany.errors[0].code]).toEqual([1, 'limit_exceeded']);
    const { text } = await call('GET', '/api/contacts/export?q=eva');
    expect(text.split('\r\n').slice(0, 2)).toEqual([
      expect.stringMatching(/externalId,nickname,languages,id$/),
      expect.stringMatching(/^Eva,eva@example\.com,.*,Evi,"cs; de; fr",[0-9a-f-]{36}$/),
    ]);
    const again = await importing(api.url, token, { file: text });
    expect(again.body.totals).toMatchObject({ rowsRead: 1, unchanged: 1 });
  });

  it('is documented in requests and responses', async () => {
    const { schemas } = (await call('GET', '/openapi.json')).body.components;
    const text = { type: ['string', 'null'], example: 'Evi' };
    for (const schema of ['CreateContactDto', 'UpdateContactDto'])
      expect(schemas[schema].properties).toMatchObject({
        nickname: { ...text, maxLength: 40 },
        languages: { type: ['array', 'null'], maxItems: 3, items: { type: 'string', maxLength: 20 } },
      });
    expect(schemas.ContactDto.properties).toMatchObject({
      nickname: text,
      languages: { type: 'array', items: { type: 'string' } },
    });
  });
});
