import { randomUUID } from 'node:crypto';
import { BusinessApi } from '../support/business-api.js';
import { PipelinesWorld } from '../support/pipelines-world.js';

let api: BusinessApi;
let world: PipelinesWorld;
beforeAll(async () => {
  api = await BusinessApi.start();
  world = await PipelinesWorld.of(api);
});
afterAll(() => api.stop());

interface Stage {
  id: string;
  name: string;
  position: number;
}

async function aPipeline(stages = ['A', 'B', 'C']) {
  const { body } = await world.call('POST', '/api/pipeline', { name: 'Partners', stages });
  const path = `/api/pipeline/${body.id}`;
  return {
    id: body.id as string,
    path: `${path}/stages`,
    ids: body.stages.map(({ id }: Stage) => id) as string[],
    now: async () => (await world.call('GET', path)).body,
    names: async () => (await world.call('GET', path)).body.stages.map(({ name }: Stage) => name),
  };
}
const reader = () => world.colleague(['pipelines.read']);
const stranger = () => api.as(api.person().token);

describe('POST /api/pipeline/{pipelineId}/stages', () => {
  it('201 at the end or at the given position', async () => {
    const pipeline = await aPipeline();
    const last = await world.call('POST', pipeline.path, { name: 'D' });
    expect([last.status, last.headers.get('etag')]).toEqual([201, '"v2"']);
    expect(last.body).toMatchObject({ name: 'D', position: 3, pipelineId: pipeline.id, version: 2 });
    const first = await world.call('POST', pipeline.path, { name: ' Zero ', position: 0 });
    expect(first.body).toMatchObject({ name: 'Zero', position: 0 });
    await world.call('POST', pipeline.path, { name: 'End', position: 999 });
    expect(await pipeline.names()).toEqual(['Zero', 'A', 'B', 'C', 'D', 'End']);
  });

  it('409 for a duplicate name and above the maximum; two concurrent requests with one name add one', async () => {
    const pipeline = await aPipeline();
    const taken = await world.call('POST', pipeline.path, { name: 'a' });
    expect([taken.status, taken.body.code]).toEqual([409, 'stage_name_taken']);
    const both = await Promise.all(['New', 'NEW'].map((name) => world.call('POST', pipeline.path, { name })));
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    const full = await aPipeline(Array.from({ length: 50 }, (_, n) => `Stage ${n}`));
    const answer = await world.call('POST', full.path, { name: 'One more' });
    expect([answer.status, answer.body.code]).toEqual([409, 'pipeline_is_full']);
  });

  it('400, 401, 403, 404, 412, 422', async () => {
    const { path } = await aPipeline();
    for (const body of [
      {},
      { name: '' },
      { name: 'D', position: -1 },
      { name: 'D', position: 0.5 },
      { name: 'D', x: 1 },
    ])
      expect((await world.call('POST', path, body)).status).toBe(400);
    expect((await api.as()('POST', path, { name: 'D' })).status).toBe(401);
    expect((await reader()('POST', path, { name: 'D' })).status).toBe(403);
    expect((await stranger()('POST', path, { name: 'D' })).status).toBe(404);
    expect((await world.call('POST', `/api/pipeline/${randomUUID()}/stages`, { name: 'D' })).status).toBe(
      404,
    );
    expect((await world.call('POST', path, { name: 'D' }, { 'if-match': '"v7"' })).status).toBe(412);
    const key = { 'idempotency-key': randomUUID() };
    const first = await world.call('POST', path, { name: 'D' }, key);
    expect((await world.call('POST', path, { name: 'D' }, key)).body).toEqual(first.body);
    expect((await world.call('POST', path, { name: 'E' }, key)).status).toBe(422);
  });
});

