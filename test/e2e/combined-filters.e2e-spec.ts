import { randomUUID } from 'node:crypto';
import { BusinessApi } from '../support/business-api.js';
import { ContentStage, inHours } from '../support/content-stage.js';
import { type Filters, problemsOfLists, type WalkedLists } from '../support/combined-filters.js';
import { aMediaFile } from '../support/media-files.js';
import { bearer } from '../support/walk.js';

/** A page of daily rollups is one brand: there is no second one of a named brand. */
const isOfOneBrand = (chosen: Filters) => 'X-Brand-ID' in chosen;

interface BoardStage {
  readonly cards: readonly unknown[];
  readonly nextCursor: string | null;
}
/** A board has a page for each of its stages, and their cursors belong to a named stage. */
const isOfAllStages = (chosen: Filters) => !('stageId' in chosen);
const pageOfBoard = ({ stages }: { stages: readonly BoardStage[] }) =>
  stages.length === 1 && stages[0]
    ? { data: stages[0].cards, next: stages[0].nextCursor }
    : { data: stages, next: null };

describe('Every list of the business API with every combination of its filters', () => {
  let api: BusinessApi;
  let stage: ContentStage;
  let lists: WalkedLists;

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
    const contacts = (await person('GET', '/api/contacts?limit=2')).body.data as { id: string }[];
    const contact = contacts[0]!.id;
    await person('GET', '/api/pipeline');
    const made = await person('POST', '/api/pipeline', { name: 'Second', stages: ['A', 'B'] });
    const { id: pipelineId, stages } = made.body as { id: string; stages: { id: string }[] };
    const moved = [contact, contact, contacts[1]!.id];
    for (const [index, id] of moved.entries()) {
      const stageId = stages[Math.min(index, 1)]!.id;
      await person('PUT', `/api/pipeline/${id}/move`, { stageId, pipelineId });
    }
    for (const text of ['First.', 'Second.']) {
      await person('POST', `/api/contacts/${contact}/notes`, { body: text });
    }
    await api.followed();

    const actor = (await person('GET', `/api/content-ops/events?contentId=${postId}`)).body.data[0].actor
      .id as string;
    const range = { from: inHours(-1), to: inHours(24) };
    const brand = { brandId, 'X-Brand-ID': brandId };
    lists = {
      '/api/brands': [{ values: {} }],
      '/api/media': [{ values: { ...brand, kind: 'image', status: 'ready', tag: 'summer', q: 'harbour' } }],
      '/api/integrations': [{ values: { ...brand, platform: 'x', state: 'active' } }],
      '/api/posts': [{ values: { ...brand, threadId, status: 'scheduled', platform: 'x', ...range } }],
      '/api/content-ops/queue': [
        { values: { 'X-Brand-ID': brandId, state: 'scheduled', platform: 'x', ...range } },
      ],
      '/api/content-ops/daily': [
        {
          values: { 'X-Brand-ID': brandId, from: '2026-01-01', to: '2026-01-31', timezone: 'Europe/Vienna' },
          hasOnePage: isOfOneBrand,
        },
      ],
      '/api/content-ops/events': [
        {
          values: {
            ...{ 'X-Brand-ID': brandId, contentId: postId, kind: 'post.rescheduled', actor },
            ...{ ...range, order: 'asc' },
          },
        },
      ],
      '/api/pipeline': [{ values: { organizationId } }],
      '/api/pipeline/{pipelineId}/board': [
        {
          path: `/api/pipeline/${pipelineId}/board`,
          values: { stageId: stages[1]!.id },
          ...{ limit: 'limitPerStage', pageOf: pageOfBoard, hasOnePage: isOfAllStages },
        },
      ],
      '/api/pipeline/{contactId}/history': [
        { path: `/api/pipeline/${contact}/history`, values: { pipelineId } },
      ],
      '/api/contacts/{id}/notes': [{ path: `/api/contacts/${contact}/notes`, values: {} }],
      '/api/contacts': [
        { values: { q: 'ada', search: 'ada', sort: 'name', organizationId, deleted: 'true' } },
      ],
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

  it('has two pages', async () => {
    expect(await problemsOfLists(api.service.url, bearer(stage.token), lists)).toEqual([]);
  });
});
