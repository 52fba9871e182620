import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { networkOf } from '../../src/integrations/networks.js';
import { BusinessApi } from '../support/business-api.js';
import type { Call } from '../support/call.js';
import { inDays, PostsWorld } from '../support/posts-world.js';

let api: BusinessApi;
let world: PostsWorld & { person: { id: string; token: string; organizationId: string } };
beforeAll(async () => {
  api = await BusinessApi.start();
  world = await PostsWorld.of(api);
});
afterAll(() => api.stop());

const TOO_LONG = 'x'.repeat(281);
/** 501 characters. */
const MANY_TAGS = ['x', ...Array.from({ length: 50 }, (_, n) => String(n).padStart(10, 't'))];
const anotherTooLong = () => `${TOO_LONG} ${randomUUID()}`;
const pointers = (body: { errors: { pointer: string }[] }) => body.errors.map(({ pointer }) => pointer);
const withScopes = (...scopes: string[]) =>
  api.as(api.identity.user({ organizations: [{ id: world.person.organizationId, scopes }] }));
const aService = () => api.as(api.identity.service({ organization: { id: world.person.organizationId } }));

async function connect(brandId: string, userId: string, accountId: string): Promise<string> {
  const id = randomUUID();
  await api.test.database.query(
    `INSERT INTO integrations.connection (id, brand_id, user_id, platform, account_id, username, display_name,
       scopes, pages, groups, state, access_token)
     VALUES ($1, $2, $3, 'x', $4, 'acme', 'Acme', '{}', '[]', '[]', 'active', 'sealed')`,
    [id, brandId, userId, accountId],
  );
  return id;
}

const NO_ACCOUNT = {
  code: 'account_not_connected',
  message: 'No account of this network that the post may use is connected to the brand.',
  pointer: '#/platform',
  postId: null,
};

