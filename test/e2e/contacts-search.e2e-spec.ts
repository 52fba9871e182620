import fc from 'fast-check';
import { rowIds } from '../../src/contacts/csv/import/staging.js';
import { BusinessApi } from '../support/business-api.js';
import { ContactsWorld } from '../support/contacts-world.js';

const PEOPLE = [
  {
    name: 'Jana Nováková',
    email: 'jana.novakova+news@acme.co.uk',
    company: 'Bäckerei Größe',
    tags: ['Zákazník'],
  },
  { name: 'Anna Schmidt', email: 'a_schmidt@example.com', company: 'acme.com', tags: ['2024-11', 'VIP'] },
  { name: 'Иван Петров', company: 'Яндекс', tags: ['клиент'] },
  { name: '山田太郎', company: '株式会社例え', tags: ['顧客'] },
  { name: '김철수', company: '삼성전자' },
  { name: 'Σοφία Παπαδοπούλου', company: 'Καφές' },
  { name: 'محمد الأحمد', company: 'شركة' },
  { name: 'दीपिका शर्मा', company: 'कॉफ़ी' },
  { name: "Conan O'Brien", company: 'AT&T' },
  { email: 'info@beispiel.de', company: 'Anna & Söhne GmbH' },
  { name: '１２３ Ｆｕｌｌｗｉｄｔｈ' },
  { name: 'Γιώργος Παπάς' },
  { name: 'كَرِيم عليـــى', company: 'می\u200cخواهم' },
  { name: 'שָׁלוֹם כהן' },
  { name: 'Zero\u200bwidth' },
  {
    name: 'Dana Phone',
    phones: ['+420 601 123 456', '(030) 98765-43'],
    jobTitle: 'Quartermaster',
    externalId: 'CRM-00417',
    department: 'Stores',
    additionalEmails: ['dana@second.example'],
  },
];

