import { randomUUID } from 'node:crypto';
import { Projections } from '#libs/event-store';
import { BusinessApi } from '../support/business-api.js';
import { PipelinesWorld } from '../support/pipelines-world.js';

let api: BusinessApi;
let world: PipelinesWorld;
beforeAll(async () => {
  api = await BusinessApi.start();
  world = await PipelinesWorld.of(api);
});
afterAll(() => api.stop());

const stranger = () => api.as(api.person().token);
const fresh = () => PipelinesWorld.of(api);

interface Movement {
  from: { id: string; name: string } | null;
  to: { id: string; name: string };
  note: string | null;
  actor: { id: string };
  secondsInPreviousStage: number | null;
}

/** Newest first, each from where the one before went to, the first from nowhere. */
function mustBeAChain(movements: readonly Movement[]): void {
  const froms = movements.map(({ from }) => from?.id);
  const tos = movements.map(({ to }) => to.id);
  expect(froms).toEqual([...tos.slice(1), undefined]);
}

describe('PUT /api/pipeline/{contactId}/move', () => {
  it('200 adds a contact at the end of the stage and returns its position', async () => {
    const first = await world.contactIn('Lead');
    const id = await world.contact({ name: 'Ada', email: 'Ada@Example.com', company: 'Acme' });
    const stageId = world.stage('Lead');
    const answer = await world.move(id.toUpperCase(), {
      stageId: stageId.toUpperCase(),
      note: ' Met at a fair. ',
    });
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, '"v1"']);
    expect(answer.body).toMatchObject({
      ...{ contactId: id, pipelineId: world.pipelineId, stageId, position: 2, version: 1 },
      ...{ name: 'Ada', email: 'Ada@Example.com', company: 'Acme' },
    });
    const [stage] = (await world.board()).stages;
    expect(stage.cards.map(({ contactId }: { contactId: string }) => contactId)).toEqual([first, id]);
    expect(stage.cards[1]).toEqual(answer.body);
  });

  it('200 moves between stages; the history has actor, time, note and duration', async () => {
    const id = await world.contactIn('Lead');
    const mate = world.colleague();
    const move = { stageId: world.stage('Won'), pipelineId: world.pipelineId, note: 'Signed.' };
    expect((await world.move(id, move, {}, mate)).body).toMatchObject({ stageId: move.stageId, version: 2 });
    const { data, pagination } = await world.history(id);
    expect(pagination).toMatchObject({ total: 2, hasMore: false });
    expect(data).toMatchObject([
      {
        pipeline: { id: world.pipelineId, name: 'Sales pipeline' },
        from: { id: world.stage('Lead'), name: 'Lead' },
        to: { id: world.stage('Won'), name: 'Won' },
        note: 'Signed.',
        secondsInPreviousStage: expect.any(Number),
      },
      {
        from: null,
        to: { name: 'Lead' },
        note: null,
        secondsInPreviousStage: null,
        actor: { id: world.person.id },
      },
    ]);
    expect(data[0].actor.id).not.toBe(world.person.id);
    expect(data[0].at >= data[1].at).toBe(true);
  });

  it('200 for repeated moves between the same two cards, in order', async () => {
    const some = await fresh();
    const [first, last] = [await some.contactIn('Lead'), await some.contactIn('Lead')];
    const stageId = some.stage('Lead');
    const cards = async (): Promise<{ contactId: string; position: number }[]> =>
      (await some.board()).stages[0].cards;
    const between: string[] = [];
    for (let n = 0; n < 70; n += 1) {
      const [before, after] = await cards();
      if (!before || !after) throw new Error('The board has lost a card.');
      const id = await some.contact();
      const position = (before.position + after.position) / 2;
      expect((await some.move(id, { stageId, position })).status).toBe(200);
      between.unshift(id);
      const shown = (await cards()).map(({ contactId }) => contactId);
      expect(shown).toEqual([first, ...between, last].slice(0, shown.length));
    }
    expect((await some.history(between[0] as string)).data).toHaveLength(1);
    const live = await some.database.query('SELECT id, position FROM pipelines.card_view ORDER BY id');
    await api.service.app.get(Projections, { strict: false }).rebuild('cards');
    expect(await some.database.query('SELECT id, position FROM pipelines.card_view ORDER BY id')).toEqual(
      live,
    );
  });

  it('200 without history for the current stage; the position may change, the entry time does not', async () => {
    const id = await world.contactIn('Qualified');
    const stageId = world.stage('Qualified');
    const before = (await world.move(id, { stageId })).body;
    expect(before.version).toBe(1);
    const answer = await world.move(id, { stageId, position: -2.5, note: 'Not kept' });
    expect([answer.status, answer.body]).toEqual([200, { ...before, position: -2.5, version: 2 }]);
    expect((await world.move(id, { stageId, position: -2.5 })).body.version).toBe(2);
    expect((await world.move(id, { stageId, position: null, note: '' })).body.version).toBe(2);
    expect((await world.history(id)).pagination.total).toBe(1);
    const notes = await api.test.database.query('SELECT FROM pipelines.movement_note WHERE contact_id = $1', [
      id,
    ]);
    expect(notes).toEqual([]);
  });

  it.each([0, -0, 1e-300, Number.MAX_VALUE, -Number.MAX_VALUE, Number.MIN_VALUE, 0.1 + 0.2])(
    'keeps the position %s as it is',
    async (position) => {
      const own = await fresh();
      const id = await own.contact();
      const { body } = await own.move(id, { stageId: own.stage('Lead'), position });
      expect(body.position === position).toBe(true);
      expect((await own.board()).stages[0].cards[0].position === position).toBe(true);
      await own.contactIn('Lead', { name: 'Last' });
      expect((await own.people()).Lead?.[1].at(-1)).toBe('Last');
    },
  );

  it('accepts the stages of a default pipeline before its first read', async () => {
    const { token, organizationId } = api.person();
    const [template] = (await api.as(token)('GET', '/api/pipeline')).body.data;
    await api.test.database.transaction(async (transaction) => {
      await transaction.query(`SET LOCAL events.maintenance = 'on'`);
      for (const table of ['events.event', 'events.stream'])
        await transaction.query(`DELETE FROM ${table} WHERE stream = $1`, [template.id]);
      await transaction.query('DELETE FROM pipelines.pipeline_view WHERE id = $1', [template.id]);
      await transaction.query('DELETE FROM pipelines.stage_view WHERE pipeline_id = $1', [template.id]);
    });
    expect((await api.as(token)('GET', `/api/pipeline/${template.id}`)).status).toBe(404);
    await api.test.database.query(
      `INSERT INTO contacts.contact (id, organization_id, name) VALUES ($1, $1, 'Ada')`,
      [organizationId],
    );
    const body = { stageId: template.stages[0].id };
    expect((await api.as(token)('PUT', `/api/pipeline/${organizationId}/move`, body)).status).toBe(200);
  });

  it.each([
    ['no stage', {}, '#/stageId'],
    ['a stage that is no id', { stageId: '17' }, '#/stageId'],
    ['a pipeline that is no id', { pipelineId: '17' }, '#/pipelineId'],
    ['a position that is a text', { position: '1' }, '#/position'],
    ['a note that is a number', { note: 7 }, '#/note'],
    ['a note too long', { note: 'x'.repeat(2_001) }, '#/note'],
    ['an unknown field', { colour: 'red' }, '#/colour'],
  ])('400 for %s', async (_, fields, pointer) => {
    const stageId = pointer === '#/stageId' ? undefined : world.stage('Lead');
    const answer = await world.move(await world.contact(), { stageId, ...fields });
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
    expect(answer.body.errors[0].pointer).toBe(pointer);
  });

  it('400 for a position that is not finite and for a note that PostgreSQL cannot store', async () => {
    const path = `${api.service.url}/api/pipeline/${await world.contact()}/move`;
    const headers = { authorization: `Bearer ${world.person.token}`, 'content-type': 'application/json' };
    for (const more of ['"position":1e999', '"note":"a\\u0000b"', '"note":"\\ud800"']) {
      const body = `{"stageId":"${world.stage('Lead')}",${more}}`;
      expect((await fetch(path, { method: 'PUT', headers, body })).status).toBe(400);
    }
  });

  it('404 for a contact or stage that is missing, deleted, foreign or of another pipeline; 401, 403', async () => {
    const stageId = world.stage('Lead');
    const id = await world.contact();
    const said = async (contactId: string, body: object = {}, call = world.call) => {
      const answer = await world.move(contactId, { stageId, ...body }, {}, call);
      return [answer.status, answer.body.code];
    };
    const other = await fresh();
    const noContact = [404, 'contact_not_found'];
    expect(await said(randomUUID())).toEqual(noContact);
    expect(await said(await other.contact())).toEqual(noContact);
    expect(await said(id, {}, stranger())).toEqual(noContact);
    expect((await world.move('17', { stageId })).status).toBe(404);
    const deleted = await world.contact();
    await world.delete(deleted);
    expect(await said(deleted)).toEqual(noContact);
    const noStage = [404, 'stage_not_found'];
    expect(await said(id, { stageId: randomUUID() })).toEqual(noStage);
    expect(await said(id, { stageId: other.stage('Lead') })).toEqual(noStage);
    expect(await said(id, { pipelineId: randomUUID() })).toEqual(noStage);
    expect((await world.move(id, { stageId }, {}, api.as())).status).toBe(401);
    expect((await world.move(id, { stageId }, {}, world.colleague(['pipelines.read']))).status).toBe(403);
    expect((await world.history(id)).data).toEqual([]);
  });

  it('404 for a stage of another organization, although the caller belongs to both', async () => {
    const other = await fresh();
    const both = api.identity.user({
      organizations: [{ id: world.person.organizationId }, { id: other.person.organizationId }],
    });
    const answer = await world.move(
      await world.contact(),
      { stageId: other.stage('Lead') },
      {},
      api.as(both),
    );
    expect([answer.status, answer.body.code]).toEqual([404, 'stage_not_found']);
  });
});

