import { BusinessApi } from '../support/business-api.js';
import type { Call, Method } from '../support/call.js';
import { ContentStage, inHours } from '../support/content-stage.js';
import { Documented } from '../support/documented.js';

const ITEM = '/api/content-ops/items/{contentId}';

describe('the document of content operations and the widget', () => {
  let api: BusinessApi;
  let stage: ContentStage;
  let documented: Documented;
  const seen = new Set<string>();

  beforeAll(async () => {
    api = await BusinessApi.start();
    stage = await ContentStage.set(api);
    documented = await Documented.by(api.service.url);
  });

  afterAll(() => api.stop());

  const check = async (
    expected: number,
    call: Call,
    operation: string,
    {
      id = '',
      query = '',
      body,
      headers,
    }: { id?: string; query?: string; body?: object; headers?: Record<string, string> } = {},
  ) => {
    const [method = '', path = ''] = operation.split(' ');
    const answer = await call(
      method.toUpperCase() as Method,
      path.replace('{contentId}', id) + query,
      body,
      headers,
    );
    expect([operation, answer.status]).toEqual([operation, expected]);
    documented.check(operation, {
      ...answer,
      headers: Object.fromEntries(answer.headers),
    });
    seen.add(`${operation} ${answer.status}`);
  };

  it('describes the success response of every operation', async () => {
    const { person } = stage;
    const pending = await stage.suggestion(inHours(5));
    const doubt = await stage.failed('unconfirmed');
    await stage.scheduled(inHours(2), { threadPosition: 2 });
    await stage.published();
    await api.followed();
    for (const list of ['queue', 'daily', 'events']) await check(200, person, `get /api/content-ops/${list}`);
    await check(200, person, 'get /api/widget');
    for (const id of [pending, doubt]) await check(200, person, `get ${ITEM}`, { id });
    await check(304, person, `get ${ITEM}`, { id: doubt, headers: { 'if-none-match': '"v4"' } });
    await check(200, person, `patch ${ITEM}`, { id: pending, body: { text: 'Better' } });
    await check(200, person, `post ${ITEM}/approve`, { id: pending });
    await check(200, person, `post ${ITEM}/reject`, { id: await stage.suggestion() });
    await check(200, person, `post ${ITEM}/reschedule`, { id: pending, body: { scheduledAt: inHours(9) } });
    await check(200, person, `post ${ITEM}/resolve`, { id: doubt, body: { delivered: false } });
    await check(200, person, `post ${ITEM}/retry`, { id: doubt });
  });

  it('describes the error responses of every operation', async () => {
    const id = await stage.beingSent();
    const stale = { 'if-match': '"v1"' };
    const poor = stage.key(['accounts.read']);
    const { person } = stage;
    for (const operation of documented.operations.filter((one) => /content-ops|widget/.test(one))) {
      await check(401, api.as(), operation, { id });
      if (!operation.endsWith('widget')) await check(403, poor, operation, { id });
      const body = bodyFor(operation);
      await check(404, person, operation, { id, body, headers: { 'x-brand-id': crypto.randomUUID() } });
      if (operation.startsWith('get')) continue;
      await check(400, person, operation, { id, body: { ...body, unknown: 1 } });
      await check(409, person, operation, { id, body });
      await check(412, person, operation, { id, body, headers: stale });
    }
    expect(seen.size).toBeGreaterThan(50);
  });
});

function bodyFor(operation: string): object | undefined {
  if (operation.startsWith('get')) return undefined;
  if (operation.endsWith('reschedule')) return { scheduledAt: inHours(5) };
  if (operation.endsWith('resolve')) return { delivered: false };
  return operation.startsWith('patch') ? { text: 'Other words' } : {};
}
