import { randomUUID } from 'node:crypto';
import { BusinessApi } from '../support/business-api.js';
import type { Call } from '../support/call.js';
import { PipelinesWorld } from '../support/pipelines-world.js';

let api: BusinessApi;
let world: PipelinesWorld;
beforeAll(async () => {
  api = await BusinessApi.start();
  world = await PipelinesWorld.of(api);
});
afterAll(() => api.stop());

const aPipeline = async (call: Call = world.call, body: object = {}) =>
  (await call('POST', '/api/pipeline', { name: 'Partners', stages: ['A', 'B', 'C'], ...body })).body;
const pathOf = ({ id }: { id: string }) => `/api/pipeline/${id}`;
const names = (pipeline: { stages: { name: string }[] }) => pipeline.stages.map(({ name }) => name);
const reader = () => world.colleague(['pipelines.read']);
const stranger = () => api.as(api.person().token);

describe('GET /api/pipeline', () => {
  it('200 creates the default pipeline once, with concurrent readers', async () => {
    const { token, organizationId } = api.person();
    const answers = await Promise.all(Array.from({ length: 8 }, () => api.as(token)('GET', '/api/pipeline')));
    const [first] = answers;
    for (const { status, body } of answers) expect([status, body]).toEqual([200, first?.body]);
    const [pipeline, ...others] = first?.body.data ?? [];
    expect(others).toEqual([]);
    expect(pipeline).toMatchObject({ organizationId, isDefault: true, archived: false, version: 1 });
    expect(names(pipeline)).toEqual(['Lead', 'Qualified', 'Proposal', 'Won', 'Lost']);
    const [recorded] = await api.test.database.query(
      `SELECT count(*)::int AS count, min(metadata->'actor'->>'type') AS actor FROM events.event WHERE stream = $1`,
      [pipeline.id],
    );
    expect(recorded).toEqual({ count: 1, actor: 'system' });
  });

  it('200 lists page by page, of all organizations or of one', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    const call = api.as(api.identity.user({ organizations: [{ id: one }, { id: other }] }));
    for (const name of ['First', 'Second']) await aPipeline(call, { name, organizationId: one });
    const first = await call('GET', '/api/pipeline?limit=3');
    expect(first.body.data.slice(0, 2).map(({ name }: { name: string }) => name)).toEqual([
      'First',
      'Second',
    ]);
    expect(first.body.pagination).toMatchObject({ limit: 3, hasMore: true, total: 4 });
    const { nextCursor } = first.body.pagination;
    const second = await call('GET', `/api/pipeline?limit=3&cursor=${nextCursor}`);
    expect([second.body.data.length, second.body.pagination.hasMore]).toEqual([1, false]);
    expect(first.headers.get('link')).toContain('rel="next"');
    const only = await call('GET', `/api/pipeline?organizationId=${other.toUpperCase()}&includeTotal=false`);
    expect(only.body.data.map((pipeline: { isDefault: boolean }) => pipeline.isDefault)).toEqual([true]);
    expect(only.body.pagination.total).toBeUndefined();
  });

  it.each(['limit=-5', 'limit=many&cursor=nonsense', 'organizationId=17', 'cursor[]=1&sort=x&page=-1'])(
    '200 for %s',
    async (query) => expect((await world.call('GET', `/api/pipeline?${query}`)).status).toBe(200),
  );

  it('shows nothing of others: not archived ones, not those of another organization', async () => {
    const pipeline = await aPipeline();
    const gone = await aPipeline();
    await world.call('DELETE', pathOf(gone));
    const ids = async (call: Call, query = '') =>
      (await call('GET', `/api/pipeline?limit=100${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await ids(world.call)).toContain(pipeline.id);
    expect(await ids(world.call)).not.toContain(gone.id);
    expect(await ids(stranger())).not.toContain(pipeline.id);
    expect(await ids(stranger(), `&organizationId=${world.person.organizationId}`)).toEqual([]);
  });

  it('401 without a caller; 403 without the scope, and for callers bound to brands', async () => {
    expect((await api.as()('GET', '/api/pipeline')).status).toBe(401);
    expect((await world.colleague(['contacts.read'])('GET', '/api/pipeline')).status).toBe(403);
    const id = randomUUID();
    const bound = api.identity.user({ organizations: [{ id, brandIds: [randomUUID()] }] });
    expect((await api.as(bound)('GET', '/api/pipeline')).status).toBe(403);
    const key = api.identity.apiKey({ organization: { id: world.person.organizationId } });
    expect((await api.withKey(key)('GET', '/api/pipeline')).status).toBe(401);
  });
});

describe('POST /api/pipeline', () => {
  it('201 with the stages named, or those of a default', async () => {
    const answer = await world.call('POST', '/api/pipeline', { name: ' Partners ', stages: [' A ', 'B'] });
    expect([answer.status, answer.headers.get('etag')]).toEqual([201, '"v1"']);
    expect(answer.body).toMatchObject({ name: 'Partners', isDefault: false, version: 1 });
    expect(answer.body.stages.map(({ name, position }: { name: string; position: number }) => [name, position]))
      .toEqual([['A', 0], ['B', 1]]); // prettier-ignore
    expect(names((await world.call('POST', '/api/pipeline', { name: 'X' })).body)).toContain('Qualified');
    expect((await world.call('GET', pathOf(answer.body))).body).toEqual(answer.body);
  });

  it.each([
    ['no name', {}, '#/name'],
    ['an empty name', { name: ' ' }, '#/name'],
    ['a name of two lines', { name: 'a\nb' }, '#/name'],
    ['a name without a visible character', { name: '\u200b\u2060' }, '#/name'],
    ['a stage without a visible character', { name: 'A', stages: ['Won', '\u3164'] }, '#/stages'],
    ['no stages', { name: 'A', stages: [] }, '#/stages'],
    ['too many stages', { name: 'A', stages: Array.from({ length: 51 }, (_, n) => `${n}`) }, '#/stages'],
    ['two stages of one name', { name: 'A', stages: ['Won', ' won'] }, '#/stages'],
    ['a stage without a name', { name: 'A', stages: ['Won', ''] }, '#/stages'],
    ['stages that are no names', { name: 'A', stages: [7] }, '#/stages'],
    ['null for stages', { name: 'A', stages: null }, '#/stages'],
    ['an id that is none', { name: 'A', organizationId: '17' }, '#/organizationId'],
    ['an unknown field', { name: 'A', colour: 'red' }, '#/colour'],
  ])('400 for %s', async (_, body, pointer) => {
    const answer = await world.call('POST', '/api/pipeline', body);
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
    expect(answer.body.errors[0].pointer).toBe(pointer);
  });

  it('400 when several organizations could be meant, 404 for a foreign one, 401, 403', async () => {
    const several = api.identity.user({ organizations: [{ id: randomUUID() }, { id: randomUUID() }] });
    const unclear = await api.as(several)('POST', '/api/pipeline', { name: 'A' });
    expect([unclear.status, unclear.body.code]).toEqual([400, 'organization_missing']);
    const foreign = { name: 'A', organizationId: randomUUID() };
    const answer = await world.call('POST', '/api/pipeline', foreign);
    expect([answer.status, answer.body.code]).toEqual([404, 'organization_not_found']);
    expect((await api.as()('POST', '/api/pipeline', { name: 'A' })).status).toBe(401);
    expect((await reader()('POST', '/api/pipeline', { name: 'A' })).status).toBe(403);
  });

  it('is created once per Idempotency-Key', async () => {
    const call = api.as(world.person.token, { 'idempotency-key': randomUUID() });
    const first = await aPipeline(call);
    const again = await aPipeline(call);
    expect(again.id).toBe(first.id);
    expect((await call('POST', '/api/pipeline', { name: 'Another' })).status).toBe(422);
  });
});

describe('GET /api/pipeline/{pipelineId}', () => {
  it('200 and 304; 404 in the same words for what is foreign, archived, missing or no id; 401, 403', async () => {
    const pipeline = await aPipeline();
    const answer = await world.call(
      'GET',
      pathOf(pipeline).toUpperCase().replace('/API/PIPELINE', '/api/pipeline'),
    );
    expect([answer.status, answer.body]).toEqual([200, pipeline]);
    const tagged = await world.call('GET', pathOf(pipeline), undefined, { 'if-none-match': '"v1"' });
    expect(tagged.status).toBe(304);
    const said = async (call: Call, id: string) => {
      const { status, body } = await call('GET', `/api/pipeline/${id}`);
      return [status, body.code, body.detail];
    };
    const missing = await said(world.call, randomUUID());
    expect(missing).toEqual([
      404,
      'pipeline_not_found',
      'The pipeline does not exist, or you have no access to it. Check its id.',
    ]);
    expect(await said(stranger(), pipeline.id)).toEqual(missing);
    await world.call('DELETE', pathOf(pipeline));
    expect(await said(world.call, pipeline.id)).toEqual(missing);
    expect((await world.call('GET', '/api/pipeline/17')).status).toBe(404);
    expect((await api.as()('GET', pathOf(pipeline))).status).toBe(401);
    expect(
      (await world.colleague(['pipelines.write'])('GET', `/api/pipeline/${world.pipelineId}`)).status,
    ).toBe(403);
  });
});

describe('PUT /api/pipeline/{pipelineId}', () => {
  it('200 renames, 412 on a stale If-Match', async () => {
    const pipeline = await aPipeline();
    const put = (name: string, tag: string) =>
      world.call('PUT', pathOf(pipeline), { name }, { 'if-match': tag });
    const renamed = await put('Deals', '"v1"');
    expect([renamed.status, renamed.body.name, renamed.headers.get('etag')]).toEqual([200, 'Deals', '"v2"']);
    expect((await put('Deals', '"v2"')).body.version).toBe(2);
    const stale = await put('Third', '"v1"');
    expect([stale.status, stale.body.code]).toEqual([412, 'version_mismatch']);
  });

  it('400, 401, 403, 404', async () => {
    const path = pathOf(await aPipeline());
    for (const body of [{}, { name: null }, { name: 5 }, { name: 'A', stages: ['B'] }])
      expect((await world.call('PUT', path, body)).status).toBe(400);
    expect((await api.as()('PUT', path, { name: 'X' })).status).toBe(401);
    expect((await reader()('PUT', path, { name: 'X' })).status).toBe(403);
    for (const headers of [{}, { 'if-match': '"v9"' }] as Record<string, string>[])
      expect((await stranger()('PUT', path, { name: 'X' }, headers)).status).toBe(404);
    expect((await world.call('PUT', `/api/pipeline/${randomUUID()}`, { name: 'X' })).status).toBe(404);
  });
});

describe('DELETE /api/pipeline/{pipelineId}', () => {
  it('200 archives it with its board, 404 the second time', async () => {
    const pipeline = await aPipeline();
    const answer = await world.call('DELETE', pathOf(pipeline));
    expect([answer.status, answer.body.archived]).toEqual([200, true]);
    expect((await world.call('DELETE', pathOf(pipeline))).status).toBe(404);
    expect((await world.call('GET', `${pathOf(pipeline)}/board`)).status).toBe(404);
    expect((await world.call('POST', `${pathOf(pipeline)}/stages`, { name: 'D' })).status).toBe(404);
    const move = await world.move(await world.contact(), { stageId: pipeline.stages[0].id });
    expect([move.status, move.body.code]).toEqual([404, 'stage_not_found']);
  });

  it('409 for the default one, 401, 403, 404, 412', async () => {
    const kept = await world.call('DELETE', `/api/pipeline/${world.pipelineId}`);
    expect([kept.status, kept.body.code]).toEqual([409, 'default_pipeline']);
    const path = pathOf(await aPipeline());
    expect((await api.as()('DELETE', path)).status).toBe(401);
    expect((await reader()('DELETE', path)).status).toBe(403);
    expect((await stranger()('DELETE', path)).status).toBe(404);
    const stale = await world.call('DELETE', path, undefined, { 'if-match': '"v7"' });
    expect(stale.status).toBe(412);
    expect((await world.call('GET', path)).status).toBe(200);
  });
});