describe('concurrent changes', () => {
  it('of one card are serialized: each move starts where the other ended', async () => {
    const mates = [world.call, world.colleague(), world.colleague(), world.colleague()];
    const targets = ['Qualified', 'Proposal', 'Won', 'Lost'];
    for (let round = 0; round < 5; round += 1) {
      const id = await world.contactIn('Lead');
      const answers = await Promise.all(
        targets.map((name, n) => world.move(id, { stageId: world.stage(name), note: name }, {}, mates[n])),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(answers.map(({ body }) => body.version).sort()).toEqual([2, 3, 4, 5]);
      const { data } = await world.history(id);
      expect(data.map(({ note }: Movement) => note).sort()).toEqual([...targets, null].sort());
      for (const { to, note } of data.slice(0, 4)) expect(to.name).toBe(note);
      mustBeAChain(data);
      const last = answers.find(({ body }) => body.version === 5);
      expect(last?.body.stageId).toBe(data[0].to.id);
      const { stages } = await world.board('?limitPerStage=100');
      const where = stages.filter(({ cards }: { cards: { contactId: string }[] }) =>
        cards.some(({ contactId }) => contactId === id),
      );
      expect(where.map((stage: { id: string }) => stage.id)).toEqual([data[0].to.id]);
    }
  });

  it('that first move one contact: it enters once, then moves', async () => {
    const id = await world.contact();
    const stages = ['Lead', 'Won', 'Lost'].map((name) => world.stage(name));
    const answers = await Promise.all(stages.map((stageId) => world.move(id, { stageId })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { data } = await world.history(id);
    expect(data).toHaveLength(3);
    mustBeAChain(data);
  });

  it('of one card lose no move of a hundred', async () => {
    const id = await world.contact();
    const names = ['Lead', 'Qualified', 'Proposal', 'Won', 'Lost'];
    const moves = Array.from({ length: 100 }, (_, n) => world.stage(names[n % names.length] ?? ''));
    const answers = await Promise.all(moves.map((stageId) => world.move(id, { stageId })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { data, pagination } = await world.history(id, '?limit=100');
    expect(pagination.total).toBe(Math.max(...answers.map(({ body }) => body.version)));
    mustBeAChain(data);
  });

  it('with the same ETag: one succeeds, the others get 412', async () => {
    const id = await world.contactIn('Lead');
    const names = ['Qualified', 'Proposal', 'Won', 'Lost'];
    const answers = await Promise.all(
      names.map((name) => world.move(id, { stageId: world.stage(name) }, { 'if-match': '"v1"' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
    const refused = answers.find(({ status }) => status === 412);
    expect(refused?.body).toMatchObject({ code: 'version_mismatch', currentVersion: 2 });
    expect((await world.history(id)).pagination.total).toBe(2);
  });

  it('412 also for a contact without a stage and for the current stage', async () => {
    const id = await world.contact();
    const stageId = world.stage('Lead');
    expect((await world.move(id, { stageId }, { 'if-match': '"v1"' })).status).toBe(412);
    expect((await world.move(id, { stageId }, { 'if-match': '*' })).status).toBe(200);
    expect((await world.move(id, { stageId }, { 'if-match': '"v1"' })).status).toBe(200);
    expect((await world.move(id, { stageId }, { 'if-match': '"v2"' })).status).toBe(412);
    const foreign = await world.move(id, { stageId }, { 'if-match': '"v9"' }, stranger());
    expect(foreign.status).toBe(404);
  });

  it('of a card and its pipeline: the move succeeds, or the archived stage gives 404', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { body } = await world.call('POST', '/api/pipeline', { name: 'Short', stages: ['A', 'B'] });
      const id = await world.contact();
      const [move, archived] = await Promise.all([
        world.move(id, { stageId: body.stages[0].id }),
        world.call('DELETE', `/api/pipeline/${body.id}`),
      ]);
      expect(archived.status).toBe(200);
      expect([200, 404]).toContain(move.status);
      expect((await world.history(id)).pagination.total).toBe(move.status === 200 ? 1 : 0);
    }
  });
});

describe('GET /api/pipeline/{contactId}/history', () => {
  it('200 pages newest first, of all pipelines or one, archived ones included', async () => {
    const id = await world.contactIn('Lead');
    const { body: other } = await world.call('POST', '/api/pipeline', { name: 'Other', stages: ['A', 'B'] });
    await world.move(id, { stageId: other.stages[0].id });
    await world.move(id, { stageId: world.stage('Won') });
    await world.move(id, { stageId: other.stages[1].id, note: 'Last' });
    await world.call('DELETE', `/api/pipeline/${other.id}`);
    const seen: string[] = [];
    for (let query = '?limit=1'; query;) {
      const { data, pagination } = await world.history(id, query);
      expect(pagination.total).toBe(4);
      seen.push(...data.map(({ pipeline, to }: { pipeline: { name: string }; to: { name: string } }) =>
        `${pipeline.name}: ${to.name}`)); // prettier-ignore
      query = pagination.nextCursor ? `?limit=1&cursor=${pagination.nextCursor}` : '';
    }
    expect(seen).toEqual(['Other: B', 'Sales pipeline: Won', 'Other: A', 'Sales pipeline: Lead']);
    const only = await world.history(id, `?pipelineId=${other.id.toUpperCase()}&includeTotal=0`);
    expect(only.data.map(({ note }: Movement) => note)).toEqual(['Last', null]);
    expect(only.pagination.total).toBeUndefined();
    for (const query of ['?pipelineId=17', `?pipelineId=${randomUUID()}`])
      expect((await world.history(id, query)).data).toEqual([]);
    expect((await world.history(id, '?limit=0&cursor=nonsense')).data).toHaveLength(1);
  });

  it('200 and empty for a contact in no pipeline; 404 for missing, deleted, foreign; 401, 403', async () => {
    const id = await world.contact();
    const path = `/api/pipeline/${id}/history`;
    expect((await world.history(id)).data).toEqual([]);
    const foreign = await stranger()('GET', path);
    expect([foreign.status, foreign.body.code]).toEqual([404, 'contact_not_found']);
    expect((await world.call('GET', `/api/pipeline/${randomUUID()}/history`)).status).toBe(404);
    expect((await world.call('GET', '/api/pipeline/17/history')).status).toBe(404);
    expect((await api.as()('GET', path)).status).toBe(401);
    expect((await world.colleague(['pipelines.write'])('GET', path)).status).toBe(403);
    await world.delete(id);
    expect((await world.call('GET', path)).status).toBe(404);
  });
});

describe('GET /api/pipeline/{pipelineId}/board', () => {
  it('200 orders stages, and cards by position, then by entry time', async () => {
    const own = await fresh();
    for (const [name, position] of [
      ['C', 2],
      ['A', 1],
      ['D', 2],
      ['B', 1.5],
    ] as const)
      // prettier-ignore
      await own.move(await own.contact({ name }), { stageId: own.stage('Lead'), position });
    await own.contactIn('Won', { name: 'E' });
    expect(await own.people()).toEqual({
      ...{ Lead: [4, ['A', 'B', 'C', 'D']], Qualified: [0, []], Proposal: [0, []] },
      ...{ Won: [1, ['E']], Lost: [0, []] },
    });
    const { pipelineId, name, stages } = await own.board();
    expect([pipelineId, name]).toEqual([own.pipelineId, 'Sales pipeline']);
    expect(stages.map(({ position }: { position: number }) => position)).toEqual([0, 1, 2, 3, 4]);
  });

  it('200 continues one stage by its cursor without gaps while other cards move', async () => {
    const own = await fresh();
    const ids: string[] = [];
    for (let n = 0; n < 7; n += 1) ids.push(await own.contactIn('Lead', { name: `${n}` }));
    await own.contactIn('Won', { name: 'Other' });
    const stageId = own.stage('Lead');
    const first = await own.board('?limitPerStage=3');
    expect(first.stages[3].nextCursor).toBeNull();
    let { nextCursor } = first.stages[0];
    const seen: string[] = first.stages[0].cards.map(({ name }: { name: string }) => name);
    await own.move(ids[1] ?? '', { stageId: own.stage('Lost') });
    while (nextCursor) {
      const { stages } = await own.board(`?limitPerStage=3&stageId=${stageId}&cursor=${nextCursor}`);
      expect(stages).toHaveLength(1);
      expect([stages[0].id, stages[0].total]).toEqual([stageId, 6]);
      seen.push(...stages[0].cards.map(({ name }: { name: string }) => name));
      nextCursor = stages[0].nextCursor;
    }
    expect(seen).toEqual(['0', '1', '2', '3', '4', '5', '6']);
    const cursor = first.stages[0].nextCursor;
    const elsewhere = await own.board(`?stageId=${own.stage('Won')}&cursor=${cursor}`);
    expect(elsewhere.stages[0].cards.map(({ name }: { name: string }) => name)).toEqual(['Other']);
  });

  it('200 excludes deleted contacts, also from totals, until they are restored', async () => {
    const own = await fresh();
    const ids = [];
    for (const name of ['A', 'B', 'C']) ids.push(await own.contactIn('Lead', { name }));
    await own.delete(ids[1] ?? '');
    expect((await own.people()).Lead).toEqual([2, ['A', 'C']]);
    expect((await own.people('?limitPerStage=1')).Lead).toEqual([2, ['A']]);
    await own.restore(ids[1] ?? '');
    expect((await own.people()).Lead).toEqual([3, ['A', 'B', 'C']]);
    await api.test.database.query('DELETE FROM contacts.contact WHERE id = $1', [ids[0]]);
    expect((await own.people()).Lead).toEqual([2, ['B', 'C']]);
  });

  it.each(['limitPerStage=0', 'limitPerStage=many', 'limitPerStage=1e9', 'cursor=nonsense', 'x=y'])(
    '200 with all stages for %s',
    async (query) => expect((await world.board(`?${query}`)).stages).toHaveLength(5),
  );

  it.each(['17', '', randomUUID()])('200 for the unknown stage “%s”', async (stageId) => {
    const { stages } = await world.board(`?stageId=${stageId}`);
    expect(stages).toHaveLength(stageId ? 0 : 5);
  });

  it('404 for missing, foreign, no id; 401, 403', async () => {
    const path = `/api/pipeline/${world.pipelineId}/board`;
    const foreign = await stranger()('GET', path);
    expect([foreign.status, foreign.body.code]).toEqual([404, 'pipeline_not_found']);
    expect((await world.call('GET', `/api/pipeline/${randomUUID()}/board`)).status).toBe(404);
    expect((await world.call('GET', '/api/pipeline/17/board')).status).toBe(404);
    expect((await api.as()('GET', path)).status).toBe(401);
    expect((await world.colleague(['contacts.read'])('GET', path)).status).toBe(403);
  });
});