describe('POST /api/posts', () => {
  it('201 creates a draft', async () => {
    const text = `Hello ${randomUUID()}`;
    const answer = await world.call('POST', '/api/posts', { brandId: world.brandId, platform: 'x', text });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('etag')).toBe('"v1"');
    expect(answer.body).toMatchObject({
      ...{ brandId: world.brandId, authorId: world.person.id, platform: 'x', text, target: {}, mediaIds: [] },
      ...{ title: null, link: null, status: 'draft', scheduledAt: null, threadId: null, origin: 'person' },
      approval: { state: 'not_required', decidedBy: null },
      ...{ failure: null, attempts: 0, warnings: [], allowedActions: ['edit', 'delete'], version: 1 },
    });
  });

  it('201 schedules a post and stores its time in UTC with milliseconds', async () => {
    const day = inDays(40).slice(0, 10);
    const post = await world.post({ scheduledAt: `${day}T12:00:00+02:00`, status: 'scheduled' });
    expect(post).toMatchObject({ status: 'scheduled', scheduledAt: `${day}T10:00:00.000Z`, version: 2 });
    const [row] = await api.test.database.query<{ due: Date }>(
      'SELECT due_at AS due FROM posts.publication WHERE post_id = $1',
      [post.id],
    );
    expect(row?.due.toISOString()).toBe(post.scheduledAt);
  });

  it('stores target metadata, title, link and media as sent', async () => {
    const target = {
      connectionId: await connect(world.brandId, world.person.id, randomUUID()),
      pageId: '1',
      groupId: '2',
      organizationId: '3',
      accountId: '4',
    };
    const fields = { target, title: 'T', link: 'https://example.com/a' };
    const draft = await world.post({ ...fields, platform: 'facebook' });
    expect(draft).toMatchObject(fields);
  });

  it('stores options and shows them in the post, its lists and its queue item; empty without', async () => {
    const options = {
      privacy: 'unlisted',
      tags: ['coffee', 'flat white'],
      madeWithAi: true,
      coverAtMs: 1500,
    };
    const fields = { options, origin: 'suggestion', text: randomUUID() };
    const { id } = await world.post(fields);
    const shown = await Promise.all([
      world.call('GET', `/api/posts/${id}`),
      world.call('GET', `/api/content-ops/items/${id}`),
    ]);
    expect(shown.map(({ body }) => body.options)).toEqual([options, options]);
    const lists = await Promise.all([
      world.call('GET', `/api/posts?brandId=${world.brandId}&limit=100`),
      world.call('GET', `/api/content-ops/queue?brandId=${world.brandId}&state=pending&limit=100`),
    ]);
    const all = lists.flatMap(({ body }) => body.data);
    const own = all.filter((each: { text: string }) => each.text === fields.text);
    expect(own.map((each: { options: object }) => each.options)).toEqual([options, options]);
    expect((await world.post()).options).toEqual({});
  });

  it('400 for an option that X does not have; accepted in a draft, with a warning', async () => {
    const fields = {
      brandId: world.brandId,
      platform: 'x',
      text: randomUUID(),
      options: { format: 'story' },
    };
    const refused = await world.call('POST', '/api/posts', { ...fields, scheduledAt: inDays(2) });
    expect([refused.status, refused.body.code]).toEqual([400, 'content_cannot_be_published']);
    expect(pointers(refused.body)).toEqual(['#/options/format']);
    const kept = await world.call('POST', '/api/posts', fields);
    expect(kept.body.warnings).toEqual([expect.objectContaining({ code: 'x.options.format' })]);
  });

  it('400 for a page on X, which has none; accepted in a draft', async () => {
    const fields = { brandId: world.brandId, platform: 'x', text: 'A page', target: { pageId: '1' } };
    const refused = await world.call('POST', '/api/posts', { ...fields, scheduledAt: inDays(2) });
    expect([refused.status, refused.body.code]).toEqual([400, 'content_cannot_be_published']);
    expect(refused.body.errors).toEqual([
      expect.objectContaining({ pointer: '#/target/pageId', code: 'x.target.unsupported' }),
    ]);
    expect((await world.call('POST', '/api/posts', fields)).status).toBe(201);
  });

  it('takes the brand from X-Brand-ID', async () => {
    const call = api.as(world.person.token, { 'x-brand-id': world.brandId });
    const body = { platform: 'x', text: `Header ${randomUUID()}` };
    expect((await call('POST', '/api/posts', body)).body.brandId).toBe(world.brandId);
    const other = await call('POST', '/api/posts', { ...body, brandId: randomUUID() });
    expect([other.status, pointers(other.body)]).toEqual([400, ['#/brandId']]);
  });

  it.each([
    ['no text', { text: undefined }, '#/text'],
    ['empty text', { text: ' \n ' }, '#/text'],
    ['text of another type', { text: 5 }, '#/text'],
    ['far too long text', { text: 'x'.repeat(65_001) }, '#/text'],
    ['NUL in text', { text: 'a\0b' }, '#/text'],
    ['a lone surrogate', { text: 'a\ud800' }, '#/text'],
    ['no platform', { platform: undefined }, '#/platform'],
    ['an unknown platform', { platform: 'myspace' }, '#/platform'],
    ['no brand', { brandId: undefined }, '#/brandId'],
    ['a brand id that is none', { brandId: '17' }, '#/brandId'],
    ['a time without offset', { scheduledAt: '2030-01-01T10:00:00' }, '#/scheduledAt'],
    ['a 30 February', { scheduledAt: '2030-02-30T10:00:00Z' }, '#/scheduledAt'],
    ['words for a time', { scheduledAt: 'tomorrow' }, '#/scheduledAt'],
    ['a time in the past', { scheduledAt: '2020-01-01T10:00:00Z' }, '#/scheduledAt'],
    ['an absurd time', { scheduledAt: '9999-01-01T10:00:00Z' }, '#/scheduledAt'],
    ['scheduled without a time', { status: 'scheduled' }, '#/scheduledAt'],
    ['a draft with a time', { status: 'draft', scheduledAt: inDays(1) }, '#/scheduledAt'],
    ['published', { status: 'published' }, '#/status'],
    ['an origin that skips approval', { origin: 'person' }, '#/origin'],
    ['an unknown field', { shedule: 'x' }, '#/shedule'],
    ['an unknown part of the target', { target: { profileId: '1' } }, '#/target/profileId'],
    ['a target that is a list', { target: [] }, '#/target'],
    ['null for a target', { target: null }, '#/target'],
    ['an unknown option', { options: { audience: 'all' } }, '#/options/audience'],
    ['options that are a list', { options: [] }, '#/options'],
    ['null for options', { options: null }, '#/options'],
    ['an unknown privacy', { options: { privacy: 'secret' } }, '#/options/privacy'],
    ['a tag with #', { options: { tags: ['#a'] } }, '#/options/tags'],
    ['a tag of two lines', { options: { tags: ['a\nb'] } }, '#/options/tags'],
    ['more than 500 characters of tags', { options: { tags: MANY_TAGS } }, '#/options/tags'],
    ['a switch that is a word', { options: { madeWithAi: 'yes' } }, '#/options/madeWithAi'],
    ['a cover before the start', { options: { coverAtMs: -1 } }, '#/options/coverAtMs'],
    ['a link to a script', { link: 'javascript:alert(1)' }, '#/link'],
    ['a link without a host', { link: 'https:/example.com' }, '#/link'],
    ['a link with a password', { link: 'https://:secret@example.com/' }, '#/link'],
    ['a link that is too long as a URI', { link: `https://example.com/${'é'.repeat(1_000)}` }, '#/link'],
    ['media twice', { mediaIds: [world_(1), world_(1)] }, '#/mediaIds'],
    ['media that are no ids', { mediaIds: ['a'] }, '#/mediaIds'],
    ['position 0 of a thread', { threadId: world_(2), threadPosition: 0 }, '#/threadPosition'],
    ['half a position', { threadId: world_(2), threadPosition: 1.5 }, '#/threadPosition'],
    ['a thread id that is none', { threadId: 'abc' }, '#/threadId'],
  ])('400 for %s', async (_, fields, pointer) => {
    const body = { brandId: world.brandId, platform: 'x', text: 'Hello', ...fields };
    const answer = await world.call('POST', '/api/posts', body);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toMatch('application/problem+json');
    expect(pointers(answer.body)).toContain(pointer);
  });

  it('400 for malformed JSON, 413 for a megabyte of text, 415 for another media type', async () => {
    const send = (body: string, type: string) =>
      fetch(`${api.service.url}/api/posts`, {
        method: 'POST',
        headers: { authorization: `Bearer ${world.person.token}`, 'content-type': type },
        body,
      });
    expect((await send('{"text":', 'application/json')).status).toBe(400);
    expect((await send(JSON.stringify({ text: 'x'.repeat(1_100_000) }), 'application/json')).status).toBe(
      413,
    );
    expect((await send('text=hello', 'text/plain')).status).toBe(415);
  });

  it('refuses to schedule content that X refuses, with rule and pointer; stores it as a draft with a warning', async () => {
    const body = { brandId: world.brandId, platform: 'x', text: anotherTooLong() };
    const refused = await world.call('POST', '/api/posts', { ...body, scheduledAt: inDays(1) });
    expect([refused.status, refused.body.code]).toEqual([400, 'content_cannot_be_published']);
    expect(refused.body.errors).toEqual([
      expect.objectContaining({ pointer: '#/text', code: 'x.text.too-long' }),
    ]);
    const kept = await world.call('POST', '/api/posts', body);
    expect(kept.status).toBe(201);
    expect(kept.body.warnings).toEqual([
      expect.objectContaining({ code: 'x.text.too-long', pointer: '#/text' }),
    ]);
  });

  it('counts characters as X does: 280 wide characters are too many, a long link is accepted', async () => {
    const schedule = (text: string) =>
      world.call('POST', '/api/posts', {
        ...{ brandId: world.brandId, platform: 'x', text, scheduledAt: inDays(90 + Math.random() * 9) },
      });
    expect((await schedule('字'.repeat(141))).status).toBe(400);
    expect((await schedule(`${'字'.repeat(120)} https://example.com/${'a'.repeat(500)}`)).status).toBe(201);
  });

  it('normalizes text', async () => {
    expect((await world.post({ text: 'Cafe\u0301' })).text).toBe('Caf\u00e9');
  });

  it('warns about duplicate text and a time conflict, and refuses neither', async () => {
    const own = await PostsWorld.of(api);
    const [text, scheduledAt] = [`Twice ${randomUUID()}`, inDays(11)];
    const first = await own.post({ text, scheduledAt });
    const second = await own.post({ text: `${text} `, scheduledAt });
    expect(second.warnings).toEqual([
      NO_ACCOUNT,
      expect.objectContaining({ code: 'duplicate_text', postId: first.id }),
      expect.objectContaining({ code: 'time_conflict', postId: first.id, pointer: '#/scheduledAt' }),
    ]);
    const nextWeek = await own.post({ text, scheduledAt: inDays(18) });
    expect(nextWeek.warnings).toEqual([NO_ACCOUNT]);
    const elsewhere = await own.post({ text, scheduledAt, platform: 'threads' });
    expect(elsewhere.warnings.map((warning: { code: string }) => warning.code)).not.toContain(
      'duplicate_text',
    );
  });

  it('warns per account, whether a post names its connection or not', async () => {
    const own = await PostsWorld.of(api);
    const connectionId = await connect(own.brandId, own.person.id, '1');
    const otherId = await connect(own.brandId, randomUUID(), '2');
    const [text, scheduledAt] = [`Twice ${randomUUID()}`, inDays(11)];
    const first = await own.post({ text, scheduledAt });
    const about = (post: { warnings: { code: string; postId: string }[] }) =>
      post.warnings.map(({ code, postId }) => [code, postId]);
    const both = [
      ['duplicate_text', first.id],
      ['time_conflict', first.id],
    ];
    const elsewhere = await own.post({ text, scheduledAt, target: { connectionId: otherId } });
    expect(about(elsewhere)).toEqual([]);
    const second = await own.post({ text, scheduledAt, target: { connectionId } });
    expect(about(second)).toEqual(both);
    const third = await own.post({ text: 'Something else', scheduledAt, target: { accountId: '2' } });
    expect(about(third)).toEqual([['time_conflict', elsewhere.id]]);
  });

  it('warns at creation that no account is connected', async () => {
    const own = await PostsWorld.of(api);
    const target = { accountId: randomUUID() };
    const { warnings } = await own.post({ text: 'To nobody', scheduledAt: inDays(1), target });
    expect(warnings).toEqual([
      expect.objectContaining({ code: 'account_not_connected', pointer: '#/target', postId: null }),
    ]);
  });

  it('400 with one text for a foreign, deleted or missing connection or file, on create and update', async () => {
    const [own, stranger] = [await PostsWorld.of(api), await PostsWorld.of(api)];
    const sister = (await own.call('POST', '/api/brands', { name: 'Sister' })).body.id as string;
    const kept = await connect(own.brandId, own.person.id, randomUUID());
    const gone = await connect(own.brandId, own.person.id, randomUUID());
    const { id } = await own.post({ target: { connectionId: gone } });
    await api.test.database.query(
      `UPDATE integrations.connection SET state = 'disconnected', access_token = NULL, refresh_token = NULL WHERE id = $1`,
      [gone],
    );
    const foreign = [
      randomUUID(),
      gone,
      await connect(stranger.brandId, stranger.person.id, randomUUID()),
      await connect(sister, own.person.id, randomUUID()),
    ];
    const { id: changed } = await own.post({ target: { connectionId: kept } });
    const body = { brandId: own.brandId, platform: 'x', text: 'To somebody' };
    const refusals = await Promise.all(
      foreign.flatMap((connectionId) => {
        const named = { target: { connectionId }, mediaIds: [randomUUID()] };
        return [
          own.call('POST', '/api/posts', { ...body, ...named }),
          own.call('PUT', `/api/posts/${changed}`, named),
          own.call('PATCH', `/api/content-ops/items/${changed}`, named),
        ];
      }),
    );
    for (const refused of refusals) {
      expect([refused.status, refused.body.code]).toEqual([400, 'reference_not_found']);
      expect(pointers(refused.body)).toEqual(['#/target/connectionId', '#/mediaIds/0']);
      expect(refused.body.errors).toEqual(refusals[0]?.body.errors);
    }
    // What a post names already may be gone since, and does not stand in the way of other changes.
    expect((await own.call('PUT', `/api/posts/${id}`, { text: 'New words' })).status).toBe(200);
  });

  it('warns about the same account under another brand without naming posts that the caller cannot read', async () => {
    const [own, stranger] = [await PostsWorld.of(api), await PostsWorld.of(api)];
    const other = (await own.call('POST', '/api/brands', { name: 'Other' })).body.id as string;
    const accountId = randomUUID();
    await connect(own.brandId, own.person.id, accountId);
    await connect(other, own.person.id, accountId);
    await connect(stranger.brandId, stranger.person.id, accountId);
    const [text, scheduledAt] = [`Twice ${randomUUID()}`, inDays(11)];
    await stranger.post({ text, scheduledAt });
    const first = await own.post({ text, scheduledAt });
    expect(first.warnings).toEqual([]);
    const second = await own.post({ text, scheduledAt, brandId: other });
    expect(second.warnings.map(({ postId }: { postId: string }) => postId)).toEqual([first.id, first.id]);
    const organization = { id: own.person.organizationId, brandIds: [other] };
    const key = api.withKey(api.identity.apiKey({ organization }));
    const { body } = await key('PATCH', `/api/content-ops/items/${second.id}`, { text });
    expect(
      body.warnings.map(({ code, contentId }: { code: string; contentId: string }) => [code, contentId]),
    ).toEqual([
      ['duplicate_text', null],
      ['time_conflict', null],
    ]);
  });

  it('reports a stored post when its warnings are unavailable; with an Idempotency-Key it stores none', async () => {
    const connections = (from: string, to: string) =>
      api.test.database.query(`ALTER TABLE integrations.${from} RENAME TO ${to}`);
    const threadId = (await world.post({ threadPosition: 1 })).threadId as string;
    const scheduledAt = inDays(12);
    const post = (headers = {}) =>
      world.call(
        'POST',
        '/api/posts',
        { brandId: world.brandId, platform: 'x', text: randomUUID(), threadId, scheduledAt },
        headers,
      );
    const notLookedUp = [expect.objectContaining({ code: 'not_looked_up', pointer: '#' })];
    await connections('connection', 'connection_elsewhere');
    try {
      const saved = await post();
      expect([saved.status, saved.body.status, saved.body.warnings]).toEqual([201, 'scheduled', notLookedUp]);
      expect(saved.body.blockedBy).toMatchObject({ position: 1 });
      const item = `/api/content-ops/items/${saved.body.id}`;
      const edited = await world.call('PATCH', item, { text: randomUUID() });
      expect([edited.status, edited.body.version, edited.body.warnings]).toEqual([200, 3, notLookedUp]);
      expect((await post({ 'Idempotency-Key': randomUUID() })).status).toBe(500);
    } finally {
      await connections('connection_elsewhere', 'connection');
    }
    const { body } = await world.call('GET', `/api/posts?threadId=${threadId}`);
    expect(body.data).toHaveLength(2);
  });

  it('warns about unconfirmed posts, not about failed ones', async () => {
    const own = await PostsWorld.of(api);
    const [text, scheduledAt] = [`Failed ${randomUUID()}`, inDays(11)];
    await own.failed({}, { text, scheduledAt });
    expect((await own.post({ text, scheduledAt })).warnings).toEqual([NO_ACCOUNT]);
    const doubtful = await own.failed(
      { class: 'unconfirmed', code: 'outcome_unknown' },
      { text: 'In doubt', scheduledAt: inDays(20) },
    );
    const { warnings } = await own.post({ text: 'In doubt', scheduledAt: inDays(20) });
    expect(warnings.map(({ postId }: { postId: string }) => postId)).toContain(doubtful);
  });

  it('warns about a scheduled post until the brand has a connected account', async () => {
    const own = await PostsWorld.of(api);
    expect((await own.post({ text: randomUUID() })).warnings).toEqual([]);
    const scheduled = await own.post({ text: randomUUID(), scheduledAt: inDays(30) });
    expect(scheduled.warnings).toEqual([NO_ACCOUNT]);
    await connect(own.brandId, own.person.id, randomUUID());
    const edited = await own.call('PUT', `/api/posts/${scheduled.id}`, { title: 'Now with an account' });
    expect(edited.body.warnings).toEqual([]);
  });

  it('warns about a thread part without a previous part', async () => {
    const threadId = await world.aThread();
    const codes = async (fields: object) => {
      const { warnings } = await world.post({ threadId, ...fields });
      const others = warnings.filter(({ code }: { code: string }) => code !== NO_ACCOUNT.code);
      return others.map(({ code, pointer }: { code: string; pointer: string }) => [code, pointer]);
    };
    expect(await codes({ threadPosition: 900, scheduledAt: inDays(40) })).toEqual([
      ['thread_gap', '#/threadPosition'],
    ]);
    expect(await codes({ threadPosition: 500 })).toEqual([]);
    expect(await codes({ threadPosition: 1, scheduledAt: inDays(40) })).toEqual([]);
    expect(await codes({ threadPosition: 2, scheduledAt: inDays(40) })).toEqual([]);
  });

  it('401 without credentials, 403 without a scope, 404 for a foreign brand', async () => {
    const body = { brandId: world.brandId, platform: 'x', text: 'Hello' };
    const anonymous = await api.as()('POST', '/api/posts', body);
    expect(anonymous.status).toBe(401);
    expect(anonymous.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect((await withScopes('posts.read')('POST', '/api/posts', body)).status).toBe(403);
    const foreign = await api.as(api.person().token)('POST', '/api/posts', body);
    const missing = await world.call('POST', '/api/posts', { ...body, brandId: randomUUID() });
    expect([foreign.status, foreign.body.code]).toEqual([404, 'brand_not_found']);
    expect([missing.status, missing.body.code, missing.body.detail]).toEqual([
      404,
      foreign.body.code,
      foreign.body.detail,
    ]);
  });

  it('403 for a time without calendar.write; a draft is accepted', async () => {
    const writer = withScopes('posts.write');
    const body = { brandId: world.brandId, platform: 'x', text: `Writer ${randomUUID()}` };
    const timed = await writer('POST', '/api/posts', { ...body, scheduledAt: inDays(1) });
    expect([timed.status, timed.body.code]).toEqual([403, 'insufficient_scope']);
    expect(timed.body.requiredScopes).toEqual(['posts.write', 'calendar.write']);
    expect((await writer('POST', '/api/posts', body)).status).toBe(201);
  });

  it('creates a suggestion with a proposed time for a service principal', async () => {
    const [proposedTime, service] = [inDays(3), aService()];
    const post = await world.post({ scheduledAt: proposedTime, status: 'scheduled' }, service);
    expect(post).toMatchObject({
      ...{ status: 'draft', origin: 'suggestion', scheduledAt: null, proposedTime },
      approval: { state: 'pending' },
      allowedActions: ['edit', 'approve', 'reject', 'delete'],
    });
    expect(
      await api.test.database.query('SELECT FROM posts.publication WHERE post_id = $1', [post.id]),
    ).toEqual([]);
  });

  it('lets a person request approval', async () => {
    expect(await world.post({ origin: 'suggestion' })).toMatchObject({ approval: { state: 'pending' } });
  });

  it('creates once per Idempotency-Key, and replays the response byte by byte', async () => {
    const call = api.as(world.person.token, { 'idempotency-key': randomUUID() });
    const body = {
      brandId: world.brandId,
      platform: 'x',
      text: `Once ${randomUUID()}`,
      scheduledAt: inDays(5),
    };
    const [first, second] = [await call('POST', '/api/posts', body), await call('POST', '/api/posts', body)];
    expect([second.status, second.text]).toEqual([first.status, first.text]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect((await call('POST', '/api/posts', { ...body, text: 'Other' })).status).toBe(422);
  });

  it('creates once for ten concurrent requests with one key', async () => {
    const call = api.as(world.person.token, { 'idempotency-key': randomUUID() });
    const text = `Storm ${randomUUID()}`;
    const body = { brandId: world.brandId, platform: 'x', text };
    const answers = await Promise.all(Array.from({ length: 10 }, () => call('POST', '/api/posts', body)));
    for (const { status } of answers) expect([201, 409]).toContain(status);
    const rows = await api.test.database.query(`SELECT FROM posts.post_view WHERE details->>'text' = $1`, [
      text,
    ]);
    expect(rows).toHaveLength(1);
  });
});

describe('repeating with an Idempotency-Key', () => {
  const again = (key: string, more: Record<string, string> = {}) => ({ 'Idempotency-Key': key, ...more });

  it('404 for a caller who has left the organization meanwhile', async () => {
    const [id, key, text] = [randomUUID(), randomUUID(), `Repeated ${randomUUID()}`];
    const memberOf = (organizationId: string) =>
      api.as(api.identity.user({ id, organizations: [{ id: organizationId }] }));
    const body = { brandId: world.brandId, platform: 'x', text };
    const repeat = (call: Call) => call('POST', '/api/posts', body, again(key));
    const first = await repeat(memberOf(world.person.organizationId));
    expect(first.status).toBe(201);
    expect((await repeat(memberOf(world.person.organizationId))).body.id).toBe(first.body.id);
    const left = await repeat(memberOf(randomUUID()));
    expect(left.status).toBe(404);
    expect(left.text).not.toContain(text);
  });

  it('422 for another brand in the header', async () => {
    const other = (await world.call('POST', '/api/brands', { name: 'Other' })).body.id as string;
    const [key, text] = [randomUUID(), `Repeated ${randomUUID()}`];
    const post = (brandId: string) =>
      world.call('POST', '/api/posts', { platform: 'x', text }, again(key, { 'X-Brand-ID': brandId }));
    expect((await post(world.brandId)).status).toBe(201);
    expect((await post(other)).status).toBe(422);
    expect((await post(world.brandId.toUpperCase())).status).toBe(201);
  });

  it('does not store a 412, so that the key can be reused with the new version', async () => {
    const { id, version } = await world.scheduled();
    const key = api.withKey(api.identity.apiKey({ organization: { id: world.person.organizationId } }));
    const [name, scheduledAt] = [randomUUID(), inDays(3)];
    const move = async (ifMatch: string) => {
      const headers = again(name, { 'If-Match': ifMatch });
      return (await key('POST', `/api/content-ops/items/${id}/reschedule`, { scheduledAt }, headers)).status;
    };
    expect(await move('"v99"')).toBe(412);
    expect(await move(`"v${version}"`)).toBe(200);
  });
});

describe('GET /api/posts/{postId}', () => {
  it('200 with an ETag, 304 for a current ETag', async () => {
    const { id, warnings: _, ...post } = await world.post();
    const answer = await world.call('GET', `/api/posts/${id}`);
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, '"v1"']);
    expect(answer.body).toEqual({ id, ...post });
    const again = await world.call('GET', `/api/posts/${id}`, undefined, { 'if-none-match': '"v1"' });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('401, 403, and 404 with one text for foreign, missing and deleted posts and invalid ids', async () => {
    const { id } = await world.post();
    const gone = await world.post();
    await world.call('DELETE', `/api/posts/${gone.id}`);
    const stranger = api.as(api.person().token);
    const said = async (call: Call, path: string) => {
      const { status, body } = await call('GET', `/api/posts/${path}`);
      return [status, body.code, body.title, body.detail];
    };
    const missing = await said(world.call, randomUUID());
    expect(missing.slice(0, 2)).toEqual([404, 'post_not_found']);
    expect(await said(stranger, id)).toEqual(missing);
    expect(await said(world.call, gone.id)).toEqual(missing);
    expect((await said(world.call, '17'))[0]).toBe(404);
    expect((await api.as()('GET', `/api/posts/${id}`)).status).toBe(401);
    expect((await withScopes('posts.write')('GET', `/api/posts/${id}`)).status).toBe(403);
  });
});

describe('what becomes of a post that is late', () => {
  it('is chosen when it is created or changed, without an approval, and can be taken back', async () => {
    const post = await world.scheduled({ ifLate: 'fail' });
    expect(post).toMatchObject({ ifLate: 'fail', status: 'scheduled' });
    const choose = async (ifLate: unknown) =>
      (await world.call('PUT', `/api/posts/${post.id}`, { ifLate })).body as { ifLate?: unknown };
    expect(await choose('publish')).toMatchObject({ ifLate: 'publish', status: 'scheduled' });
    expect(await choose(null)).toMatchObject({ ifLate: null });
    expect(await choose('never')).toMatchObject({ errors: [{ pointer: '#/ifLate' }] });
    const rows = await api.test.database.query<{ of: unknown }>(
      `SELECT data->'ifLate' AS of FROM events.event WHERE stream = $1 AND type = 'PostLatenessChosen' ORDER BY version`,
      [post.id],
    );
    expect(rows.map(({ of }) => of)).toEqual(['fail', 'publish', null]);
    expect(await world.post({})).toMatchObject({ ifLate: null });
  });
});

describe('PUT /api/posts/{postId}', () => {
  const put = (id: string, body: object, headers?: Record<string, string>) =>
    world.call('PUT', `/api/posts/${id}`, body, headers);

  it('200 changes only the sent fields, also within the target', async () => {
    const target = { pageId: '1', organizationId: '3' };
    const { id } = await world.post({ platform: 'facebook', target, title: 'T' });
    const answer = await put(id, { text: 'New', target: { groupId: '2' } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('etag')).toBe('"v2"');
    expect(answer.body).toMatchObject({ text: 'New', title: 'T', target: { ...target, groupId: '2' } });
  });

  it('200 changes options one by one, on both routes', async () => {
    const suggested = {
      origin: 'suggestion',
      options: { privacy: 'private', tags: ['a'], madeForKids: false },
    };
    const { id } = await world.post({ platform: 'facebook', ...suggested });
    const answer = await put(id, { text: 'New', options: { tags: ['b'], format: null } });
    expect(answer.body.options).toEqual({ privacy: 'private', tags: ['b'], madeForKids: false });
    const item = await world.call('PATCH', `/api/content-ops/items/${id}`, {
      options: { tags: [], privacy: null },
    });
    expect([item.status, item.body.options]).toEqual([200, { madeForKids: false }]);
    const changes = await api.test.database.query<{ changed: string[] }>(
      `SELECT data->'changed' AS changed FROM events.event WHERE stream = $1 AND type = 'PostEdited' ORDER BY version`,
      [id],
    );
    expect(changes).toEqual([{ changed: ['text', 'options'] }, { changed: ['options'] }]);
  });

  it('200 removes fields sent as null, each part of the target separately, on both routes', async () => {
    const connectionId = await connect(world.brandId, world.person.id, randomUUID());
    const target = { connectionId, pageId: '1', groupId: '2' };
    const { id } = await world.post({ platform: 'facebook', target: { ...target, accountId: null } });
    const answer = await put(id, { target: { connectionId: null, accountId: null } });
    expect([answer.status, answer.body.target]).toEqual([200, { pageId: '1', groupId: '2' }]);
    const item = await world.call('PATCH', `/api/content-ops/items/${id}`, { target: { groupId: null } });
    expect([item.status, item.body.target]).toEqual([200, { pageId: '1' }]);
    expect((await world.call('GET', `/api/posts/${id}`)).body.target).toEqual({ pageId: '1' });
  });

  it('403 without calendar.write for a new time of a post that a person scheduled, also for a service principal', async () => {
    const { id, scheduledAt } = await world.scheduled();
    const organization = { id: world.person.organizationId, scopes: ['posts.read', 'posts.write'] };
    const service = api.as(api.identity.service({ organization }));
    const moved = await service('PUT', `/api/posts/${id}`, { scheduledAt: inDays(1) });
    expect([moved.status, moved.body.code]).toEqual([403, 'insufficient_scope']);
    const timed = await withScopes('posts.write')('PUT', `/api/posts/${id}`, { scheduledAt: inDays(1) });
    expect([timed.status, timed.body.code]).toEqual([403, 'insufficient_scope']);
    const { body } = await world.call('GET', `/api/posts/${id}`);
    expect(body).toMatchObject({ status: 'scheduled', scheduledAt, version: 2 });
    const draft = await world.post();
    const proposed = await service('PUT', `/api/posts/${draft.id}`, { scheduledAt: inDays(1) });
    expect([proposed.status, proposed.body.approval.state]).toEqual([200, 'pending']);
  });

  it('200 schedules a draft, reschedules it and reverts it, and returns each state', async () => {
    const { id } = await world.post();
    const [first, second] = [inDays(61), inDays(62)];
    expect((await put(id, { scheduledAt: first })).body).toMatchObject({
      status: 'scheduled',
      scheduledAt: first,
    });
    expect((await put(id, { scheduledAt: second })).body).toMatchObject({ scheduledAt: second });
    const reverted = await put(id, { status: 'draft' });
    expect(reverted.body).toMatchObject({ status: 'draft', scheduledAt: null });
    expect((await world.call('GET', `/api/posts/${id}`)).body).toMatchObject({
      status: 'draft',
      scheduledAt: null,
    });
    expect(await api.test.database.query('SELECT FROM posts.publication WHERE post_id = $1', [id])).toEqual(
      [],
    );
    await put(id, { scheduledAt: first });
    expect((await put(id, { scheduledAt: null })).body.status).toBe('draft');
  });

  it('200 edits scheduled text; the publisher reads the latest text', async () => {
    const { id } = await world.scheduled();
    const answer = await put(id, { text: 'Even better.' });
    expect(answer.body).toMatchObject({ status: 'scheduled', text: 'Even better.' });
    expect((await put(id, { status: 'scheduled', text: 'Best.' })).body.status).toBe('scheduled');
  });

  it('200 changes nothing when nothing changes', async () => {
    const { id, text, scheduledAt } = await world.scheduled();
    expect((await put(id, {})).body.version).toBe(2);
    expect((await put(id, { text, scheduledAt, title: null, target: {} })).body.version).toBe(2);
  });

  it('400 for neither text nor media, through every route, nothing changed', async () => {
    const { id } = await world.scheduled({ platform: 'linkedin' });
    const item = `/api/content-ops/items/${id}`;
    const answers = [await put(id, { text: '' }), await world.call('PATCH', item, { text: ' ' })];
    for (const { status, body } of answers)
      expect([status, body.code, pointers(body)]).toEqual([400, 'post_is_empty', ['#/text']]);
    expect((await world.call('GET', `/api/posts/${id}`)).body.version).toBe(2);
  });

  it('400 for text that X refuses in a scheduled post, a warning in a draft', async () => {
    const { id } = await world.scheduled();
    const refused = await put(id, { text: TOO_LONG });
    expect([refused.status, refused.body.code]).toEqual([400, 'content_cannot_be_published']);
    const draft = await put(id, { text: TOO_LONG, status: 'draft' });
    expect(draft.body.warnings).toContainEqual(expect.objectContaining({ code: 'x.text.too-long' }));
    expect((await put(id, { scheduledAt: inDays(1) })).status).toBe(400);
    expect((await put(id, { text: 'Short.', scheduledAt: inDays(71) })).body.status).toBe('scheduled');
  });

  it.each([
    ['a time in the past', { scheduledAt: '2020-01-01T00:00:00Z' }],
    ['a time without offset', { scheduledAt: '2030-01-01T00:00:00' }],
    ['a draft with a time', { status: 'draft', scheduledAt: inDays(1) }],
    ['scheduled for never', { status: 'scheduled', scheduledAt: null }],
    ['scheduled, but when', { status: 'scheduled' }],
    ['published', { status: 'published' }],
    ['null text', { text: null }],
    ['another brand', { brandId: randomUUID() }],
    ['another network', { platform: 'threads' }],
    ['another place in the thread', { threadPosition: 3 }],
    ['its own version', { version: 3 }],
  ])('400 for %s', async (_, body) => {
    const { id } = await world.post();
    const answer = await put(id, body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors.length).toBeGreaterThan(0);
  });

  it('412 for a stale If-Match without a change; 200 for the current one', async () => {
    const { id } = await world.post();
    expect((await put(id, { text: 'Second' }, { 'if-match': '"v1"' })).status).toBe(200);
    const stale = await put(id, { text: 'Third' }, { 'if-match': '"v1"' });
    expect([stale.status, stale.body.code, stale.body.currentVersion]).toEqual([412, 'version_mismatch', 2]);
    expect((await world.call('GET', `/api/posts/${id}`)).body.text).toBe('Second');
  });

  it('409 while the post is being sent, unconfirmed or published', async () => {
    const states = {
      publishing_in_progress: (await world.beingSent()).id,
      delivery_unconfirmed: await world.unconfirmed(),
      post_is_published: (await world.published()).id,
    };
    for (const [code, id] of Object.entries(states))
      for (const body of [{ text: 'New' }, { status: 'draft' }, { scheduledAt: inDays(1) }, {}]) {
        const answer = await put(id, body);
        expect([answer.status, answer.body.code]).toEqual([409, code]);
      }
  });

  it('keeps a failed post failed after an edit, and clears the failure with the new status', async () => {
    const id = await world.failed();
    expect((await put(id, { text: 'New' })).body).toMatchObject({
      status: 'failed',
      failure: { class: 'permanent' },
    });
    expect((await put(id, { scheduledAt: inDays(80) })).body).toMatchObject({
      status: 'scheduled',
      failure: null,
    });
    const other = await world.failed();
    expect((await put(other, { status: 'draft' })).body).toMatchObject({ status: 'draft', failure: null });
  });

  it('401, 403, 404, and 404 for a caller of another organization with any If-Match', async () => {
    const { id } = await world.post();
    const path = `/api/posts/${id}`;
    expect((await api.as()('PUT', path, { text: 'X' })).status).toBe(401);
    expect((await withScopes('posts.read')('PUT', path, { text: 'X' })).status).toBe(403);
    expect((await withScopes('posts.write')('PUT', path, { scheduledAt: inDays(1) })).status).toBe(403);
    expect((await withScopes('posts.write')('PUT', path, { text: 'Fine' })).status).toBe(200);
    for (const headers of [{}, { 'if-match': '"v7"' }] as Record<string, string>[])
      expect((await api.as(api.person().token)('PUT', path, { text: 'X' }, headers)).status).toBe(404);
    expect((await put(randomUUID(), { text: 'X' })).status).toBe(404);
    expect((await put('17', { text: 'X' })).status).toBe(404);
  });

  it('requires approval after an edit by an automation, from every status', async () => {
    const { id, scheduledAt } = await world.scheduled();
    const answer = await aService()('PUT', `/api/posts/${id}`, { text: `Machine ${randomUUID()}` });
    expect(answer.body).toMatchObject({
      ...{ status: 'draft', origin: 'suggestion', scheduledAt: null, proposedTime: scheduledAt },
      approval: { state: 'pending' },
    });
    const refused = await put(id, { scheduledAt: inDays(4) });
    expect([refused.status, refused.body.code]).toEqual([409, 'approval_missing']);
  });

  it('lets an automation propose another time, but not set it', async () => {
    const { id } = await world.post();
    const answer = await aService()('PUT', `/api/posts/${id}`, { scheduledAt: inDays(7) });
    expect(answer.body).toMatchObject({ status: 'draft', approval: { state: 'pending' }, scheduledAt: null });
  });

  it('removes a proposed time: approval needs the new version and leaves no time', async () => {
    const { id, version, proposedTime } = await world.post({ scheduledAt: inDays(8) }, aService());
    expect((await put(id, { status: 'draft' })).body).toMatchObject({ version, proposedTime });
    const answer = await put(id, { scheduledAt: null });
    expect([answer.status, answer.body]).toMatchObject([200, { proposedTime: null, status: 'draft' }]);
    expect(answer.body.approval.state).toBe('pending');
    const approve = (etag: string) =>
      world.call('POST', `/api/content-ops/items/${id}/approve`, undefined, { 'if-match': etag });
    expect((await approve(`"v${version}"`)).status).toBe(412);
    const approved = await approve(answer.headers.get('etag') ?? '');
    expect(approved.body).toMatchObject({ approvalState: 'approved', publishStatus: 'draft' });
  });
});

describe('DELETE /api/posts/{postId}', () => {
  it('204, then 404; the history remains', async () => {
    const { id } = await world.scheduled();
    const answer = await world.call('DELETE', `/api/posts/${id}`);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await world.call('DELETE', `/api/posts/${id}`)).status).toBe(404);
    expect((await world.call('PUT', `/api/posts/${id}`, { text: 'X' })).status).toBe(404);
    const [row] = await api.test.database.query<{ types: string[] }>(
      'SELECT array_agg(type ORDER BY version) AS types FROM events.event WHERE stream = $1',
      [id],
    );
    expect(row?.types).toEqual(['PostDrafted', 'PostScheduled', 'PostDeleted']);
    expect(await api.test.database.query('SELECT FROM posts.publication WHERE post_id = $1', [id])).toEqual(
      [],
    );
  });

  it('204 for a published post, which stays on the network', async () => {
    expect((await world.call('DELETE', `/api/posts/${(await world.published()).id}`)).status).toBe(204);
  });

  it('409 while the post is being sent or unconfirmed; 204 after it is resolved', async () => {
    const { id } = await world.beingSent();
    const sent = await world.call('DELETE', `/api/posts/${id}`);
    expect([sent.status, sent.body.code]).toEqual([409, 'publishing_in_progress']);
    const unconfirmed = await world.unconfirmed();
    const doubted = await world.call('DELETE', `/api/posts/${unconfirmed}`);
    expect([doubted.status, doubted.body.code]).toEqual([409, 'delivery_unconfirmed']);
    await world.notDelivered(unconfirmed);
    expect((await world.call('DELETE', `/api/posts/${unconfirmed}`)).status).toBe(204);
  });

  it('401, 403, 404 and 412', async () => {
    const { id } = await world.post();
    const path = `/api/posts/${id}`;
    expect((await api.as()('DELETE', path)).status).toBe(401);
    expect((await withScopes('posts.read')('DELETE', path)).status).toBe(403);
    expect((await api.as(api.person().token)('DELETE', path)).status).toBe(404);
    expect((await world.call('DELETE', path, undefined, { 'if-match': '"v9"' })).status).toBe(412);
    expect((await world.call('DELETE', path, undefined, { 'if-match': '"v1"' })).status).toBe(204);
  });
});

