import { randomUUID } from 'node:crypto';
import { BusinessApi } from '../support/business-api.js';
import { type ContactOwner, createContactOwner, eventsOf, statusAndCode } from '../support/contact-owners.js';
import { Documented } from '../support/documented.js';

const MAX = 20_000;
const ALL = '/api/contacts/{id}/notes';
const ONE = '/api/contacts/{contactId}/notes/{noteId}';

describe('notes of a contact', () => {
  let api: BusinessApi;
  let documented: Documented;
  let keeper: ContactOwner;
  let notes: string;

  const add = async (body: string) => (await keeper.call('POST', notes, { body })).body;

  beforeAll(async () => {
    api = await BusinessApi.start();
    documented = await Documented.by(api.service.url);
  });
  afterAll(() => api.stop());
  beforeEach(async () => {
    keeper = await createContactOwner(api);
    notes = `/api/contacts/${keeper.contactId}/notes`;
  });

  it('are added, read, changed and permanently deleted', async () => {
    const added = await keeper.call('POST', notes, { body: '  Calls after ten.\n' });
    documented.check(`post ${ALL}`, added);
    expect([added.status, added.headers.get('etag')]).toEqual([201, '"v1"']);
    expect(added.body).toMatchObject({
      body: '  Calls after ten.\n',
      contactId: keeper.contactId,
      version: 1,
    });
    expect(added.body.author).toEqual({ type: 'user', id: expect.any(String) as string });

    const one = `${notes}/${added.body.id}`;
    const read = await keeper.call('GET', one);
    documented.check(`get ${ONE}`, read);
    expect([read.status, read.body]).toEqual([200, added.body]);

    const changed = await keeper.call('PUT', one, { body: 'Calls before ten.' });
    documented.check(`put ${ONE}`, changed);
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"v2"']);
    expect(changed.body).toMatchObject({ body: 'Calls before ten.', version: 2, author: added.body.author });

    const deleted = await keeper.call('DELETE', one);
    documented.check(`delete ${ONE}`, deleted);
    expect([deleted.status, deleted.body]).toEqual([200, { id: added.body.id, deleted: true }]);
    for (const again of [await keeper.call('GET', one), await keeper.call('DELETE', one)]) {
      expect(statusAndCode(again)).toEqual([404, 'note_not_found']);
    }
    expect(await api.test.database.query('SELECT FROM contacts.note')).toHaveLength(0);
  });

  it('are in the log with ids only, in the stream of the contact', async () => {
    const { id: noteId } = await add('Her mother is ill.');
    await keeper.call('PUT', `${notes}/${noteId}`, { body: 'Her mother is well again.' });
    await keeper.call('DELETE', `${notes}/${noteId}`);
    const data = { contactId: keeper.contactId, noteId };
    expect(await eventsOf(api.test.database, keeper.contactId)).toEqual([
      { type: 'NoteAdded', data },
      { type: 'NoteUpdated', data },
      { type: 'NoteDeleted', data },
    ]);
    expect(await add('x').then(() => keeper.call('PUT', `${notes}/${noteId}`, { body: 'y' }))).toMatchObject({
      status: 404,
    });
    expect(await eventsOf(api.test.database, keeper.contactId)).toHaveLength(4);
  });

  it('are listed in pages, newest first, with a total', async () => {
    for (let n = 1; n <= 5; n += 1) await add(`note ${n}`);
    const first = await keeper.call('GET', `${notes}?limit=2`);
    documented.check(`get ${ALL}`, first);
    expect(first.body.pagination).toMatchObject({ limit: 2, hasMore: true, total: 5 });
    expect(first.headers.get('link')).toContain('rel="next"');
    const texts: string[] = [];
    for (let page = first; ;) {
      texts.push(...page.body.data.map(({ body }: { body: string }) => body));
      const { nextCursor } = page.body.pagination;
      if (!nextCursor) break;
      page = await keeper.call('GET', `${notes}?limit=2&cursor=${nextCursor}`);
    }
    expect(texts).toEqual(['note 5', 'note 4', 'note 3', 'note 2', 'note 1']);
    for (const odd of ['limit=nonsense', 'cursor=nonsense', 'limit=-1', 'page=9']) {
      expect((await keeper.call('GET', `${notes}?${odd}&includeTotal=false`)).status).toBe(200);
    }
    const { id: otherId } = await keeper.world.contact();
    const other = `/api/contacts/${otherId}/notes`;
    expect((await keeper.call('GET', other)).body).toMatchObject({ data: [], pagination: { total: 0 } });
    const foreignCursor = await keeper.call('GET', `${other}?cursor=${first.body.pagination.nextCursor}`);
    expect(foreignCursor.body.data).toEqual([]);
  });

  it.each([
    ['no text', {}],
    ['an empty text', { body: '' }],
    ['nothing to be seen', { body: ' \n\t' }],
    ['invisible signs', { body: '\u200b\u2060' }],
    ['a text too long', { body: 'x'.repeat(MAX + 1) }],
    ['a NUL', { body: 'a\0b' }],
    ['a number', { body: 7 }],
    ['an unknown field', { body: 'x', colour: 'red' }],
  ])('400 for %s', async (_, body) => {
    const { id } = await add('stays');
    const one = `${notes}/${id}`;
    for (const answer of [await keeper.call('POST', notes, body), await keeper.call('PUT', one, body)]) {
      expect(statusAndCode(answer)).toEqual([400, 'validation_failed']);
    }
    documented.check(`post ${ALL}`, await keeper.call('POST', notes, body));
    documented.check(`put ${ONE}`, await keeper.call('PUT', one, body));
    expect((await keeper.call('GET', one)).body).toMatchObject({ body: 'stays', version: 1 });
  });

  it('accept 20 000 characters of any kind', async () => {
    const body = '🐢'.repeat(MAX);
    const added = await keeper.call('POST', notes, { body });
    expect([added.status, added.body.body]).toEqual([201, body]);
  });

  it('412 after a concurrent change', async () => {
    const { id } = await add('one');
    const one = `${notes}/${id}`;
    await keeper.call('PUT', one, { body: 'two' }, { 'if-match': '"v1"' });
    for (const method of ['PUT', 'DELETE'] as const) {
      const body = method === 'PUT' ? { body: 'three' } : undefined;
      const late = await keeper.call(method, one, body, { 'if-match': '"v1"' });
      expect([late.status, late.body.currentVersion]).toEqual([412, 2]);
      documented.check(`${method.toLowerCase()} ${ONE}`, late);
    }
    expect((await keeper.call('GET', one, undefined, { 'if-none-match': '"v2"' })).status).toBe(304);
    expect((await keeper.call('DELETE', one, undefined, { 'if-match': '"v2"' })).status).toBe(200);
  });

  it('serialize concurrent changes and apply all of them', async () => {
    const { id } = await add('zero');
    const bodies = Array.from({ length: 8 }, (_, n) => `change ${n}`);
    const answers = await Promise.all(bodies.map((body) => keeper.call('PUT', `${notes}/${id}`, { body })));
    expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 200));
    expect(answers.map(({ body }) => body.version as number).sort()).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('are added once per Idempotency-Key', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await keeper.call('POST', notes, { body: 'once' }, headers);
    const again = await keeper.call('POST', notes, { body: 'once' }, headers);
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([
      201,
      first.text,
      'true',
    ]);
    expect((await keeper.call('POST', notes, { body: 'other' }, headers)).status).toBe(422);
    expect((await keeper.call('GET', notes)).body.data).toHaveLength(1);
  });

  it('are not found by another organization, under another contact or for a deleted contact', async () => {
    const { id } = await add('mine');
    const { id: another } = await keeper.world.contact();
    const stranger = api.as(api.person().token);
    const everything = async (call: typeof keeper.call, contactId: string) => [
      await call('GET', `/api/contacts/${contactId}/notes/${id}`),
      await call('PUT', `/api/contacts/${contactId}/notes/${id}`, { body: 'theirs' }),
      await call('DELETE', `/api/contacts/${contactId}/notes/${id}`),
    ];
    const lists = async (call: typeof keeper.call, contactId: string) => [
      await call('GET', `/api/contacts/${contactId}/notes`),
      await call('POST', `/api/contacts/${contactId}/notes`, { body: 'theirs' }),
    ];
    const statuses = (answers: { status: number }[]) => new Set(answers.map(({ status }) => status));
    expect(statuses(await everything(keeper.call, another))).toEqual(new Set([404]));
    for (const contactId of [keeper.contactId, randomUUID(), 'no-id']) {
      const answers = [...(await everything(stranger, contactId)), ...(await lists(stranger, contactId))];
      expect(statuses(answers)).toEqual(new Set([404]));
    }
    await keeper.call('DELETE', `/api/contacts/${keeper.contactId}`);
    const deleted = [
      ...(await everything(keeper.call, keeper.contactId)),
      ...(await lists(keeper.call, keeper.contactId)),
    ];
    expect(statuses(deleted)).toEqual(new Set([404]));
    for (const [index, operation] of [
      `get ${ONE}`,
      `put ${ONE}`,
      `delete ${ONE}`,
      `get ${ALL}`,
      `post ${ALL}`,
    ].entries()) {
      documented.check(operation, deleted[index] as (typeof deleted)[number]);
    }
  });

  it('are erased with the contact', async () => {
    await add('soon gone');
    await keeper.world.as('admin')('DELETE', `/api/contacts/${keeper.contactId}?erase=true`);
    const left = await api.test.database.query('SELECT FROM contacts.note WHERE contact_id = $1', [
      keeper.contactId,
    ]);
    expect(left).toHaveLength(0);
  });

  it('are replayed by Idempotency-Key, also after deletion, until the contact is erased', async () => {
    const send = () =>
      keeper.call('POST', notes, { body: 'Her sister is ill.' }, { 'idempotency-key': 'sister' });
    const first = await send();
    await keeper.call('DELETE', `${notes}/${first.body.id}`);
    const again = await send();
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([
      201,
      first.text,
      'true',
    ]);
    expect((await keeper.call('GET', notes)).body.data).toEqual([]);
    await keeper.world.as('admin')('DELETE', `/api/contacts/${keeper.contactId}?erase=true`);
    expect(statusAndCode(await send())).toEqual([404, 'contact_not_found']);
    const kept = `SELECT FROM http.idempotent_request WHERE response::text LIKE '%sister%'`;
    expect(await api.test.database.query(kept)).toEqual([]);
  });

  it('401 without credentials, 403 without the scope', async () => {
    expect((await api.as()('GET', notes)).status).toBe(401);
    const reader = keeper.world.as('member', ['contacts.read']);
    expect((await reader('GET', notes)).status).toBe(200);
    expect(statusAndCode(await reader('POST', notes, { body: 'x' }))).toEqual([403, 'insufficient_scope']);
    const blind = keeper.world.as('member', ['contacts.write']);
    expect((await blind('GET', notes)).status).toBe(403);
  });
});
