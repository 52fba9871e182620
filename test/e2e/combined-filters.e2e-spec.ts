import { randomUUID } from 'node:crypto';
import { BusinessApi } from '../support/business-api.js';
import { ContentStage, inHours } from '../support/content-stage.js';
import { aMediaFile } from '../support/media-files.js';
import { ServedApi } from '../support/operations.js';

const PAGING = ['limit', 'cursor', 'includeTotal', 'page'];

type Filters = Readonly<Record<string, string>>;

/** At least two rows of each list match all of its filters together. */
describe('Every list of the business API with every combination of its filters', () => {
  let api: BusinessApi;
  let stage: ContentStage;
  let filters: Readonly<Record<string, { readonly path?: string; readonly values: Filters }>>;

  beforeAll(async () => {
    api = await BusinessApi.start();
    stage = await ContentStage.set(api);
    const { person, brandId, organizationId } = stage;
    await stage.anotherBrand();
    const postId = await stage.scheduled(inHours(5), { threadPosition: 1 });
    const threadId = (await person('GET', `/api/posts/${postId}`)).body.threadId as string;
    await stage.scheduled(inHours(5), { threadId });
    for (const hours of [5, 6]) {
      const body = { scheduledAt: inHours(hours) };
      await person('POST', `/api/content-ops/items/${postId}/reschedule`, body);
    }
    for (const fileName of ['harbour 1', 'harbour 2']) {
      await aMediaFile(api.test.database, brandId, { fileName, tags: ['summer'] });
    }
    for (const account of ['1', '2']) await connection(account);
    for (const name of ['Ada One', 'Ada Two', 'Ada Three', 'Ada Four']) {
      const { body } = await person('POST', '/api/contacts', { name, organizationId });
      if (/T/.test(name)) await person('DELETE', `/api/contacts/${body.id as string}`);
    }
    const contact = (await person('GET', '/api/contacts?limit=1')).body.data[0].id as string;
    await person('GET', '/api/pipeline');
    const made = await person('POST', '/api/pipeline', { name: 'Second', stages: ['A', 'B'] });
    const { id: pipelineId, stages } = made.body as { id: string; stages: { id: string }[] };
    for (const { id: stageId } of stages) {
      await person('PUT', `/api/pipeline/${contact}/move`, { stageId, pipelineId });
    }
    for (const text of ['First.', 'Second.']) {
      await person('POST', `/api/contacts/${contact}/notes`, { body: text });
    }
    await api.followed();

    const actor = (await person('GET', `/api/content-ops/events?contentId=${postId}`)).body.data[0].actor
      .id as string;
    const range = { from: inHours(-1), to: inHours(24) };
    const brand = { brandId, 'X-Brand-ID': brandId };
    filters = {
      '/api/brands': { values: {} },
      '/api/media': { values: { ...brand, kind: 'image', status: 'ready', tag: 'summer', q: 'harbour' } },
      '/api/integrations': { values: { ...brand, platform: 'x', state: 'active' } },
      '/api/posts': { values: { ...brand, threadId, status: 'scheduled', platform: 'x', ...range } },
      '/api/content-ops/queue': {
        values: { 'X-Brand-ID': brandId, state: 'scheduled', platform: 'x', ...range },
      },
      '/api/content-ops/daily': {
        values: { 'X-Brand-ID': brandId, from: '2026-01-01', to: '2026-01-31', timezone: 'Europe/Vienna' },
      },
      '/api/content-ops/events': {
        values: {
          ...{ 'X-Brand-ID': brandId, contentId: postId, kind: 'post.rescheduled', actor },
          ...{ ...range, order: 'asc' },
        },
      },
      '/api/pipeline': { values: { organizationId } },
      '/api/pipeline/{contactId}/history': {
        path: `/api/pipeline/${contact}/history`,
        values: { pipelineId },
      },
      '/api/contacts/{id}/notes': { path: `/api/contacts/${contact}/notes`, values: {} },
      '/api/contacts': {
        values: { q: 'ada', search: 'ada', sort: 'name', organizationId, deleted: 'true' },
      },
    };
  });
  afterAll(() => api.stop());

  const connection = (account: string) =>
    api.test.database.query(
      `INSERT INTO integrations.connection (id, brand_id, user_id, platform, account_id, username, display_name, scopes,
         pages, groups, state, access_token)
       VALUES ($1, $2, $1, 'x', $3, 'acme', 'Acme', '{}', '[]', '[]', 'active', 'sealed')`,
      [randomUUID(), stage.brandId, account],
    );

  const page = async (path: string, { 'X-Brand-ID': brand, ...query }: Filters, cursor?: string) => {
    const call = api.as(stage.token, brand === undefined ? {} : { 'X-Brand-ID': brand });
    const search = new URLSearchParams({ ...query, limit: '1', ...(cursor && { cursor }) }).toString();
    const { status, body } = await call('GET', `${path}?${search}`);
    return { status, data: JSON.stringify(body.data), next: body.pagination?.nextCursor as string | null };
  };
  /** A page of daily rollups is one brand: there is no second one of a named brand. */
  const hasOnePage = (path: string, chosen: Filters) =>
    path === '/api/content-ops/daily' && 'X-Brand-ID' in chosen;

  const problemsOf = async (path: string, chosen: Filters): Promise<string[]> => {
    const asked = `${path} ${JSON.stringify(chosen)}`;
    const first = await page(path, chosen);
    if (first.status !== 200) return [`${asked}: ${first.status}`];
    if (!first.next) return hasOnePage(path, chosen) ? [] : [`${asked}: one page`];
    const second = await page(path, chosen, first.next);
    if (second.status !== 200) return [`${asked}, second page: ${second.status}`];
    return second.data === first.data ? [`${asked}: the same page twice`] : [];
  };

  it('has two pages', async () => {
    const served = await ServedApi.at(api.service.url);
    const paged = served.lists.filter(({ parameters }) => parameters.some(({ name }) => name === 'cursor'));
    expect(paged.map(({ path }) => path).sort()).toEqual(Object.keys(filters).sort());

    const problems: string[] = [];
    for (const { path, parameters } of paged) {
      const { values, path: address = path } = filters[path]!;
      const names = parameters
        .filter(({ name, in: where }) => where !== 'path' && !PAGING.includes(name))
        .map(({ name }) => name);
      expect([path, Object.keys(values).sort()]).toEqual([path, names.sort()]);
      const pages = subsetsOf(values).map((chosen) => problemsOf(address, chosen));
      problems.push(...(await Promise.all(pages)).flat());
    }
    expect(problems).toEqual([]);
  });
});

const subsetsOf = (values: Filters): Filters[] =>
  Object.entries(values).reduce<Filters[]>(
    (subsets, [name, value]) => [...subsets, ...subsets.map((subset) => ({ ...subset, [name]: value }))],
    [{}],
  );
