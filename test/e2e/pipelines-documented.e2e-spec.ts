import { rebuildProjections } from '../../src/operator/rebuild-projections.js';
import { BusinessApi } from '../support/business-api.js';
import type { ApiResponse, Method } from '../support/call.js';
import { Documented } from '../support/documented.js';
import { PipelinesWorld } from '../support/pipelines-world.js';

let api: BusinessApi;
let world: PipelinesWorld;
let documented: Documented;
beforeAll(async () => {
  api = await BusinessApi.start();
  world = await PipelinesWorld.of(api);
  documented = await Documented.by(api.service.url);
});
afterAll(() => api.stop());

const BELOW = '/api/pipeline/{pipelineId}';

/** The answer, once it is seen to be what the document says of the operation. */
async function answered(
  operation: string,
  status: number,
  path: string,
  body?: unknown,
): Promise<ApiResponse> {
  const [method = ''] = operation.split(' ');
  const answer = await world.call(method.toUpperCase() as Method, path, body);
  expect([operation, answer.status]).toEqual([operation, status]);
  documented.check(operation, answer);
  return answer;
}

describe('responses of pipelines', () => {
  it('match the document, from the first stage to the last move', async () => {
    const made = { name: 'Partners', stages: ['A', 'B'] };
    const { body: pipeline } = await answered('post /api/pipeline', 201, '/api/pipeline', made);
    const path = `/api/pipeline/${pipeline.id}`;
    const [a, b] = pipeline.stages.map(({ id }: { id: string }) => id);
    const { body: c } = await answered(`post ${BELOW}/stages`, 201, `${path}/stages`, { name: 'C' });
    await answered(`put ${BELOW}/stages`, 200, `${path}/stages`, { stageIds: [c.id, a, b] });
    await answered(`put ${BELOW}/stages/{stageId}`, 200, `${path}/stages/${c.id}`, { name: 'D' });
    const whole = await world.contact({ name: 'Ada', email: 'ada@example.com', company: 'Acme' });
    const nameOnly = await world.contact({ name: 'Grace' });
    const move = 'put /api/pipeline/{contactId}/move';
    for (const contact of [whole, nameOnly])
      await answered(move, 200, `/api/pipeline/${contact}/move`, { stageId: a, note: 'Why' });
    await answered(move, 200, `/api/pipeline/${whole}/move`, { stageId: b, position: 0.5 });
    await answered(move, 400, `/api/pipeline/${whole}/move`, { stageId: 'x' });
    await answered(move, 404, `/api/pipeline/${c.id}/move`, { stageId: a });
    await answered(`get ${BELOW}/board`, 200, `${path}/board?limitPerStage=1`);
    await answered('get /api/pipeline/{contactId}/history', 200, `/api/pipeline/${whole}/history?limit=1`);
    await answered('get /api/pipeline', 200, '/api/pipeline');
    await answered(`get ${BELOW}`, 200, path);
    await answered(`delete ${BELOW}/stages/{stageId}`, 409, `${path}/stages/${a}`);
    await answered(`delete ${BELOW}/stages/{stageId}`, 200, `${path}/stages/${a}?moveTo=${b}`);
    await answered(`put ${BELOW}`, 200, path, { name: 'Friends' });
    await answered(`delete ${BELOW}`, 200, path);
    await answered(`get ${BELOW}`, 404, path);
  });

  it('are the same after a rebuild from the log', async () => {
    const contact = await world.contactIn('Lead', { name: 'Ada' });
    await world.move(contact, { stageId: world.stage('Won'), position: 0.1, note: 'Signed' });
    const answers = async () => [
      await world.board(),
      await world.history(contact),
      (await world.call('GET', '/api/pipeline')).body,
    ];
    const before = await answers();
    const rebuilt = await rebuildProjections(undefined, api.test.environment);
    expect(rebuilt.map(({ name }) => name)).toEqual(expect.arrayContaining(['pipelines', 'cards']));
    expect(await answers()).toEqual(before);
  });

  it('feed the audit of the organization with ids only', async () => {
    const contact = await world.contactIn('Lead', { name: 'Never in the audit' });
    await world.move(contact, { stageId: world.stage('Won'), note: 'Nor is this' });
    await api.followed();
    const rows = await api.test.database.query<{ row: string; kind: string }>(
      `SELECT kind, e::text AS row FROM content_ops.audit_event e
       WHERE organization_id = $1 AND details->>'contactId' = $2 ORDER BY version`,
      [world.person.organizationId, contact],
    );
    expect(rows.map(({ kind }) => kind)).toEqual(['card.contact_entered_stage', 'card.contact_moved']);
    for (const { row } of rows) expect(row).not.toMatch(/Never in|Nor is/);
  });
});
