import { type SandboxAccount, SandboxForTests } from '../support/sandbox.js';

const POST = { route: 'POST /2/tweets' };

describe('faults of the sandbox', () => {
  let sandbox: SandboxForTests;
  let acme: SandboxAccount;
  let other: SandboxAccount;

  beforeAll(async () => {
    sandbox = await SandboxForTests.start();
  });

  beforeEach(async () => {
    await sandbox.control('POST', '/reset');
    acme = await sandbox.account('acme');
    other = await sandbox.account('other');
  });

  afterAll(() => sandbox.stop());

  const accepted = async () => (await sandbox.ledger()).map(({ text, answered }) => [text, answered]);

  it.each(['drop-on-arrival', 'drop-before-effect'])(
    '%s: the client hears nothing and nothing happened',
    async (kind) => {
      await sandbox.fault({ ...POST, kind, times: 1 });
      await expect(sandbox.post(acme, { text: 'Lost' })).rejects.toThrow('fetch failed');
      expect(await accepted()).toEqual([]);
      expect((await sandbox.post(acme, { text: 'Lost' })).status).toBe(201);
    },
  );

  it.each(['drop-after-effect', 'cut-answer'])(
    '%s: it happened, and the client cannot know',
    async (kind) => {
      await sandbox.fault({ ...POST, kind, times: 1 });
      await expect(sandbox.post(acme, { text: 'Sent' })).rejects.toThrow();
      expect(await accepted()).toEqual([['Sent', kind]]);
      expect((await sandbox.post(acme, { text: 'Sent' })).body.detail).toMatch(/duplicate content/);
    },
  );

  it('server-error-after-effect: 500 although the post was created', async () => {
    await sandbox.fault({ ...POST, kind: 'server-error-after-effect', status: 502, times: 1 });
    const { status, body } = await sandbox.post(acme, { text: 'Sent' });
    expect([status, body.title]).toEqual([502, 'Internal Server Error']);
    expect(await accepted()).toEqual([['Sent', 'server-error-after-effect']]);
  });

  it('unreadable-answer: 201 with half a body, or with the given body', async () => {
    await sandbox.fault({ ...POST, kind: 'unreadable-answer', times: 1 });
    await sandbox.fault({ ...POST, kind: 'unreadable-answer', times: 1, body: '{"data":{}}' });
    const half = await sandbox.post(acme, { text: 'One' });
    expect([half.status, typeof half.body]).toEqual([201, 'string']);
    const empty = await sandbox.post(acme, { text: 'Two' });
    expect([empty.status, empty.body]).toEqual([201, { data: {} }]);
    expect(await accepted()).toEqual([
      ['One', 'unreadable-answer'],
      ['Two', 'unreadable-answer'],
    ]);
  });

  it.each([
    [{ kind: 'unauthorized' }, 401, 'Unauthorized'],
    [
      { kind: 'server-error-before-effect', status: 500 },
      500,
      'Something is broken. This is usually a temporary error.',
    ],
    [{ kind: 'server-error-before-effect' }, 503, 'Service Unavailable'],
    [{ kind: 'usage-capped' }, 429, 'Usage cap exceeded: Monthly product cap'],
    [{ kind: 'forbidden' }, 403, 'You are not permitted to perform this action.'],
    [
      { kind: 'forbidden', reason: 'duplicate' },
      403,
      'You are not allowed to create a Tweet with duplicate content.',
    ],
    [
      { kind: 'forbidden', reason: 'reply-not-visible' },
      403,
      'You attempted to reply to a Tweet that is deleted or not visible to you.',
    ],
    [
      { kind: 'forbidden', reason: 'reply-restricted' },
      403,
      expect.stringMatching(/^Reply to this conversation is not allowed/),
    ],
    [{ kind: 'forbidden', reason: 'suspended' }, 403, expect.stringMatching(/suspended/)],
    [{ kind: 'forbidden', reason: 'client-forbidden' }, 403, expect.stringMatching(/attached to a Project/)],
  ])('%j refuses with the error of X, without effect', async (fault, status, detail) => {
    await sandbox.fault({ ...POST, ...fault });
    const answer = await sandbox.post(acme, { text: 'Refused' });
    expect([answer.status, answer.body.detail]).toEqual([status, detail]);
    expect(await accepted()).toEqual([]);
  });

  it('rate-limited: 429 with the given reset', async () => {
    await sandbox.fault({ ...POST, kind: 'rate-limited', resetSeconds: 60 });
    const before = Math.floor(Date.now() / 1000);
    const { status, headers, body } = await sandbox.post(acme, { text: 'Later' });
    expect([status, body.title, headers.get('x-rate-limit-remaining')]).toEqual([
      429,
      'Too Many Requests',
      '0',
    ]);
    const reset = Number(headers.get('x-rate-limit-reset'));
    expect(reset - before).toBeGreaterThanOrEqual(60);
    expect(reset - before).toBeLessThanOrEqual(62);
  });

  it('answer-instead: any status and body', async () => {
    const body = '{"error":"invalid_grant"}';
    await sandbox.fault({ route: 'POST /2/oauth2/token', kind: 'answer-instead', status: 400, body });
    const answer = await sandbox.call('POST', '/x/2/oauth2/token', {
      body: new URLSearchParams({ grant_type: 'refresh_token' }),
    });
    expect([answer.status, answer.body]).toEqual([400, { error: 'invalid_grant' }]);
  });

  it('delay before the effect or after it', async () => {
    await sandbox.fault({ kind: 'delay-before-effect', delayMs: 400, textContains: 'slow start', times: 1 });
    await sandbox.fault({ kind: 'delay-after-effect', delayMs: 400, textContains: 'slow end', times: 1 });
    const answers = [sandbox.post(acme, { text: 'slow start' }), sandbox.post(acme, { text: 'slow end' })];
    await expect(Promise.race([...answers, soon(200)])).resolves.toBe('soon');
    expect(await accepted()).toEqual([['slow end', 'yes']]);
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([201, 201]);
    expect(await accepted()).toHaveLength(2);
  });

  it('apply only to their account', async () => {
    await sandbox.fault({ ...POST, kind: 'unauthorized', account: 'other' });
    expect((await sandbox.post(acme, { text: 'a' })).status).toBe(201);
    expect((await sandbox.post(other, { text: 'a' })).status).toBe(401);
  });

  it('apply to the account of a refresh token', async () => {
    await sandbox.fault({
      route: 'POST /2/oauth2/token',
      kind: 'server-error-before-effect',
      account: 'other',
    });
    const refresh = ({ refreshToken }: SandboxAccount) =>
      sandbox.call('POST', '/x/2/oauth2/token', {
        headers: {
          authorization: `Basic ${Buffer.from('sandbox-client:sandbox-secret').toString('base64')}`,
        },
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }),
      });
    expect((await refresh(other)).status).toBe(503);
    expect((await refresh(acme)).status).toBe(200);
  });

  it('can apply to all hosts except the legacy one', async () => {
    await sandbox.fault({ route: 'GET /2/users/me', host: 'api', kind: 'drop-on-arrival' });
    await expect(sandbox.get(acme, '/x/2/users/me')).rejects.toThrow();
    expect((await sandbox.get(acme, '/x-legacy/2/users/me')).status).toBe(200);
  });

  it('apply to a seeded share of the calls, reproducibly', async () => {
    await sandbox.control('PUT', '/x/settings', { rateLimits: 'off' });
    const run = async (name: string) => {
      const id = await sandbox.fault({ ...POST, kind: 'unauthorized', probability: 0.5, seed: 3 });
      const hits = [];
      for (let index = 0; index < 40; index++) {
        hits.push((await sandbox.post(acme, { text: `${name} ${index}` })).status === 401);
      }
      await sandbox.control('DELETE', `/faults/${id}`);
      return hits;
    };
    const first = await run('first');
    expect(new Set(first).size).toBe(2);
    expect(await run('second')).toEqual(first);
  });

  it('are listed with their hits, and removed one by one or all together', async () => {
    const id = await sandbox.fault({ ...POST, kind: 'unauthorized', times: 5 });
    await sandbox.fault({ kind: 'delay-after-effect', delayMs: 0 });
    await sandbox.post(acme, { text: 'a' });
    const listed = await sandbox.control('GET', '/faults');
    expect(listed.body.data[0]).toMatchObject({ id, kind: 'unauthorized', times: 5, hits: 1 });
    expect((await sandbox.control('GET', '')).status).toBe(200);
    expect((await sandbox.control('DELETE', `/faults/${id}`)).body).toEqual({ removed: true });
    expect((await sandbox.control('DELETE', `/faults/${id}`)).status).toBe(404);
    expect((await sandbox.control('DELETE', '/faults')).body).toEqual({ data: [] });
  });

  it.each([
    [{ kind: 'unauthorized', route: 'POST /2/tweet' }, /There is no route POST \/2\/tweet; there are/],
    [{ kind: 'unauthorized', network: 'y' }, /network or host does not exist/],
    [{ kind: 'unauthorized', host: 'apis' }, /network or host does not exist/],
    [{ kind: 'strange' }, /kind must be one of/],
  ])('refuses %j, which would never apply', async (fault, message) => {
    const { status, body } = await sandbox.control('POST', '/faults', fault);
    expect([status, body.error]).toEqual([400, expect.stringMatching(message)]);
  });
});

const soon = (milliseconds: number) =>
  new Promise((resolve) => setTimeout(() => resolve('soon'), milliseconds));