describe('PUT /api/pipeline/{pipelineId}/stages', () => {
  it('200 puts them in another order', async () => {
    const { path, ids, names } = await aPipeline();
    const stageIds = [ids[2], ids[0], ids[1]].map((id) => id?.toUpperCase());
    const answer = await world.call('PUT', path, { stageIds }, { 'if-match': '"v1"' });
    expect([answer.status, answer.body.version]).toEqual([200, 2]);
    expect(await names()).toEqual(['C', 'A', 'B']);
    expect((await world.call('PUT', path, { stageIds })).body.version).toBe(2);
  });

  it('400, 401, 403, 404, 409, 412', async () => {
    const { path, ids } = await aPipeline();
    const foreign = await aPipeline();
    for (const stageIds of [undefined, null, [], 'x', ['17'], [ids[0], ids[0], ids[1]]])
      expect((await world.call('PUT', path, { stageIds })).status).toBe(400);
    for (const stageIds of [ids.slice(1), [...ids.slice(1), foreign.ids[0]], [...ids, randomUUID()]]) {
      const answer = await world.call('PUT', path, { stageIds });
      expect([answer.status, answer.body.code]).toEqual([409, 'stages_are_others']);
    }
    const stageIds = ids.toReversed();
    expect((await api.as()('PUT', path, { stageIds })).status).toBe(401);
    expect((await reader()('PUT', path, { stageIds })).status).toBe(403);
    expect((await stranger()('PUT', path, { stageIds })).status).toBe(404);
    expect((await world.call('PUT', path, { stageIds }, { 'if-match': '"v7"' })).status).toBe(412);
  });
});

describe('PUT /api/pipeline/{pipelineId}/stages/{stageId}', () => {
  it('200 renames, histories too', async () => {
    const { path, ids } = await aPipeline();
    const contact = await world.contact();
    await world.move(contact, { stageId: ids[1] });
    const answer = await world.call('PUT', `${path}/${ids[1]}`, { name: 'Better' });
    expect([answer.status, answer.body.name, answer.body.position]).toEqual([200, 'Better', 1]);
    expect((await world.history(contact)).data[0].to).toEqual({ id: ids[1], name: 'Better' });
    expect((await world.call('PUT', `${path}/${ids[1]}`, { name: 'BETTER' })).body.version).toBe(3);
  });

  it('400, 401, 403, 404, 409, 412', async () => {
    const { path, ids } = await aPipeline();
    const other = await aPipeline();
    const it = `${path}/${ids[0]}`;
    for (const body of [{}, { name: null }, { name: 'X', position: 1 }])
      expect((await world.call('PUT', it, body)).status).toBe(400);
    expect((await api.as()('PUT', it, { name: 'X' })).status).toBe(401);
    expect((await reader()('PUT', it, { name: 'X' })).status).toBe(403);
    expect((await stranger()('PUT', it, { name: 'X' })).status).toBe(404);
    for (const id of [randomUUID(), '17', other.ids[0]])
      expect((await world.call('PUT', `${path}/${id}`, { name: 'X' })).status).toBe(404);
    expect((await world.call('PUT', it, { name: 'b' })).status).toBe(409);
    expect((await world.call('PUT', it, { name: 'X' }, { 'if-match': '"v7"' })).status).toBe(412);
  });
});

