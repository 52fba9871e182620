import { randomUUID } from 'node:crypto';
import { BusinessApi } from '../support/business-api.js';
import { ContactsWorld } from '../support/contacts-world.js';

describe('listing contacts', () => {
  let api: BusinessApi;
  let world: ContactsWorld;
  beforeAll(async () => {
    api = await BusinessApi.start();
    world = new ContactsWorld(api);
    for (const name of ['Bob', 'Ábel', 'anna', 'Émile', 'Zoë']) await world.contact({ name });
    await world.contact({ email: 'cleo@example.com' });
    await new ContactsWorld(api).contact({ name: 'Aaron of another organization' });
  });
  afterAll(() => api.stop());

  const list = async (query: string) => {
    const { status, body, headers } = await world.call('GET', `/api/contacts?${query}`);
    expect([query, status]).toEqual([query, 200]);
    const names = body.data.map(({ name, email }: { name: string; email: string }) => name ?? email);
    const next = /<(.+)>/.exec(headers.get('link') ?? '')?.[1] ?? null;
    return { names, warnings: body.warnings, pagination: body.pagination, next };
  };
  const NEWEST_FIRST = ['cleo@example.com', 'Zoë', 'Émile', 'anna', 'Ábel', 'Bob'];
  const BY_NAME = ['Ábel', 'anna', 'Bob', 'cleo@example.com', 'Émile', 'Zoë'];

  it.each([
    ['', NEWEST_FIRST],
    ['sort=-createdAt', NEWEST_FIRST],
    ['sort=createdAt', NEWEST_FIRST.toReversed()],
    ['sort=name', BY_NAME],
    ['sort=-name', BY_NAME.toReversed()],
  ])('in the order of %j', async (query, names) => {
    expect((await list(query)).names).toEqual(names);
    const paged: string[] = [];
    for (let next: string | null = `/api/contacts?${query}&limit=2`; next;) {
      const page: Awaited<ReturnType<typeof list>> = await list(next.split('?')[1] ?? '');
      paged.push(...page.names);
      next = page.next;
    }
    expect(paged).toEqual(names);
  });

  it.each(['sort=name', 'sort=-createdAt', 'q=e'])(
    'by numbered pages, which cursors continue: %s',
    async (query) => {
      const all = (await list(query)).names;
      const second = await list(`${query}&limit=2&page=2`);
      expect(second.names).toEqual(all.slice(2, 4));
      expect(second.pagination).toMatchObject({ page: 2, limit: 2 });
      if (all.length > 4)
        expect((await list((second.next ?? '').split('?')[1] ?? '')).names).toEqual(all.slice(4, 6));
      expect((await list(`${query}&limit=2&page=400`)).names).toEqual([]);
    },
  );

  it('takes search for q, and q before search', async () => {
    expect((await list('search=zoe')).names).toEqual(['Zoë']);
    const both = await list('search=zoe&q=bob');
    expect(both.names).toEqual(['Bob']);
    expect(both.warnings).toMatchObject([{ parameter: 'search', code: 'not_applied' }]);
  });

  it.each([
    ['sort=size', 'sort', 'not_allowed'],
    ['page=0', 'page', 'not_a_page'],
    ['page=one', 'page', 'not_a_page'],
    ['page=9999&limit=100', 'page', 'not_applied'],
    ['q=a&sort=name', 'sort', 'not_applied'],
    ['orderBy=name', 'orderBy', 'unknown_parameter'],
    ['filter[name]=bob', 'filter', 'unknown_parameter'],
  ])('names in the warnings what is not applied: %s', async (query, parameter, code) => {
    const { warnings, names } = await list(query);
    expect(warnings.map((warning: { code: string }) => warning.code)).toContain(code);
    expect(warnings[0].parameter).toContain(parameter);
    expect(names.length).toBeGreaterThan(0);
  });

  it('ignores a page number next to a cursor, with a warning', async () => {
    const { pagination } = await list('limit=2');
    const page = await list(`limit=2&page=3&cursor=${pagination.nextCursor}`);
    expect(page.names).toEqual(NEWEST_FIRST.slice(2, 4));
    expect(page.warnings).toMatchObject([{ parameter: 'page', code: 'not_applied' }]);
  });

  it('reads along the index of names, however many contacts there are', async () => {
    await api.test.database.query(
      `INSERT INTO contacts.contact (id, organization_id, name)
       SELECT gen_random_uuid(), $1, 'Contact ' || n FROM generate_series(1, 3000) AS n`,
      [randomUUID()],
    );
    await api.test.database.query('ANALYZE contacts.contact');
    const plan = await api.test.database.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT id FROM contacts.contact WHERE organization_id = '${world.organizationId}' AND deleted_at IS NULL
         AND (contacts.sort_name(name, email), id) > ('b', '${randomUUID()}')
       ORDER BY contacts.sort_name(name, email), id LIMIT 3`,
    );
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('contact_by_name');
  });
});
