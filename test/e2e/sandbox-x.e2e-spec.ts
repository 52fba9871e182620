import { FixedClock } from '#libs/clock/testing';
import { type SandboxAccount, SandboxForTests } from '../support/sandbox.js';

const PROBLEMS = 'https://api.twitter.com/2/problems';

describe('the API of X in the sandbox', () => {
  const clock = new FixedClock(new Date('2026-11-21T10:00:00.000Z'));
  let sandbox: SandboxForTests;
  let acme: SandboxAccount;
  let other: SandboxAccount;

  beforeAll(async () => {
    sandbox = await SandboxForTests.start({}, clock);
  });

  beforeEach(async () => {
    await sandbox.control('POST', '/reset');
    acme = await sandbox.account('acme', { name: 'Acme' });
    other = await sandbox.account('other');
  });

  afterAll(() => sandbox.stop());

  it('creates a post, records it once, and counts down the limit', async () => {
    const { status, body, headers } = await sandbox.post(acme, { text: 'Hello' });
    expect(status).toBe(201);
    expect(body).toEqual({
      data: { id: expect.stringMatching(/^\d{19}$/), text: 'Hello', edit_history_tweet_ids: [body.data.id] },
    });
    expect(headers.get('x-rate-limit-limit')).toBe('100');
    expect(headers.get('x-rate-limit-remaining')).toBe('99');
    expect(headers.get('x-rate-limit-reset')).toBe(String(clock.now().getTime() / 1000 + 900));
    expect(headers.get('date')).toBe(clock.now().toUTCString());
    expect(await sandbox.ledger()).toEqual([
      expect.objectContaining({
        kind: 'post.created',
        text: 'Hello',
        id: body.data.id,
        answered: 'yes',
        host: 'api',
      }),
    ]);
  });

  it('gives increasing ids and the text as X rewrites it', async () => {
    const first = await sandbox.post(acme, { text: 'a < b & see https://example.com/page' });
    const second = await sandbox.post(acme, { text: 'second' });
    expect(BigInt(second.body.data.id)).toBeGreaterThan(BigInt(first.body.data.id));
    expect(first.body.data.text).toMatch(/^a &lt; b &amp; see https:\/\/t\.co\/\w{10}$/);
    const read = await sandbox.get(
      acme,
      `/x/2/tweets/${first.body.data.id}?tweet.fields=created_at,author_id,entities`,
    );
    expect(read.body.data).toMatchObject({
      text: first.body.data.text,
      author_id: acme.id,
      created_at: clock.now().toISOString(),
      entities: { urls: [{ expanded_url: 'https://example.com/page', start: 12, end: 35 }] },
    });
    expect((await sandbox.ledger('?contains=see'))[0].text).toBe('a < b & see https://example.com/page');
  });

  it.each([
    ['an unknown property', { text: 'a', body: 'b' }, /\$\.body: is not defined in the schema/],
    ['no text and no media', {}, /either text or media/],
    ['empty text', { text: '  \n' }, /either text or media/],
    ['text that weighs 281', { text: '日'.repeat(140) + 'a' }, /^Your Tweet text is too long\./],
    [
      'a link that makes it 281',
      { text: `${'a'.repeat(257)} example.com` },
      /^Your Tweet text is too long\./,
    ],
    ['media that was never uploaded', { text: 'a', media: { media_ids: ['12'] } }, /media IDs are invalid/],
    ['a character X refuses', { text: 'a\uFFFEb' }, /invalid characters/],
    ['a body that is no object', ['text'], /array found, object expected/],
  ])('refuses %s with 400', async (_case, requestBody, message) => {
    const { status, body, headers } = await sandbox.post(acme, requestBody);
    expect(status).toBe(400);
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(body).toEqual({
      errors: [{ message: expect.stringMatching(message), parameters: expect.any(Object) }],
      title: 'Invalid Request',
      detail: 'One or more parameters to your request was invalid.',
      type: `${PROBLEMS}/invalid-request`,
    });
    expect(await sandbox.ledger()).toEqual([]);
  });

  it('takes a text that weighs exactly 280, and 25 000 from a subscriber', async () => {
    expect((await sandbox.post(acme, { text: '日'.repeat(140) })).status).toBe(201);
    const premium = await sandbox.account('premium', { subscriptionType: 'Premium' });
    expect((await sandbox.post(premium, { text: 'a'.repeat(25_000) })).status).toBe(201);
    expect((await sandbox.post(premium, { text: 'a'.repeat(25_001) })).status).toBe(400);
  });

  it.each([
    ['malformed JSON', '{"text":', 'application/json'],
    ['another media type', 'text=a', 'application/x-www-form-urlencoded'],
    ['no body', '', 'application/json'],
  ])('refuses %s with 400', async (_case, body, type) => {
    const headers = { authorization: `Bearer ${acme.accessToken}`, 'content-type': type };
    const answer = await sandbox.call('POST', '/x/2/tweets', { headers, body });
    expect(answer.status).toBe(400);
    expect(answer.body.type).toBe(`${PROBLEMS}/invalid-request`);
  });

  it('refuses the same text of the same account within the window, and only that', async () => {
    const created = await sandbox.post(acme, { text: 'Twice' });
    const { status, body } = await sandbox.post(acme, { text: 'Twice' });
    expect(status).toBe(403);
    expect(body).toEqual({
      title: 'Forbidden',
      detail: 'You are not allowed to create a Tweet with duplicate content.',
      type: 'about:blank',
      status: 403,
    });
    expect((await sandbox.post(other, { text: 'Twice' })).status).toBe(201);
    await sandbox.call('DELETE', `/x/2/tweets/${created.body.data.id}`, {
      headers: { authorization: `Bearer ${acme.accessToken}` },
    });
    expect((await sandbox.post(acme, { text: 'Twice' })).status).toBe(201);
    await sandbox.control('PUT', '/x/settings', { duplicateWindowSeconds: 0 });
    expect((await sandbox.post(acme, { text: 'Twice' })).status).toBe(201);
    const counts = await sandbox.control('GET', `/ledger/counts?account=acme`);
    expect(counts.body).toMatchObject({ accepted: 3, distinct: 1, repeated: { Twice: 3 }, forgotten: 0 });
  });

  it('joins replies to their thread, and refuses replies to what is missing or foreign', async () => {
    const reply = (id: string, text: string, account = acme) =>
      sandbox.post(account, { text, reply: { in_reply_to_tweet_id: id } });
    const first = await sandbox.post(acme, { text: 'One. With @other' });
    const second = await reply(first.body.data.id, 'Two');
    const third = await reply(second.body.data.id, 'Three');
    const read = await sandbox.get(
      acme,
      `/x/2/tweets/${third.body.data.id}?tweet.fields=conversation_id,referenced_tweets`,
    );
    expect(read.body.data.conversation_id).toBe(first.body.data.id);
    expect(read.body.data.referenced_tweets).toEqual([{ type: 'replied_to', id: second.body.data.id }]);
    const current = await sandbox.get(
      acme,
      `/x/2/tweets/${third.body.data.id}?post.fields=created_at&expansions=referenced_posts.id`,
    );
    expect(current.body.data.referenced_posts).toEqual(read.body.data.referenced_tweets);
    expect((await reply('1', 'To nobody')).body.detail).toMatch(/deleted or not visible to you/);
    expect((await reply(first.body.data.id, 'Mentioned', other)).status).toBe(201);
    const foreign = await reply(second.body.data.id, 'Not mentioned', other);
    expect([foreign.status, foreign.body.detail]).toEqual([
      403,
      expect.stringMatching(/not been mentioned or otherwise engaged/),
    ]);
  });

  it('refuses features the app has no access to', async () => {
    const { status, body } = await sandbox.post(acme, { text: 'a', quote_tweet_id: '1' });
    expect([status, body.detail]).toEqual([403, 'You are not permitted to perform this action.']);
  });

  it('holds each user to 100 posts in 15 minutes, until the reset it names', async () => {
    for (let index = 0; index < 100; index++) await sandbox.post(acme, { text: `Post ${index}` });
    const { status, body, headers } = await sandbox.post(acme, { text: 'One too many' });
    expect(status).toBe(429);
    expect(body).toEqual({
      title: 'Too Many Requests',
      detail: 'Too Many Requests',
      type: 'about:blank',
      status: 429,
    });
    expect(headers.get('x-rate-limit-remaining')).toBe('0');
    expect((await sandbox.post(other, { text: 'Somebody else' })).status).toBe(201);
    clock.advance(900_000);
    expect((await sandbox.post(acme, { text: 'One too many' })).status).toBe(201);
  });

  it('has no limits and states none when they are off, and other limits when configured', async () => {
    await sandbox.control('PUT', '/x/settings', { limits: { 'POST /2/tweets': 1 } });
    await sandbox.post(acme, { text: '1' });
    expect((await sandbox.post(acme, { text: '2' })).status).toBe(429);
    await sandbox.control('PUT', '/x/settings', { rateLimits: 'off' });
    const answer = await sandbox.post(acme, { text: '2' });
    expect([answer.status, answer.headers.get('x-rate-limit-remaining')]).toEqual([201, null]);
    expect((await sandbox.control('PUT', '/x/settings', { limits: { 'POST /3/tweets': 1 } })).status).toBe(
      400,
    );
  });

  it.each(['/x', '/x-legacy'])('shows the profile on %s, with the fields asked for', async (base) => {
    const { status, body } = await sandbox.get(
      acme,
      `${base}/2/users/me?user.fields=profile_image_url,verified,verified_type,subscription_type`,
    );
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        id: acme.id,
        name: 'Acme',
        username: 'acme',
        profile_image_url: `${sandbox.url}/x-web/i/avatars/acme.svg`,
        verified: false,
        verified_type: 'none',
        subscription_type: 'None',
      },
    });
  });

  it('refuses unknown fields by name', async () => {
    const { status, body } = await sandbox.get(acme, '/x/2/users/me?user.fields=name,password');
    expect(status).toBe(400);
    expect(body.errors[0].message).toMatch(
      /^The `user\.fields` query parameter value \[password\] is not one of \[/,
    );
  });

  it.each([
    ['no token', {}],
    ['an unknown one', { authorization: 'Bearer nothing' }],
    ['another scheme', { authorization: 'Basic abc' }],
  ])('returns 401 for %s', async (_case, headers: Record<string, string>) => {
    const { status, body } = await sandbox.call('GET', '/x/2/users/me', { headers });
    expect(status).toBe(401);
    expect(body).toEqual({ title: 'Unauthorized', detail: 'Unauthorized', type: 'about:blank', status: 401 });
  });

  it('answers 403 without the scope, and to a suspended account', async () => {
    const reader = await sandbox.account('reader', { scopes: ['tweet.read', 'users.read'] });
    expect(reader.refreshToken).toBeNull();
    expect((await sandbox.post(reader, { text: 'a' })).status).toBe(403);
    expect((await sandbox.get(reader, '/x/2/users/me')).status).toBe(200);
    await sandbox.control('POST', '/x/accounts/acme/suspend');
    expect((await sandbox.post(acme, { text: 'a' })).body.detail).toMatch(/suspended/);
    await sandbox.control('POST', '/x/accounts/acme/suspend', { suspended: false });
    expect((await sandbox.post(acme, { text: 'a' })).status).toBe(201);
  });

  it('answers 200 with errors for a post that does not exist', async () => {
    const { status, body } = await sandbox.get(acme, '/x/2/tweets/77');
    expect(status).toBe(200);
    expect(body.data).toBeUndefined();
    expect(body.errors).toEqual([
      expect.objectContaining({
        detail: 'Could not find tweet with id: [77].',
        type: `${PROBLEMS}/resource-not-found`,
      }),
    ]);
    expect((await sandbox.get(acme, '/x/2/tweets/abc')).status).toBe(400);
    expect((await sandbox.get(acme, '/x/2/tweets')).status).toBe(404);
  });

  it('deletes own posts only', async () => {
    const { body } = await sandbox.post(acme, { text: 'Short-lived' });
    const remove = (account: SandboxAccount) =>
      sandbox.call('DELETE', `/x/2/tweets/${body.data.id}`, {
        headers: { authorization: `Bearer ${account.accessToken}` },
      });
    expect((await remove(other)).status).toBe(403);
    expect((await remove(acme)).body).toEqual({ data: { deleted: true } });
    expect((await sandbox.get(acme, `/x/2/tweets/${body.data.id}`)).body.errors).toHaveLength(1);
    expect((await remove(acme)).status).toBe(200);
    expect((await sandbox.ledger()).map(({ kind }) => kind)).toEqual(['post.created', 'post.deleted']);
  });

  describe('the timeline of a user', () => {
    const ids: string[] = [];

    beforeEach(async () => {
      ids.length = 0;
      for (let index = 0; index < 12; index++) {
        clock.advance(1_000);
        ids.unshift((await sandbox.post(acme, { text: `Post ${index}` })).body.data.id);
      }
    });

    const read = (query: string) => sandbox.get(acme, `/x/2/users/${acme.id}/tweets?${query}`);

    it('is read page by page, newest first', async () => {
      const seen: string[] = [];
      let query = 'max_results=5';
      for (let page = 0; page < 3; page++) {
        const { body } = await read(query);
        seen.push(...body.data.map(({ id }: { id: string }) => id));
        expect(body.meta.result_count).toBe(body.data.length);
        query = `max_results=5&pagination_token=${body.meta.next_token}`;
        if (page === 2) expect(body.meta.next_token).toBeUndefined();
      }
      expect(seen).toEqual(ids);
    });

    it('starts on the configured address', async () => {
      const since = new Date(clock.now().getTime() - 2_000).toISOString();
      expect((await read(`start_time=${since}`)).body.data).toHaveLength(3);
      expect((await read(`since_id=${ids[1]}`)).body.data).toHaveLength(1);
      expect((await read(`until_id=${ids[10]}`)).body.data).toHaveLength(1);
      expect((await read('start_time=2030-01-01T00:00:00Z')).body).toEqual({ meta: { result_count: 0 } });
    });

    it.each([
      'max_results=4',
      'max_results=101',
      'max_results=x',
      'start_time=yesterday',
      'pagination_token=zzz',
      'tweet.fields=secret',
    ])('refuses %s', async (query) => {
      const { status, body } = await read(query);
      expect([status, body.title]).toEqual([400, 'Invalid Request']);
    });

    it('of an unknown account is an error in the response', async () => {
      const { status, body } = await sandbox.get(acme, '/x/2/users/12/tweets');
      expect([status, body.errors[0].resource_type]).toEqual([200, 'user']);
    });
  });
});