describe('searching contacts', () => {
  let api: BusinessApi;
  let world: ContactsWorld;
  beforeAll(async () => {
    api = await BusinessApi.start();
    world = new ContactsWorld(api);
    for (const person of PEOPLE) await world.contact(person);
    await new ContactsWorld(api).contact({ name: 'Jana Elsewhere', email: 'jana@acme.co.uk' });
  });
  afterAll(() => api.stop());

  it.each([
    // accents and case
    ['novakova', 'Jana Nováková'],
    ['NOVÁKOVÁ', 'Jana Nováková'],
    ['zakaznik', 'Jana Nováková'],
    ['backerei grosse', 'Jana Nováková'],
    ['backerei größe', 'Jana Nováková'],
    // any order, any field, the last word as a beginning
    ['nova jana', 'Jana Nováková'],
    ['nováková ja', 'Jana Nováková'],
    ['jana bäck', 'Jana Nováková'],
    ['vip schm', 'Anna Schmidt'],
    // an address, whole and in parts
    ['jana.novakova+news@acme.co.uk', 'Jana Nováková'],
    ['JANA.NOVAKOVA+NEWS@ACME.CO.UK', 'Jana Nováková'],
    ['novakova@acme', 'Jana Nováková'],
    ['news acme', 'Jana Nováková'],
    ['beispiel.de', 'info@beispiel.de'],
    ['beispiel', 'info@beispiel.de'],
    ['a_sch', 'Anna Schmidt'],
    // what other parsers keep whole
    ['2024-11', 'Anna Schmidt'],
    ['11 2024', 'Anna Schmidt'],
    ['o brien', "Conan O'Brien"],
    ["o'brien", "Conan O'Brien"],
    ['at&t', "Conan O'Brien"],
    // other scripts
    ['иван', 'Иван Петров'],
    ['ПЕТРОВ', 'Иван Петров'],
    ['клиент янд', 'Иван Петров'],
    ['山田', '山田太郎'],
    ['太郎', '山田太郎'],
    ['田太', '山田太郎'],
    ['郎', '山田太郎'],
    ['会社 太郎', '山田太郎'],
    ['김철', '김철수'],
    ['전자', '김철수'],
    ['σοφια', 'Σοφία Παπαδοπούλου'],
    ['ΠΑΠΑΔ', 'Σοφία Παπαδοπούλου'],
    ['محمد', 'محمد الأحمد'],
    ['दीपिका', 'दीपिका शर्मा'],
    ['123 full', '１２３ Ｆｕｌｌｗｉｄｔｈ'],
    // forms of one word
    ['ΓΙΩΡΓΟΣ', 'Γιώργος Παπάς'],
    ['παπας', 'Γιώργος Παπάς'],
    ['كريم', 'كَرِيم عليـــى'],
    ['عليى', 'كَرِيم عليـــى'],
    ['میخواهم', 'كَرِيم عليـــى'],
    ['می\u200cخواهم', 'كَرِيم عليـــى'],
    ['שלום', 'שָׁלוֹם כהן'],
    ['nova\u2060kova', 'Jana Nováková'],
    ['zerowidth', 'Zero\u200bwidth'],
    ['zero\u200bwi', 'Zero\u200bwidth'],
    ['nova\u200bkova', 'Jana Nováková'],
    // a phone number, however it is written
    ['+420 601 123 456', 'Dana Phone'],
    ['00420601123456', 'Dana Phone'],
    ['601123456', 'Dana Phone'],
    ['601 123 4', 'Dana Phone'],
    ['030 9876543', 'Dana Phone'],
    ['+49 30 9876543', 'Dana Phone'],
    ['+49 30 9876544', null],
    // job title, department and external id
    ['quartermaster', 'Dana Phone'],
    ['dana quarter', 'Dana Phone'],
    ['stores', 'Dana Phone'],
    ['dana@second.example', 'Dana Phone'],
    ['crm-00417', 'Dana Phone'],
    ['CRM 00417', 'Dana Phone'],
    // inside of words
    ['vakov', 'Jana Nováková'],
    ['hmid', 'Anna Schmidt'],
    ['ispie', 'info@beispiel.de'],
    ['етро', 'Иван Петров'],
    // typos
    ['shmidt', 'Anna Schmidt'],
    ['schmitd', 'Anna Schmidt'],
    ['schmydt anna', 'Anna Schmidt'],
    ['novakowa', 'Jana Nováková'],
    ['петрав', 'Иван Петров'],
    ['παπαδοπουλυ', 'Σοφία Παπαδοπούλου'],
  ])('%s finds only %s', async (q, name) => {
    expect([q, await world.found(q)]).toEqual([q, name === null ? [] : [name]]);
  });

  it.each(['nobody', 'jana schmidt', 'jana elsewhere', '&', '🐢', "'", '%', '_', '"', '()', '- -', '.', 'ф'])(
    '%s finds no contact',
    async (q) => expect([q, await world.found(q)]).toEqual([q, []]),
  );

  it('ranks a name above a company, and a whole word above a prefix', async () => {
    expect(await world.found('anna')).toEqual(['Anna Schmidt', 'info@beispiel.de']);
    const ranked = new ContactsWorld(api);
    await ranked.contact({ name: 'Other Person', tags: ['berlin'] });
    await ranked.contact({ name: 'Berlin', company: 'Berlin' });
    await ranked.contact({ name: 'Some Person', company: 'Berlin' });
    expect(await ranked.found('berlin')).toEqual(['Berlin', 'Some Person', 'Other Person']);
  });

  it('ranks the typed spelling of a name above other spellings', async () => {
    const some = new ContactsWorld(api);
    for (const name of ['Petr Müller', 'Mueller Petra', 'Paul Muller', 'Søren', 'Soeren'])
      await some.contact({ name });
    const [first, ...others] = await some.found('mueller');
    expect([first, others.sort()]).toEqual(['Mueller Petra', ['Paul Muller', 'Petr Müller']]);
    expect((await some.found('müller')).at(-1)).toBe('Mueller Petra');
    expect((await some.found('mueller p')).length).toBe(3);
    expect(await some.found('soeren')).toEqual(['Soeren', 'Søren']);
  });

  it.each([
    ['2345678', ['By id', 'By longer phone', 'By phone']],
    ['+49 171 2345678', ['By phone', 'By longer phone']],
    ['0049 (0)171 234-5678', ['By phone', 'By longer phone']],
    ['171/2345678', ['By phone', 'By longer phone']],
    ['0049301234567', ['In Berlin']],
    ['030 1234567', ['In Berlin']],
    ['2345678 9', ['By longer phone']],
    ['23456', ['By id', 'In Berlin', 'By longer phone', 'By phone']],
  ])('finds phone numbers and words together, exact matches first: %s', async (q, names) => {
    const some = new ContactsWorld(api);
    await some.contact({ name: 'By phone', phones: ['0171/2345678'] });
    await some.contact({ name: 'By longer phone', phones: ['0160 1', '0171 2345678 99'] });
    await some.contact({ name: 'By id', externalId: '2345678' });
    await some.contact({ name: 'In Berlin', phones: ['+49 (0)30 1234567'] });
    await some.contact({ name: 'In an address', email: 'x2345678901712345678y@example.com' });
    expect(await some.found(q)).toEqual(names);
  });

  it('does not search prefixes where a contact has the whole word', async () => {
    const some = new ContactsWorld(api);
    for (const name of ['Ann', 'Hannes', 'Anne']) await some.contact({ name });
    expect((await some.found('ann')).sort()).toEqual(['Ann', 'Anne']);
    expect(await some.found('anne')).toEqual(['Anne']);
  });

  it('returns each contact once, page by page, while contacts are added', async () => {
    const many = new ContactsWorld(api);
    for (let n = 0; n < 7; n += 1) await many.contact({ name: `Twin ${n}`, tags: n % 2 ? ['twin'] : [] });
    const seen: string[] = [];
    let next = '/api/contacts?q=twin&limit=2';
    for (let pages = 0; next !== ''; pages += 1) {
      const { body, headers } = await many.call('GET', next);
      if (pages === 0) expect(body.pagination).toMatchObject({ limit: 2, hasMore: true, total: 7 });
      seen.push(...body.data.map(({ name }: { name: string }) => name));
      await many.contact({ name: `Twin of page ${pages}`, tags: ['twin'], company: 'Twin' });
      next = /<(.+)>/.exec(headers.get('link') ?? '')?.[1] ?? '';
      expect(pages).toBeLessThan(10);
    }
    expect(seen.filter((name) => /^Twin \d$/.test(name)).sort()).toEqual(
      Array.from({ length: 7 }, (_, n) => `Twin ${n}`),
    );
    expect(new Set(seen).size).toBe(seen.length);
  });

  it.each(['words', 'parts', 'typos'])('continues with %s on later pages', async (kind) => {
    const q = { words: 'gruber', parts: 'rube', typos: 'grubre' }[kind];
    const many = new ContactsWorld(api);
    for (let n = 0; n < 5; n += 1) await many.contact({ name: `Gruber ${n}` });
    const first = (await many.call('GET', `/api/contacts?limit=3&q=${q}`)).body;
    const cursor = first.pagination.nextCursor;
    const second = (await many.call('GET', `/api/contacts?limit=3&q=${q}&cursor=${cursor}`)).body;
    const names = [...first.data, ...second.data].map(({ name }: { name: string }) => name);
    expect(names).toEqual([4, 3, 2, 1, 0].map((n) => `Gruber ${n}`));
    expect(second.pagination).toMatchObject({ hasMore: false, nextCursor: null, total: 5 });
    const other = (await many.call('GET', `/api/contacts?limit=3&q=gruber 1&cursor=${cursor}`)).body;
    expect(other.data).toHaveLength(1);
  });

  describe('among more than a thousand', () => {
    const NAMED = ['Qwertz', 'Mr Qwertz'];
    let namesakes: ContactsWorld;
    beforeAll(async () => {
      namesakes = new ContactsWorld(api);
      const add = (name: string, email: string, company: string | null, [from, to]: [number, number]) => {
        const ids = Array.from({ length: to - from + 1 }, (_, n) => n).map(rowIds());
        return api.test.database.query(
          `INSERT INTO contacts.contact (id, organization_id, name, email, email_key, company)
           SELECT id, $1, $2 || n, $3 || n || '@a.example', $3 || n || '@a.example', $4
           FROM unnest($5::uuid[]) WITH ORDINALITY AS one (id, nth), LATERAL (SELECT nth + $6::int - 1) AS two (n)`,
          [namesakes.organizationId, name, email, company, ids, from],
        );
      };
      await add('Person ', 'person', 'Qwertz', [1, 600]);
      await namesakes.contact({ name: NAMED[0] });
      await namesakes.contact({ name: 'With an address', email: 'qwertz@b.example' });
      await add('Person ', 'person', 'Qwertz', [601, 1_200]);
      await namesakes.contact({ name: NAMED[1], company: 'Elsewhere' });
      await add('Yxcvb ', 'namesake', null, [1, 1_100]);
    });

    const pages = async (q: string, meanwhile?: () => Promise<unknown>) => {
      const names: string[] = [];
      let next = `/api/contacts?q=${q}&limit=100`;
      while (next !== '') {
        const { body, headers } = await namesakes.call('GET', next);
        expect(body.pagination).not.toHaveProperty('total');
        names.push(...body.data.map(({ name }: { name: string }) => name));
        expect(names.length).toBeLessThanOrEqual(1_000);
        next = /<(.+)>/.exec(headers.get('link') ?? '')?.[1] ?? '';
        await meanwhile?.();
      }
      return names;
    };

    it.each(['qwertz', 'qwer'])(
      'returns contacts with the word in the name first, then in the address: %s',
      async (q) => {
        const [first, second, third, ...others] = await namesakes.found(q, '&limit=10');
        expect([first, second].sort()).toEqual(NAMED.toSorted());
        expect([third, others.length]).toEqual(['With an address', 7]);
      },
    );

    it('returns the same thousand, without duplicates, while contacts are added', async () => {
      const names = await pages('qwertz', () => namesakes.contact({ name: 'Came later', company: 'Qwertz' }));
      expect(names).toHaveLength(1_000);
      expect(new Set(names).size).toBe(1_000);
      expect(names).not.toContain('Came later');
      expect(await pages('qwertz')).toEqual(names);
    });

    it('returns contacts with the word in the name first, with a typo', async () => {
      const [first, second] = await namesakes.found('qwretz');
      expect([first, second].sort()).toEqual(NAMED.toSorted());
    });

    it.each(['yxcvb', 'yxvcb'])('returns a thousand namesakes without duplicates: %s', async (q) => {
      const names = await pages(q);
      expect([names.length, new Set(names).size]).toEqual([1_000, 1_000]);
      for (const name of names) expect(name).toMatch(/^Yxcvb/);
    });

    it('returns a thousand without duplicates, by parts', async () => {
      const names = await pages('wertz');
      expect([names.length, new Set(names).size]).toEqual([1_000, 1_000]);
    });
  });

  it('finds an address by either form of its domain, and one contact of each of several organizations', async () => {
    const [world, other] = [new ContactsWorld(api), new ContactsWorld(api)];
    await world.contact({ name: 'Plain', email: 'b@müller.example' });
    await world.contact({ name: 'Punycode', email: 'c@xn--mller-kva.example' });
    await other.contact({ name: 'Other', email: 'd@müller.example' });
    for (const q of ['müller.example', 'xn--mller-kva.example'])
      expect((await world.found(q)).toSorted()).toEqual(['Plain', 'Punycode']);
    const organizations = [world, other].map(({ organizationId: id }) => ({ id, role: 'member' }));
    const both = api.as(api.identity.user({ organizations }));
    for (const q of ['müller.example', 'ller.example', 'mullar.example']) {
      const { body } = await both('GET', `/api/contacts?q=${encodeURIComponent(q)}`);
      expect(body.data.map(({ name }: { name: string }) => name).toSorted()).toEqual([
        'Other',
        'Plain',
        'Punycode',
      ]);
    }
  });

  it('finds contacts at once after a write, and none that was changed, deleted or belongs to another organization', async () => {
    const some = new ContactsWorld(api);
    const contact = await some.contact({ name: 'Zdeněk Unikát' });
    expect(await some.found('zdenek')).toEqual(['Zdeněk Unikát']);
    await some.call('PUT', `/api/contacts/${contact.id}`, { name: 'Bohumil Unikát' });
    expect(await some.found('zdenek')).toEqual([]);
    await some.call('DELETE', `/api/contacts/${contact.id}`);
    expect(await some.found('bohumil')).toEqual([]);
    expect(await some.found('bohumil', '&deleted=true')).toEqual(['Bohumil Unikát']);
    await some.call('POST', `/api/contacts/${contact.id}/restore`);
    expect(await some.found('bohumil')).toEqual(['Bohumil Unikát']);
    expect(await world.found('bohumil')).toEqual([]);
  });

  it('never fails for arbitrary input', async () => {
    const typed = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.string({ unit: 'grapheme', maxLength: 400 }),
      fc
        .array(
          fc.constantFrom(
            ...`'"\\%_&|!:*()<->@.+-,;/~^$#{}[]=?\` \t\nabcЯ太ß½ʼ’℅①İﬁ\u0301\u200d\ufeff\u202e`,
          ),
          {
            maxLength: 30,
          },
        )
        .map((parts) => parts.join('')),
      fc.constantFrom(
        'a'.repeat(5_000),
        'a '.repeat(500),
        'a:* & !b',
        "'; DROP TABLE contacts.contact; --",
        '\u0000',
      ),
    );
    await fc.assert(
      fc.asyncProperty(typed, async (q) => {
        const answer = await world.call('GET', `/api/contacts?q=${encodeURIComponent(q.toWellFormed())}`);
        expect([q, answer.status]).toEqual([q, 200]);
      }),
      { numRuns: 300 },
    );
  });
});
