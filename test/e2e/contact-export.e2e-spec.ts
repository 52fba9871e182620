import { randomBytes } from 'node:crypto';
import { BusinessApi } from '../support/business-api.js';
import { importing } from '../support/csv-import.js';
import { Documented } from '../support/documented.js';

describe('exporting contacts', () => {
  let api: BusinessApi;
  let documented: Documented;
  let person: ReturnType<BusinessApi['person']>;

  beforeAll(async () => {
    api = await BusinessApi.start();
    documented = await Documented.by(api.service.url);
  });
  afterAll(() => api.stop());
  beforeEach(() => {
    person = api.person();
  });

  async function get(query = '', token = person.token) {
    const answer = await api.as(token)('GET', `/api/contacts/export${query}`);
    documented.check('get /api/contacts/export', answer);
    return answer;
  }
  /** fetch takes the mark off. */
  const lines = async (query = '') => (await get(query)).text.split('\r\n');
  const create = async (contact: object): Promise<{ id: string }> =>
    (await api.as(person.token)('POST', '/api/contacts', contact)).body;

  it('is a file named by the day, in UTF-8 with a mark and CRLF', async () => {
    const { id } = await create({ name: 'Jürgen "J" Doe', company: 'a\nb' });
    const response = await fetch(`${api.service.url}/api/contacts/export`, {
      headers: { authorization: `Bearer ${person.token}` },
    });
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="contacts-\d{4}-\d\d-\d\d\.csv"$/,
    );
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.toString('utf8')).toBe(
      `\ufeffname,email,company,jobTitle,phones,tags,externalId,id\r\n"Jürgen ""J"" Doe",,"a\nb",,,,,${id}\r\n`,
    );
  });

  it('is in the audit of its organization only, without the search text', async () => {
    await create({ name: 'Zdeněk Unikát' });
    await get('?q=unikat&raw=true');
    await api.followed();
    const exported = async (token: string) =>
      (await api.as(token)('GET', '/api/content-ops/events')).body.data.filter(
        ({ kind }: { kind: string }) => kind === 'contact_export.contacts_exported',
      );
    const entries = await exported(person.token);
    expect(entries).toMatchObject([
      {
        organizationId: person.organizationId,
        actor: { id: person.id },
        details: { deleted: false, searched: true, raw: true },
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain('unikat');
    expect(await exported(api.person().token)).toEqual([]);
  });

  it('is unchanged by an import, and complete in another organization', async () => {
    const contacts = [
      {
        name: '=HYPERLINK("x")',
        email: '+jane@example.com',
        company: 'Acme, "Inc"',
        jobTitle: 'CEO\r\nand more',
        phones: ['+49 30 1', 'a;b'],
        tags: ['x', '* y', '[z'],
        externalId: '007',
        customFields: {
          seats: 5,
          plan: 'pro',
          note: null,
          yes: true,
          five: '5',
          'odd "key", (2) $1': "it's",
          space: ' x ',
          '@twitter': '@jane',
          'jane@example.com': 'hers',
          hardSpace: 'abc\u00a0',
          mark: '\ufeffx',
          unseen: '\u200b',
          filler: '\u3164',
          smile: 'so 😀',
        },
      },
      {
        name: "'=1+1",
        email: null,
        company: "O'Neill",
        jobTitle: '-2+3',
        phones: ['+1 555'],
        tags: ['+a', 'b'],
        externalId: '@x',
        customFields: { plan: '=1', five: '＝5', seats: -1 },
      },
    ];
    for (const contact of contacts) await create(contact);
    const file = (await get()).text;
    const again = await importing(api.service.url, person.token, { file });
    expect(again.body).toMatchObject({
      totals: { rowsRead: 2, unchanged: 2 },
      unmappedColumns: [],
      errors: [],
    });
    const other = api.person();
    const copy = await importing(api.service.url, other.token, { file });
    expect(copy.body).toMatchObject({ totals: { rowsRead: 2, created: 2 } });
    const copies = (await api.as(other.token)('GET', '/api/contacts')).body.data as object[];
    expect(copies.reverse()).toEqual(contacts.map((contact) => expect.objectContaining(contact)));
  });

  it('guards against formulas, but no number and no phone', async () => {
    await create({ name: '=1+1', company: '@SUM(1)', jobTitle: '-5', phones: ['+49 30 1', '+49 30 2'] });
    expect((await lines())[1]).toMatch(/^'=1\+1,,'@SUM\(1\),-5,"\+49 30 1; \+49 30 2",,,/);
    expect((await lines('?raw=true'))[1]).toMatch(/^=1\+1,,@SUM\(1\),-5,/);
  });

  it('has the filters of the list', async () => {
    await create({ name: 'Jana', tags: ["it's"] });
    const { id } = await create({ name: 'Max' });
    await api.as(person.token)('DELETE', `/api/contacts/${id}`);
    expect(await lines()).toEqual([expect.any(String), expect.stringContaining('Jana'), '']);
    expect(await lines('?deleted=true')).toEqual([expect.any(String), expect.stringContaining('Max'), '']);
    for (const q of ['jan', 'ana', "it's", 'jama']) {
      expect(await lines(`?q=${q}`)).toEqual([expect.any(String), expect.stringContaining('Jana'), '']);
    }
    expect(await lines('?q=nobody')).toHaveLength(2);
    expect(await lines(`?organizationId=${api.person().organizationId}`)).toHaveLength(2);
    expect((await get('?q=%00%27;&organizationId=nonsense&deleted=maybe&raw=maybe')).status).toBe(200);
  });

  it('covers many pages, in the order of the imported file', async () => {
    const names = Array.from({ length: 10_500 }, (_, n) => `Person ${n}`);
    await importing(api.service.url, person.token, {
      file: `name,email\n${names.map((name) => `${name},\n`).join('')}`,
    });
    expect((await lines()).slice(1, -1).map((line) => line.split(',')[0])).toEqual(names);
  });

  it('makes small pages of large contacts, and loses none of them', async () => {
    const large = Object.fromEntries(
      Array.from({ length: 50 }, (_, n) => [`field${n}`, randomBytes(500).toString('hex')]),
    );
    for (let n = 0; n < 60; n += 1) await create({ name: `Large ${n}`, customFields: large });
    const rows = (await lines()).slice(1, -1);
    expect(rows.map((line) => line.split(',')[0])).toEqual(rows.map((_, n) => `Large ${n}`));
    expect(rows).toHaveLength(60);
  });

  it('puts all custom fields in one column when there are too many', async () => {
    for (let n = 0; n < 11; n += 1) {
      const customFields = Object.fromEntries(
        Array.from({ length: 50 }, (_, key) => [`key ${n} ${key}`, 'x']),
      );
      await create({ name: `Person ${n}`, customFields });
    }
    const { text } = await get();
    expect(text).toContain('externalId,customFields,id\r\n');
    expect((await importing(api.service.url, person.token, { file: text })).body.totals).toMatchObject({
      unchanged: 11,
    });
  });

  it('requires a caller and returns only contacts of the organization', async () => {
    await create({ name: 'Jana' });
    expect((await get('', api.person().token)).text.split('\r\n')).toHaveLength(2);
    expect((await api.as()('GET', '/api/contacts/export')).status).toBe(401);
    expect((await get('', api.person(undefined, ['contacts.write']).token)).status).toBe(403);
  });
});