describe('DELETE /api/pipeline/{pipelineId}/stages/{stageId}', () => {
  it('200 archives an empty one, whose name is free again', async () => {
    const { path, ids, names } = await aPipeline();
    const answer = await world.call('DELETE', `${path}/${ids[1]}`);
    expect([answer.status, answer.body.version]).toEqual([200, 2]);
    expect(await names()).toEqual(['A', 'C']);
    expect((await world.call('DELETE', `${path}/${ids[1]}`)).status).toBe(404);
    expect((await world.call('POST', path, { name: 'B' })).status).toBe(201);
    const move = await world.move(await world.contact(), { stageId: ids[1] });
    expect([move.status, move.body.code]).toEqual([404, 'stage_not_found']);
  });

  it('409 while it holds cards, 200 when another stage takes them, at its end and in their order', async () => {
    const { id, path, ids } = await aPipeline();
    const contacts: string[] = [];
    for (const position of [3, 1, 2]) {
      contacts.push(await world.contact({ name: `At ${position}` }));
      await world.move(contacts.at(-1) ?? '', { stageId: ids[0], position });
    }
    await world.move(await world.contact({ name: 'There' }), { stageId: ids[1] });
    const full = await world.call('DELETE', `${path}/${ids[0]}`);
    expect([full.status, full.body.code, full.body.cards]).toEqual([409, 'stage_holds_cards', 3]);
    const answer = await world.call('DELETE', `${path}/${ids[0]}?moveTo=${ids[1]?.toUpperCase()}`);
    expect(answer.status).toBe(200);
    const { stages } = await world.board('', id);
    expect(stages.map(({ name, total }: { name: string; total: number }) => [name, total])).toEqual([
      ['B', 4],
      ['C', 0],
    ]);
    const shown = stages[0].cards.map(({ name }: { name: string }) => name);
    expect(shown).toEqual(['There', 'At 1', 'At 2', 'At 3']);
    const [last] = (await world.history(contacts[0] ?? '')).data;
    expect(last).toMatchObject({
      from: { id: ids[0], name: 'A' },
      to: { id: ids[1], name: 'B' },
      actor: { id: world.person.id },
      note: null,
    });
  });

  it('409 for cards of deleted contacts too: restored contacts must be in a visible stage', async () => {
    const { id, path, ids } = await aPipeline();
    const contact = await world.contact({ name: 'Gone' });
    await world.move(contact, { stageId: ids[0] });
    await world.delete(contact);
    expect((await world.call('DELETE', `${path}/${ids[0]}`)).status).toBe(409);
    expect((await world.call('DELETE', `${path}/${ids[0]}?moveTo=${ids[2]}`)).status).toBe(200);
    await world.restore(contact);
    const { stages } = await world.board('', id);
    expect(stages[1]).toMatchObject({ name: 'C', total: 1, cards: [{ name: 'Gone' }] });
  });

  it('moves more cards than one step takes, none twice and none left, while others move too', async () => {
    const { id, path, ids } = await aPipeline();
    const [from, to, beside] = ids as [string, string, string];
    const contacts = await world.crowd(id, from, 990);
    const [archived, ...moves] = await Promise.all([
      world.call('DELETE', `${path}/${from}?moveTo=${to}`),
      ...contacts.slice(-8).map((contact) => world.move(contact, { stageId: beside })),
      ...contacts.slice(0, 4).map((contact) => world.move(contact, { stageId: from })),
    ]);
    expect(archived?.status).toBe(200);
    for (const { status } of moves.slice(0, 8)) expect(status).toBe(200);
    // Back into the stage that is about to go: before it is gone, or not at all.
    for (const { status } of moves.slice(8)) expect([200, 404]).toContain(status);
    const { stages } = await world.board('?limitPerStage=100', id);
    expect(stages.map(({ id: stage, total }: { id: string; total: number }) => [stage, total])).toEqual([
      [to, 982],
      [beside, 8],
    ]);
    const shown = stages[0].cards.map(({ contactId }: { contactId: string }) => contactId);
    const untouched = (contact: string) => !contacts.slice(0, 4).includes(contact);
    expect(shown.filter(untouched)).toEqual(contacts.slice(4, 4 + shown.filter(untouched).length));
    for (const contact of contacts.slice(4, 6))
      expect((await world.history(contact)).pagination.total).toBe(2);
  });

  it('409 for the last one, 400 for moving to itself, 404 for what is no stage of the pipeline', async () => {
    const { path, ids } = await aPipeline(['A', 'B']);
    const other = await aPipeline();
    const self = await world.call('DELETE', `${path}/${ids[0]}?moveTo=${ids[0]}`);
    expect([self.status, self.body.errors[0].parameter]).toEqual([400, 'moveTo']);
    for (const moveTo of ['17', randomUUID(), `${other.ids[0]}`, '1&moveTo=2'])
      expect((await world.call('DELETE', `${path}/${ids[0]}?moveTo=${moveTo}`)).status).toBe(404);
    expect((await world.call('DELETE', `${path}/${ids[0]}?moveTo=`)).status).toBe(200);
    const last = await world.call('DELETE', `${path}/${ids[1]}`);
    expect([last.status, last.body.code]).toEqual([409, 'last_stage']);
  });

  it('401, 403, 404, 412, and nothing moved', async () => {
    const { id, path, ids } = await aPipeline();
    await world.move(await world.contact(), { stageId: ids[0] });
    const it = `${path}/${ids[0]}?moveTo=${ids[1]}`;
    expect((await api.as()('DELETE', it)).status).toBe(401);
    expect((await reader()('DELETE', it)).status).toBe(403);
    expect((await stranger()('DELETE', it)).status).toBe(404);
    expect((await world.call('DELETE', it, undefined, { 'if-match': '"v7"' })).status).toBe(412);
    expect((await world.board('', id)).stages[0].total).toBe(1);
  });
});