describe('the rules of a network', () => {
  afterEach(() => jest.restoreAllMocks());

  it('run once per request, for the decision and for the warnings', async () => {
    const rules = jest.spyOn(networkOf('x').rules, 'preflight');
    const times = async (request: () => Promise<unknown>) => {
      rules.mockClear();
      await request();
      return rules.mock.calls.length;
    };
    let path = '';
    expect(
      await times(async () => {
        path = `/api/posts/${(await world.post({ origin: 'suggestion' })).id}`;
      }),
    ).toBe(1);
    const edit = { text: `Edited ${randomUUID()}` };
    expect(await times(() => world.call('PUT', path, edit))).toBe(1);
    const item = path.replace('/posts/', '/content-ops/items/');
    expect(await times(() => world.call('POST', `${item}/approve`))).toBe(1);
    expect(await times(() => world.call('PUT', path, { scheduledAt: inDays(3) }))).toBe(1);
    expect((await world.call('GET', path)).body).toMatchObject({ ...edit, status: 'scheduled' });
  });
});

describe('POST /api/posts/preflight', () => {
  it('200 returns the findings of the network’s rules, and stores nothing', async () => {
    const ask = (text: string) => world.call('POST', '/api/posts/preflight', { platform: 'x', text });
    expect((await ask('Fine.')).body).toEqual({ publishable: true, findings: [] });
    const answer = await ask(TOO_LONG);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      publishable: false,
      findings: [{ ruleId: 'x.text.too-long', severity: 'error', pointer: '#/text' }],
    });
  });

  it('400, 401, 403', async () => {
    const path = '/api/posts/preflight';
    expect((await world.call('POST', path, { platform: 'x' })).status).toBe(400);
    expect((await api.as()('POST', path, { platform: 'x', text: 'a' })).status).toBe(401);
    expect((await withScopes('posts.read')('POST', path, { platform: 'x', text: 'a' })).status).toBe(403);
  });
});

function world_(n: number): string {
  return `01936d2e-7c1a-7b3e-9f52-00000000000${n}`;
}
