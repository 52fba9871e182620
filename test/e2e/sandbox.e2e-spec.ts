import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../../sandbox/start.js';
import { SandboxForTests } from '../support/sandbox.js';

describe('the sandbox', () => {
  let sandbox: SandboxForTests;

  beforeAll(async () => {
    sandbox = await SandboxForTests.start();
  });

  afterAll(() => sandbox.stop());

  it('is alive', async () => {
    expect(await sandbox.call('GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  it('describes itself and lists its networks', async () => {
    const { body, headers } = await sandbox.call('GET', '/');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(body).toContain('href="/x-web/northwind"');
    const state = await sandbox.control('GET', '');
    const prefixes = state.body.sites.map(({ prefix }: { prefix: string }) => prefix) as string[];
    expect(prefixes).toEqual(expect.arrayContaining(['/x', '/x-legacy', '/x-web']));
  });

  it.each([
    [{ host: 'rebound.example' }, 403],
    [{ host: 'rebound.example:3900', origin: 'http://rebound.example:3900' }, 403],
    [{ host: '127.0.0.1.rebound.example' }, 403],
    [{ origin: 'https://elsewhere.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'http://127.0.0.1:1' }, 403],
    [{ host: 'localhost:3900', origin: 'http://localhost:3900' }, 200],
    [{}, 200],
  ])('answers on its control routes to %j with %i', async (headers, expected) => {
    const statuses = ['/_sandbox', '/_sandbox/ledger', '/_sandbox/faults', '/'].map(
      (path) =>
        new Promise((resolve, reject) =>
          request(sandbox.url + path, { headers }, (answer) => resolve(answer.resume().statusCode))
            .on('error', reject)
            .end(),
        ),
    );
    expect(await Promise.all(statuses)).toEqual([expected, expected, expected, expected]);
  });

  it('escapes everything on its pages', async () => {
    const account = await sandbox.account('sneaky', {
      name: '<img src=x onerror=alert(1)>',
      description: '"><svg onload=alert(2)>',
    });
    const text = '<script>alert(3)</script> https://example.com/"onmouseover="alert(4) & \'';
    const { body } = await sandbox.post(account, { text });
    for (const path of ['/', '/x-web/sneaky', `/x-web/sneaky/status/${body.data.id}`]) {
      const page = await sandbox.call('GET', path);
      expect(page.status).toBe(200);
      expect(page.body).not.toMatch(/<script|<svg|<img src=x|"onmouseover/i);
    }
    expect((await sandbox.call('GET', '/x-web/sneaky')).body).toContain('&lt;script&gt;alert(3)');
    expect((await sandbox.call('GET', '/x-web/i/avatars/sneaky.svg')).body).not.toContain('<I');
  });

  it('shows a thread joined, and finds a post by its id alone', async () => {
    const account = await sandbox.account('threads');
    const first = await sandbox.post(account, { text: 'Thread begins' });
    const reply = { in_reply_to_tweet_id: first.body.data.id };
    await sandbox.post(account, { text: 'Something else' });
    const second = await sandbox.post(account, { text: 'Thread goes on', reply });
    const { body } = await sandbox.call('GET', '/x-web/threads');
    const order = ['Thread begins', 'Thread goes on', 'Something else'].map((text) => body.indexOf(text));
    expect(order.toSorted((left, right) => left - right)).toEqual(order);
    expect(body.match(/<section/g)).toHaveLength(2);
    const found = await sandbox.call('GET', `/x-web/i/web/status/${second.body.data.id}`);
    expect([found.status, found.headers.get('location')]).toEqual([
      302,
      `/x-web/threads/status/${second.body.data.id}`,
    ]);
    expect((await sandbox.call('GET', '/x-web/threads/status/1')).status).toBe(404);
    expect((await sandbox.call('GET', '/x-web/nobody')).status).toBe(404);
  });

  it.each([
    ['GET', '/x/2/nothing'],
    ['PATCH', '/x/2/tweets'],
    ['GET', '/x'],
    ['GET', '/nothing'],
    ['GET', '/_sandbox/nothing'],
    ['GET', '/x/2/tweets/%E0%A4%A'],
    ['GET', '//x/2/users/me'],
    ['GET', '/x-web/i/avatars/..%2f..%2fetc.svg'],
  ])('answers 404 to %s %s', async (method, path) => {
    expect((await sandbox.call(method, path)).status).toBe(404);
  });

  it.each([
    ['/x/accounts', { username: 'not a handle' }],
    ['/x/accounts', { username: 'fine', scopes: ['everything'] }],
    ['/x/accounts', { username: 'fine', role: 'admin' }],
    ['/x/accounts', { username: 'fine', name: 5 }],
    ['/x/accounts', { username: 'fine', subscriptionType: 'Gold' }],
    ['/x/accounts/northwind/expire-tokens', { which: 'all' }],
    ['/faults', []],
  ])('answers 400 to %s %j', async (path, body) => {
    const { status, body: answer } = await sandbox.control('POST', path, body);
    expect([status, typeof answer.error]).toEqual([400, 'string']);
  });

  it('takes control only as JSON, which another origin cannot send', async () => {
    const init = { headers: { 'content-type': 'text/plain' }, body: '{"kind":"unauthorized"}' };
    expect((await sandbox.call('POST', '/_sandbox/faults', init)).status).toBe(400);
    expect((await sandbox.control('GET', '/ledger?limit=x')).status).toBe(400);
    expect((await sandbox.control('GET', '/ledger?since=soon')).status).toBe(400);
  });

  it('counts the answers of networks by route and status', async () => {
    const counted = async () => {
      const { data } = (await sandbox.control('GET', '/calls')).body;
      const of = (status: number) =>
        data.find(
          (each: { route: string; status: number }) =>
            each.route === 'POST /2/tweets' && each.status === status,
        );
      return [of(201)?.count ?? 0, of(401)?.count ?? 0];
    };
    const account = await sandbox.account('counted');
    const [accepted = 0, refused = 0] = await counted();
    await sandbox.post(account, { text: 'Counted' });
    await sandbox.post({ ...account, accessToken: 'unknown' }, { text: 'Refused' });
    expect(await counted()).toEqual([accepted + 1, refused + 1]);
  });

  it('survives bodies that are huge, cut off or no HTTP at all', async () => {
    const account = await sandbox.account('robust');
    const huge = await sandbox.post(account, { text: 'a'.repeat(1_100_000) });
    expect([huge.status, huge.body.title]).toEqual([413, 'Request Entity Too Large']);
    const megabyte = await sandbox.post(account, { text: 'a'.repeat(900_000) });
    expect(megabyte.status).toBe(400);
    const deep = `{"text":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    const headers = { authorization: `Bearer ${account.accessToken}`, 'content-type': 'application/json' };
    expect((await sandbox.call('POST', '/x/2/tweets', { headers, body: deep })).status).toBe(400);
    const port = Number(new URL(sandbox.url).port);
    await Promise.all([
      speak(port, 'POST /x/2/tweets HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"text"'),
      speak(port, '\u0000\u0001garbage\r\n\r\n'),
      speak(port, `GET / HTTP/1.1\r\nhost: x\r\ncookie: ${'a'.repeat(100_000)}\r\n\r\n`),
      speak(port, 'POST /x/2/tweets HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'),
    ]);
    expect((await sandbox.post(account, { text: 'Still here' })).status).toBe(201);
  });

  it('refuses an environment that would open it to the network', async () => {
    await expect(startSandbox({ SANDBOX_HOST: '0.0.0.0' }, { port: 0 })).rejects.toThrow(/SANDBOX_HOST/);
    await expect(startSandbox({ SANDBOX_REDIRECT_URIS: 'nowhere' }, { port: 0 })).rejects.toThrow(
      /SANDBOX_REDIRECT_URIS/,
    );
  });

  it('reports that its port is in use', async () => {
    const port = Number(new URL(sandbox.url).port);
    await expect(startSandbox({}, { port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});

describe('a sandbox with a folder', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  const start = (more: Record<string, string> = {}) =>
    SandboxForTests.start({ SANDBOX_DATA: folder, ...more });
  const file = () => join(folder, 'sandbox.jsonl');

  it('comes back as it was', async () => {
    const before = await start();
    const account = await before.account('acme', { name: 'Acme' });
    const kept = await before.post(account, { text: 'Kept \u2028 and \u2029 "quoted"\n' });
    const gone = await before.post(account, { text: 'Deleted' });
    await before.call('DELETE', `/x/2/tweets/${gone.body.data.id}`, {
      headers: { authorization: `Bearer ${account.accessToken}` },
    });
    const revoked = await before.account('other');
    await before.control('POST', '/x/accounts/other/revoke');
    await before.fault({ kind: 'server-error-after-effect', textContains: 'Withheld' });
    await before.post(account, { text: 'Withheld' });
    const ledger = await before.ledger();
    await before.stop();

    const after = await start();
    expect(ledger.at(-1)).toMatchObject({ text: 'Withheld', answered: 'server-error-after-effect' });
    expect(await after.ledger()).toEqual(ledger);
    expect((await after.get(account, '/x/2/users/me')).body.data.name).toBe('Acme');
    expect((await after.get(revoked, '/x/2/users/me')).status).toBe(401);
    const timeline = await after.get(account, `/x/2/users/${account.id}/tweets`);
    expect(timeline.body.data.map(({ id }: { id: string }) => id)).toEqual([
      ledger.at(-1)?.id,
      kept.body.data.id,
    ]);
    expect((await after.post(account, { text: 'Kept \u2028 and \u2029 "quoted"\n' })).status).toBe(403);
    const next = await after.post(account, { text: 'Next' });
    expect(BigInt(next.body.data.id)).toBeGreaterThan(BigInt(gone.body.data.id));
    expect((await after.ledger()).at(-1)?.sequence).toBe(ledger.length + 1);
    await after.stop();
  });

  it('leaves out a line that was cut off, and goes on', async () => {
    const before = await start();
    const account = await before.account('acme');
    await before.post(account, { text: 'Whole' });
    await before.stop();
    await writeFile(file(), `${await readFile(file(), 'utf8')}\n{"kind":"x.post","post":{"id":"12`);
    const after = await start();
    expect((await after.ledger()).map(({ text }) => text)).toEqual(['Whole']);
    await after.post(account, { text: 'Afterwards' });
    await after.stop();
    const last = await start();
    expect((await last.ledger()).map(({ text }) => text)).toEqual(['Whole', 'Afterwards']);
    await last.stop();
  });

  it('does not keep the history of what is over', async () => {
    const before = await start();
    await before.account('acme');
    for (let index = 0; index < 50; index++) await before.control('POST', '/x/accounts/acme/suspend');
    await before.stop();
    const linesBefore = (await readFile(file(), 'utf8')).split('\n').length;
    const after = await start();
    expect((await after.control('GET', '/x/accounts')).body.data.at(-1)).toMatchObject({ suspended: true });
    await after.stop();
    expect((await readFile(file(), 'utf8')).split('\n').length).toBeLessThan(linesBefore - 45);
  });

  it('is left alone by a second one that finds the port taken', async () => {
    const first = await start();
    const account = await first.account('acme');
    const port = Number(new URL(first.url).port);
    await expect(startSandbox({ SANDBOX_DATA: folder }, { port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    await first.post(account, { text: 'Not lost' });
    await first.stop();
    const after = await start();
    expect((await after.ledger()).map(({ text }) => text)).toEqual(['Not lost']);
    await after.stop();
  });

  it('has written what it answered, when it is durable', async () => {
    const durable = await start({ SANDBOX_DURABLE: 'true' });
    const account = await durable.account('acme');
    for (let index = 0; index < 20; index++) {
      await durable.post(account, { text: `Post ${index}` });
      expect(await readFile(file(), 'utf8')).toContain(`"text":"Post ${index}"`);
    }
    await durable.stop();
  });

  it('resets on request, also on disk', async () => {
    const before = await start();
    await before.post(await before.account('acme'), { text: 'Forgotten' });
    await before.control('POST', '/reset');
    await before.stop();
    expect(await readFile(file(), 'utf8')).not.toContain('Forgotten');
    const after = await start();
    expect(await after.ledger()).toEqual([]);
    expect((await after.call('GET', '/x-web/northwind')).status).toBe(200);
    await after.stop();
  });
});

/** Sends bytes, ends, and waits until the other side is done with them. */
function speak(port: number, bytes: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
    socket.on('error', () => undefined).on('close', () => resolve());
    socket.resume();
  });
}
