import { randomUUID } from 'node:crypto';
import { Caller } from '#libs/auth';
import { runInContext } from '#libs/http';
import type { ValidatedCaller } from '#libs/platform-client';
import { PostNotFound } from '../../src/posts/domain/post.errors.js';
import { fingerprintOf } from '../../src/posts/content/content-fingerprint.js';
import { PostsAccess } from '../../src/posts/commands/posts.access.js';
import { remove } from '../../src/posts/domain/scheduling.js';
import { BusinessApi } from '../support/business-api.js';
import { RowLock } from '../support/row-lock.js';
import { inDays, PostsWorld } from '../support/posts-world.js';

let api: BusinessApi;
let world: Awaited<ReturnType<typeof PostsWorld.of>>;
beforeAll(async () => {
  api = await BusinessApi.start();
  world = await PostsWorld.of(api);
});
afterAll(() => api.stop());

/** Answers 409 to a hundred moves at once. About 80 when the product repeats an overtaken change, 1 200 when it does not. */
const MAX_CONFLICTS = 400;
const path = (id: string) => `/api/posts/${id}`;
const approve = (id: string, tag: string) =>
  world.call('POST', `/api/content-ops/items/${id}/approve`, undefined, { 'if-match': tag });

describe('concurrent requests', () => {
  it('that edit different fields both succeed', async () => {
    const { id } = await world.post();
    const answers = await Promise.all([
      world.call('PUT', path(id), { title: 'Title' }),
      world.call('PUT', path(id), { link: 'https://example.com/' }),
      world.call('PUT', path(id), { text: 'Text' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { body } = await world.call('GET', path(id));
    expect(body).toMatchObject({ title: 'Title', link: 'https://example.com/', text: 'Text', version: 4 });
  });

  it('that edit with the same ETag: one succeeds, the other gets 412', async () => {
    const { id } = await world.post();
    const answers = await Promise.all(
      ['A', 'B', 'C', 'D'].map((text) => world.call('PUT', path(id), { text }, { 'if-match': '"v1"' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
    const winner = answers.find(({ status }) => status === 200);
    expect((await world.call('GET', path(id))).body.text).toBe(winner?.body.text);
  });

  it('that approve and edit never approve unread text', async () => {
    for (let round = 0; round < 8; round += 1) {
      const read = `Read ${randomUUID()}`;
      const { id, version } = await world.post({ origin: 'suggestion', text: read });
      const approval = () => approve(id, `"v${version}"`);
      const edit = () => world.call('PUT', path(id), { text: `Changed ${randomUUID()}` });
      // Each of them first in half of the rounds: either may win.
      const earlier = round % 2 === 0 ? undefined : edit();
      const [approved, edited] = await Promise.all([approval(), earlier ?? edit()]);
      const { body } = await world.call('GET', path(id));
      expect(edited.status).toBe(200);
      expect([200, 412]).toContain(approved.status);
      // What was approved, by the fingerprint in the log: the text that was read, whichever came first.
      const approvals = await api.test.database.query<{ fingerprint: string }>(
        `SELECT data->>'fingerprint' AS fingerprint FROM events.event WHERE stream = $1 AND type = 'PostApproved'`,
        [id],
      );
      const content = { text: read, title: null, mediaIds: [], link: null, target: {} };
      const ofRead = [{ fingerprint: fingerprintOf(content) }];
      expect(approvals).toEqual(approved.status === 200 ? ofRead : []);
      if (approved.status === 200) expect(approved.body.text).toBe(read);
      if (approved.status === 412) expect(body.approval.state).toBe('pending');
      else expect(body.approval).toMatchObject({ state: 'approved', decidedBy: { id: world.person.id } });
    }
  });

  it('that move a post a hundred times leave one due row with the last time', async () => {
    const { id } = await world.scheduled();
    const times = Array.from({ length: 100 }, (_, n) => inDays(100 + n));
    let conflicts = 0;
    /** As a client does: what was overtaken is asked for again. */
    const move = async (scheduledAt: string): Promise<number> => {
      for (;;) {
        const { status } = await world.call('PUT', path(id), { scheduledAt });
        if (status !== 409 || conflicts === MAX_CONFLICTS) return status;
        conflicts += 1;
      }
    };
    expect(await Promise.all(times.map(move))).toEqual(times.map(() => 200));
    const moved = await api.test.database.query<{ at: string }>(
      `SELECT data->>'scheduledAt' AS at FROM events.event WHERE stream = $1 AND type = 'PostRescheduled'`,
      [id],
    );
    expect(moved.map(({ at }) => at).sort()).toEqual(times.toSorted());
    const due = await api.test.database.query<{ due: Date }>(
      'SELECT due_at AS due FROM posts.publication WHERE post_id = $1',
      [id],
    );
    const { scheduledAt } = (await world.call('GET', path(id))).body;
    expect(due.map((row) => row.due.toISOString())).toEqual([scheduledAt]);
    const [last] = await api.test.database.query<{ at: string }>(
      `SELECT data->>'scheduledAt' AS at FROM events.event WHERE stream = $1 ORDER BY version DESC LIMIT 1`,
      [id],
    );
    expect(scheduledAt).toBe(last?.at);
  });

  it('of which one moves the brand: a repeated decision never uses the former organization', async () => {
    const { id } = await world.post();
    const [from, to] = [world.person.organizationId, randomUUID()];
    const mover = api.as(
      api.identity.user({ organizations: [from, to].map((id) => ({ id, role: 'owner' })) }),
    );
    const body = { authorization: `Bearer ${world.person.token}`, service: 'social-publishing' };
    const validated = (await api.identity.validate(body)) as ValidatedCaller;
    const change = { postId: id, caller: Caller.of(validated, 'bearer'), scopes: ['posts.write'] };
    let tries = 0;
    const faster = async () => {
      tries += 1;
      await world.call('PUT', path(id), { text: 'Faster' });
      await mover('POST', `/api/brands/${world.brandId}/transfer-organization`, { organizationId: to });
      return () => remove({ type: 'user', id: world.person.id });
    };
    const access = api.service.app.get(PostsAccess, { strict: false });
    const request = { requestId: randomUUID(), correlationId: randomUUID() };
    const late = runInContext(request, () => access.decide(change, faster));
    await expect(late).rejects.toThrow(PostNotFound);
    expect(tries).toBe(1);
    expect((await mover('GET', path(id))).body).toMatchObject({ text: 'Faster', version: 2 });
    await mover('POST', `/api/brands/${world.brandId}/transfer-organization`, { organizationId: from });
  });

  it.each([
    ['cannot be written by the former organization', [], 404, 'brand_not_found'],
    ['is to be sent again by who belongs to both', ['to'], 409, 'brand_has_moved'],
  ])('a new post in a brand that moves between check and append %s', async (_, more, status, code) => {
    const [from, to] = [randomUUID(), randomUUID()];
    const mine = api.person(from);
    const organizations = [from, ...more.map(() => to)].map((id) => ({ id, role: 'owner' }));
    const call = api.as(api.identity.user({ organizations }));
    const { body: brand } = await api.as(mine.token)('POST', '/api/brands', { name: 'Moves' });
    const moving = await RowLock.by(
      api.test,
      'UPDATE brands.brand_view SET organization_id = $2 WHERE id = $1',
      [brand.id, to],
    );
    const post = { brandId: brand.id, platform: 'x', text: 'Slips in' };
    const [answer] = await moving.meanwhile([call('POST', '/api/posts', post)]);
    expect([answer?.status, answer?.body.code]).toEqual([status, code]);
    const written = await api.test.database.query('SELECT FROM posts.post_view WHERE brand_id = $1', [
      brand.id,
    ]);
    expect(written).toEqual([]);
  });

  it('that delete and edit: no edit follows the delete', async () => {
    const { id } = await world.post();
    const [edit, removal] = await Promise.all([
      world.call('PUT', path(id), { text: 'Late' }),
      world.call('DELETE', path(id)),
    ]);
    expect([200, 404]).toContain(edit.status);
    expect(removal.status).toBe(204);
    const [row] = await api.test.database.query<{ type: string }>(
      'SELECT type FROM events.event WHERE stream = $1 ORDER BY version DESC LIMIT 1',
      [id],
    );
    expect(row?.type).toBe('PostDeleted');
  });
});

describe('a suggestion', () => {
  it('is approved as read, scheduled for its proposed time, idempotently', async () => {
    const proposedTime = inDays(12);
    const service = api.as(api.identity.service({ organization: { id: world.person.organizationId } }));
    const { id } = await world.post({ scheduledAt: proposedTime }, service);
    const { body } = await world.call('GET', path(id));
    const answer = await approve(id, `"v${body.version}"`);
    expect(answer.status).toBe(200);
    const { body: approved } = await world.call('GET', path(id));
    expect(approved).toMatchObject({
      status: 'scheduled',
      scheduledAt: proposedTime,
      approval: { state: 'approved' },
    });
    expect((await approve(id, `"v${approved.version}"`)).status).toBe(200);
    expect((await world.call('GET', path(id))).body).toEqual(approved);
    expect((await approve(id, `"v${body.version}"`)).status).toBe(412);
  });

  it.each([
    ['a newer shape', 'PostEdited', 2],
    ['a type of a newer release', 'PostTranslated', 1],
  ])('gives 503 while its stream holds an event of %s', async (_, type, schemaVersion) => {
    const { id } = await world.post();
    await api.test.database.query(
      `INSERT INTO events.event (transaction_id, stream, version, at, id, schema_version, stream_type, type, data, metadata)
       SELECT transaction_id, stream, 2, at, gen_random_uuid(), $2, stream_type, $3, data, metadata
       FROM events.event WHERE stream = $1`,
      [id, schemaVersion, type],
    );
    const item = `/api/content-ops/items/${id}`;
    for (const [method, where, body] of [
      ['PUT', path(id), { text: 'Other' }],
      ['DELETE', path(id), undefined],
      ['PATCH', item, { text: 'Other' }],
      ['POST', `${item}/approve`, undefined],
      ['POST', `${item}/reschedule`, { scheduledAt: inDays(3) }],
    ] as const) {
      const answer = await world.call(method, where, body);
      expect([answer.status, answer.body.code]).toEqual([503, 'event_of_newer_release']);
      expect(answer.headers.get('retry-after')).toBe('5');
    }
    expect((await world.call('GET', path(id))).status).toBe(200);
  });

  it('cannot be approved by its author, a service principal', async () => {
    const service = api.as(api.identity.service({ organization: { id: world.person.organizationId } }));
    const { id } = await world.post({}, service);
    const answer = await service('POST', `/api/content-ops/items/${id}/approve`);
    expect([answer.status, answer.body.code]).toEqual([403, 'suggestion_is_your_own']);
  });
});
