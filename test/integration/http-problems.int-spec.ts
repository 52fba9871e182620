import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { BODY_LIMIT_BYTES, type RunningService } from '#libs/http';
import { call, type SampleResponse, startSample } from './http-sample.js';
import { waitUntil } from '../support/wait-until.js';

/** Every error has the same form, whoever throws it and however early. */
function expectProblem(answer: SampleResponse, status: number, code: string): void {
  expect({ status: answer.status, code: answer.body?.code }).toEqual({ status, code });
  expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const requestId = answer.headers.get('x-request-id');
  expect(answer.body).toMatchObject({ status, requestId, instance: `urn:request:${requestId}` });
  expect(answer.body.type).toMatch(/^(urn:problem:|https:)/);
  for (const text of [answer.body.title, answer.body.detail])
    expect(text).toEqual(expect.stringMatching(/\w/));
}

describe('problems', () => {
  let service: RunningService;
  beforeAll(async () => (service = await startSample()));
  afterAll(() => service.close());

  const get = (path: string, headers: Record<string, string> = {}) => call(service.url + path, { headers });
  const post = (json: unknown, path = '/things') => call(service.url + path, { method: 'POST', json });

  const raw = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => socket.write(text));
      let answer = '';
      socket.on('data', (data) => (answer += data.toString()));
      socket.on('end', () => resolve(answer)).on('error', reject);
    });

  it.each([
    ['domain', 409, 'thing_is_frozen'],
    ['outage', 503, 'database_unavailable'],
    ['raw-outage', 503, 'database_unavailable'],
    ['disk-full', 503, 'database_unavailable'],
    ['out-of-memory', 503, 'database_unavailable'],
    ['disk-error', 503, 'database_unavailable'],
    ['read-only', 503, 'database_unavailable'],
    ['statement-timeout', 503, 'database_timeout'],
    ['no-file', 500, 'internal_error'],
    ['other-connection', 500, 'internal_error'],
    ['forbidden', 403, 'forbidden'],
    ['unauthorized', 401, 'unauthenticated'],
    ['unknown', 500, 'internal_error'],
    ['not-a-status', 500, 'internal_error'],
    ['success-status', 500, 'internal_error'],
    ['teapot', 418, 'http_418'],
    ['multer', 413, 'too_large'],
  ])('%s error of a handler is %i %s', async (kind, status, code) => {
    expectProblem(await get(`/things/failures/${kind}`), status, code);
  });

  it('reports the first of thousands of errors with a very long name in a short response', async () => {
    const nul = '"\\u0000",'.repeat(9_000).slice(0, -1);
    const answer = await post(`{"${'a'.repeat(500_000)}":[${nul}]}`);
    expectProblem(answer, 400, 'validation_failed');
    expect(answer.body.errors).toHaveLength(20);
    expect(answer.text.length).toBeLessThan(10_000);
  });

  it('discloses no internal error', async () => {
    const { text } = await get('/things/failures/unknown');
    expect(text).not.toMatch(/hunter2|srv|stack/);
    expect((await get('/things/failures/raw-outage')).text).not.toMatch(/10\.1\.2\.3|ECONN/);
  });

  it('accepts additional problem members, but never replaces standard ones', async () => {
    const { body } = await get('/things/failures/domain');
    expect(body).toMatchObject({
      since: 3,
      status: 409,
      title: 'Thing is frozen',
      detail: 'This thing is frozen.',
    });
  });

  it('sends Retry-After for an outage, and WWW-Authenticate', async () => {
    expect((await get('/things/failures/outage')).headers.get('retry-after')).toBe('2');
    expect((await get('/things/failures/unauthorized')).headers.get('www-authenticate')).toMatch(/^Bearer/);
  });

  it('returns refusals of guards as problems', async () => {
    expectProblem(await get('/things', { Authorization: 'Bearer nobody' }), 401, 'unauthenticated');
  });

  it.each(['/nothing', '/things/nope', '/things/%E0%A4%A', '/%00', '/things/failures/%00', '/docs/nope.js'])(
    'answers 404 to %s',
    async (path) => expectProblem(await get(path), 404, 'not_found'),
  );

  it('returns 405 with Allow where only the method is unknown', async () => {
    const answer = await call(`${service.url}/things`, { method: 'DELETE' });
    expectProblem(answer, 405, 'method_not_allowed');
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
    const options = await call(`${service.url}/things`, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, POST, OPTIONS']);
  });

  it('responds to HEAD as to GET, without a body', async () => {
    const head = await call(`${service.url}/nothing`, { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([404, '']);
  });

  it.each([
    ['malformed', '{"name":', 'malformed_json'],
    ['an array', '[]', 'validation_failed'],
    ['a string', '"x"', 'validation_failed'],
    ['null', 'null', 'validation_failed'],
    ['nothing', '', 'validation_failed'],
  ])('returns 400 for a body that is %s', async (_name, json, code) => {
    expectProblem(await post(json), 400, code);
  });

  it.each(['12345678901234567', '-9007199254740993', '1152921504606846976', '1'.repeat(400)])(
    'refuses the integer %s by pointer, which would come back with other digits',
    async (integer) => {
      const answer = await post(`{"name":"n","at":[{"id":${integer}}]}`);
      expectProblem(answer, 400, 'validation_failed');
      expect(answer.body.errors).toEqual([
        {
          pointer: '#/at/0/id',
          code: 'number_not_exact',
          detail: 'is an integer that a number cannot hold with all its digits: send it as text',
        },
      ]);
    },
  );

  it.each(['9007199254740991', '100000000000000000', '0.12345678901234567', '1.7976931348623157e308'])(
    'reads the number %s, also together with one that is refused',
    async (number) => {
      const answer = await post(`{"name":${number},"other":"1234567890123456789"}`);
      expect(answer.body.errors.map(({ code }: { code: string }) => code)).not.toContain('number_not_exact');
      const refused = await post(`{"name":${number},"other":1234567890123456789}`);
      expect(refused.body.errors).toMatchObject([{ pointer: '#/other', code: 'number_not_exact' }]);
    },
  );

  it('counts the values of a body before it reads its integers', async () => {
    const revived = jest.spyOn(JSON, 'parse');
    try {
      const answer = await post(`[${'0,'.repeat(500_000)}12345678901234567]`);
      expect(answer.body.errors).toMatchObject([{ pointer: '#', code: 'too_many' }]);
      expect(revived.mock.calls.filter(([text]) => text.length > 1_000_000)).toEqual([]);
    } finally {
      revived.mockRestore();
    }
  });

  it('names every field that is wrong, by pointer', async () => {
    const answer = await post({ name: 'x'.repeat(21), at: '2020-01-01T00:00:00Z', 'un/known~': 1 });
    expectProblem(answer, 400, 'validation_failed');
    expect(answer.body.errors).toEqual([
      { pointer: '#/un~1known~0', code: 'unknown_field', detail: 'is not a field of this request' },
      { pointer: '#/name', code: 'too_long', detail: 'must be shorter than or equal to 20 characters' },
      { pointer: '#/at', code: 'in_past', detail: 'must be in the future' },
    ]);
    expect(
      (await post({})).body.errors.map((error: Record<string, string>) => [error.pointer, error.code]),
    ).toEqual([
      ['#/name', 'required'],
      ['#/at', 'required'],
    ]);
  });

  it.each([
    ['2027-01-01T00:00:00', 'not_an_instant'],
    ['2027-02-30T00:00:00Z', 'not_an_instant'],
    ['9999-12-31T23:59:59Z', 'too_far_ahead'],
    [7, 'not_an_instant'],
  ])('refuses the time %s', async (at, code) => {
    const codes = (await post({ name: 'x', at })).body.errors.map(
      (error: Record<string, string>) => error.code,
    );
    expect(codes).toContain(code);
  });

  it.each([
    ['{"__proto__":{"admin":true},"name":"x"}', '#', 'name_not_allowed'],
    [`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`, `#${'/a'.repeat(32)}`, 'too_deep'],
    ['{"name":"a\\u0000b"}', '#/name', 'text_not_storable'],
    ['{"name":"a\\ud800b"}', '#/name', 'text_not_storable'],
  ])('refuses the dangerous body %s', async (json, pointer, code) => {
    const answer = await post(json);
    expectProblem(answer, 400, 'validation_failed');
    expect(answer.body.errors).toEqual([expect.objectContaining({ pointer, code })]);
  });

  it('survives a body nested a hundred thousand deep', async () => {
    expectProblem(await post('['.repeat(100_000) + ']'.repeat(100_000)), 400, 'validation_failed');
  });

  it('refuses a body whose names alone would keep it busy for seconds', async () => {
    const names = Array.from({ length: 90_000 }, (_, n) => `"${n.toString(36)}":1`).join(',');
    for (const [json, pointer] of [
      [`{${names}}`, '#'],
      [`{"name":{${names}}}`, '#/name'],
    ] as const) {
      const answer = await post(json);
      expectProblem(answer, 400, 'validation_failed');
      expect(answer.body.errors).toEqual([expect.objectContaining({ pointer, code: 'too_many' })]);
    }
  });

  it.each([
    ['empty arrays', Array(300_000).fill('[]').join()],
    [
      'arrays in arrays',
      Array(15_000)
        .fill(`${'['.repeat(30)}${']'.repeat(30)}`)
        .join(),
    ],
    ['small objects', Array(100_000).fill('{"a":1}').join()],
  ])('refuses a body of more values than anybody needs: %s', async (_, values) => {
    const answer = await post(`{"name":[${values}]}`);
    expectProblem(answer, 400, 'validation_failed');
    expect(answer.body.errors).toEqual([expect.objectContaining({ pointer: '#', code: 'too_many' })]);
  });

  it('refuses a body whose combining marks alone would keep it busy for minutes', async () => {
    const marks = '\u0301\u0323'.repeat(250_000);
    for (const [json, pointer, code] of [
      [{ name: `a${marks}` }, '#/name', 'too_many_marks'],
      [{ [`a${marks}`]: 1 }, '#', 'name_not_allowed'],
    ] as const) {
      const answer = await post(json);
      expectProblem(answer, 400, 'validation_failed');
      expect(answer.body.errors).toEqual([expect.objectContaining({ pointer, code })]);
    }
  });

  it('takes text in NFC', async () => {
    const at = new Date(new Date().getTime() + 60_000).toISOString();
    const answer = await post({ name: 'Cafe\u0301', at });
    expect([answer.status, answer.body.name]).toEqual([201, 'Caf\u00e9']);
  });

  it('returns 413 for more than a megabyte, also without Content-Length', async () => {
    const large = `"${'x'.repeat(BODY_LIMIT_BYTES)}"`;
    expectProblem(await post(large), 413, 'too_large');
    const stream = new Blob([large]).stream();
    const init = {
      method: 'POST',
      body: stream,
      duplex: 'half',
      headers: { 'Content-Type': 'application/json' },
    };
    expectProblem(await call(`${service.url}/things`, init as RequestInit), 413, 'too_large');
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    '',
  ])('returns 415 for the content type "%s"', async (type) => {
    const body = new Blob(['{}'], { type });
    expectProblem(
      await call(`${service.url}/things`, { method: 'POST', body }),
      415,
      'unsupported_media_type',
    );
  });

  it.each(['utf-8', 'utf8', 'UTF8', '"utf8"', '"UTF-8"'])(
    'reads a body whose charset is %s',
    async (charset) => {
      const headers = { 'Content-Type': `application/json; charset=${charset}` };
      const answer = await call(`${service.url}/things`, { method: 'POST', body: '{', headers });
      expectProblem(answer, 400, 'malformed_json');
    },
  );

  it('returns 415 for an unknown encoding or charset, 400 for bytes that are not UTF-8', async () => {
    const send = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) =>
      call(`${service.url}/things`, {
        method: 'POST',
        body,
        headers: { 'Content-Type': 'application/json', ...headers },
      });
    expectProblem(await send('{}', { 'Content-Encoding': 'nonsense' }), 415, 'unsupported_media_type');
    expectProblem(
      await send('{}', { 'Content-Type': 'application/json; charset=latin1' }),
      415,
      'unsupported_media_type',
    );
    expectProblem(await send(new Uint8Array([0x22, 0xff, 0x22]), {}), 400, 'malformed_json');
  });

  it.each([
    ['of another type', 'text/plain', 'x'],
    ['that is no JSON', 'application/json', '{"name":'],
    ['larger than a megabyte', 'application/json', `"${'x'.repeat(BODY_LIMIT_BYTES)}"`],
  ])('does not read the body of a GET %s', async (_, type, body) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const get = () =>
      new Promise((resolve, reject) => {
        const headers = { 'content-type': type, 'content-length': body.length };
        const asked = request(`${service.url}/things/context`, { method: 'GET', headers, agent }, (answer) =>
          answer.resume().on('end', () => resolve(answer.statusCode)),
        );
        asked.on('error', reject).end(body);
      });
    expect([await get(), await get()]).toEqual([200, 200]);
    agent.destroy();
  });

  it('accepts a form only where the route declares it', async () => {
    const body = new URLSearchParams({ a: '1' });
    expect((await call(`${service.url}/things/form`, { method: 'POST', body })).body).toEqual({ a: '1' });
  });

  it('ignores unknown query parameters, and makes text storable', async () => {
    const { body } = await get(`/things/context?a=1&a=2&b=%00&c=Cafe%CC%81&d=a${'%CC%81%CC%A3'.repeat(20)}`);
    expect(body.query).toEqual({ a: ['1', '2'], b: '\ufffd', c: 'Caf\u00e9', d: 'a\ufffd' });
    expect((await get('/things?limit=1&utm_source=x')).status).toBe(200);
  });

  it('never fails by what a caller sends: bodies', async () => {
    const names = fc.constantFrom(
      'name',
      'at',
      'constructor',
      'toString',
      '__proto__',
      'hasOwnProperty',
      'then',
      '',
    );
    const values = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.string({ unit: 'binary' }),
      fc.date({ noInvalidDate: true }),
    );
    const bodies = fc.oneof(fc.dictionary(names, values), fc.jsonValue(), fc.string());
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const { status } = await post(typeof body === 'string' ? body : (JSON.stringify(body) ?? 'null'));
        expect([201, 400]).toContain(status);
      }),
      { numRuns: 150 },
    );
  });

  it('never fails by what a caller sends: addresses', async () => {
    const texts = fc
      .string({ unit: 'binary', maxLength: 20 })
      .map((text) => encodeURIComponent(text.toWellFormed()));
    await fc.assert(
      fc.asyncProperty(texts, texts, texts, async (path, name, value) => {
        expect([200, 404]).toContain((await get(`/things/${path}?${name}=${value}`)).status);
        expect((await get(`/things?limit=${value}&cursor=${value}&${name}=${value}`)).status).toBe(200);
      }),
      { numRuns: 150 },
    );
  });

  it('closes the connection when the response has started', async () => {
    await expect(get('/things/half')).rejects.toThrow();
  });

  it.each(['http://[', 'mailto:', '//a@[#'])(
    'answers the target %s, in which no router finds a path, with a problem',
    async (target) => {
      const answer = await raw(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1.1 400 [\s\S]*problem\+json[\s\S]*"code":"bad_request"/);
      expect(answer).not.toMatch(/<html/i);
    },
  );

  it.each(['/things', 'http://x/things', '/things#a'])('serves the target %s', async (target) => {
    const answer = await raw(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
  });

  it('returns 417 as a problem for unknown expectations', async () => {
    const ask = (expected: string) =>
      raw(
        `POST /things HTTP/1.1\r\nHost: x\r\nOrigin: https://app.example.com\r\nConnection: close\r\n` +
          `Content-Type: application/json\r\nContent-Length: 2\r\nExpect: ${expected}\r\n\r\n{}`,
      );
    const refused = await ask('foo');
    expect(refused).toMatch(/^HTTP\/1.1 417 [\s\S]*"code":"expectation_failed"[\s\S]*"requestId":"/);
    expect(refused).toMatch(/access-control-allow-origin: https:\/\/app\.example\.com/i);
    expect(await ask('100-Continue')).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 400 /);
  });

  it('returns problems for invalid HTTP and endless headers too', async () => {
    expect(await raw('NONSENSE\r\n\r\n')).toMatch(
      /^HTTP\/1.1 400 [\s\S]*problem\+json[\s\S]*"code":"bad_request"/,
    );
    const unnamed = await raw('GET /things HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(unnamed).toMatch(/^HTTP\/1.1 400 [\s\S]*application\/problem\+json[\s\S]*Host header/);
    const older = await raw('GET /things?limit=1 HTTP/1.0\r\n\r\n');
    expect(older).toMatch(/^HTTP\/1.1 200 /);
    const tunnel = await raw('CONNECT elsewhere:443 HTTP/1.1\r\nHost: elsewhere:443\r\n\r\n');
    expect(tunnel).toMatch(
      /^HTTP\/1.1 405 [\s\S]*application\/problem\+json[\s\S]*"code":"method_not_allowed"/,
    );
    const long = await raw(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(250_000)}\r\n\r\n`);
    expect(long).toMatch(/^HTTP\/1.1 431 [\s\S]*"code":"headers_too_large"/);
  });

  it.each([
    ['a request that the parser refuses', 'GET / HTTP/1.1\r\nOrigin: ORIGIN\r\nBad Name: x\r\n\r\n', 400],
    ['too long headers', `GET / HTTP/1.1\r\nOrigin: ORIGIN\r\nX: ${'x'.repeat(250_000)}\r\n\r\n`, 431],
    ['a tunnel', 'CONNECT elsewhere:443 HTTP/1.1\r\nHost: x\r\nOrigin: ORIGIN\r\n\r\n', 405],
  ])('names %s by an id and lets allowed pages read the response', async (_, text, status) => {
    const allowed = await raw(text.replace('ORIGIN', 'https://app.example.com'));
    const [, id] = /\r\nX-Request-Id: (\S+)\r\n/.exec(allowed) ?? [];
    expect(allowed).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(allowed).toContain(`"requestId":"${id}"`);
    expect(allowed).toContain('\r\nAccess-Control-Allow-Origin: https://app.example.com\r\n');
    expect(allowed).toMatch(/\r\nx-content-type-options: nosniff\r\n/i);
    const foreign = await raw(text.replace('ORIGIN', 'https://evil.example.com'));
    expect(foreign).toMatch(/\r\nX-Request-Id: /);
    expect(foreign).not.toMatch(/access-control-allow/i);
  });
});

describe('slow requests', () => {
  let service: RunningService;
  let socket: Socket;
  let heard: string;
  beforeAll(async () => (service = await startSample({ REQUEST_TIMEOUT_MS: '2000' })));
  afterAll(() => service.close());
  afterEach(() => socket.destroy());

  const begin = (path: string, length: number) => {
    heard = '';
    socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.on('data', (data) => (heard += data.toString()));
    const type = path === '/things/upload' ? 'text/csv' : 'application/json';
    const head = `Host: x\r\nContent-Type: ${type}\r\nContent-Length: ${length}`;
    socket.write(`POST ${path} HTTP/1.1\r\n${head}\r\n\r\n`);
    return once(socket, 'close');
  };
  /** A byte at a time. */
  const trickle = async (bytes: number) => {
    for (let n = 0; n < bytes && socket.writable; n += 1) {
      socket.write('1');
      await delay(100);
    }
  };

  it('get 408 and a closed connection', async () => {
    const closed = begin('/things', 10);
    socket.write('{');
    await closed;
    expect(heard).toMatch(/^HTTP\/1.1 408 [\s\S]*"code":"request_timeout"/);
  });

  it.each(['/things', '/things/form'])('are cut although bytes keep coming, to %s', async (path) => {
    await Promise.all([begin(path, 1_000), trickle(1_000)]);
    expect(heard).toMatch(/^HTTP\/1.1 4\d\d /);
  });

  it('are cut also where nothing is served', async () => {
    const closed = begin('/internal/nothing', 10);
    await closed;
    expect(heard).toMatch(/^HTTP\/1.1 404 /);
  });

  it('may be uploads, for as long as bytes keep coming', async () => {
    const closed = begin('/things/upload', 50);
    await trickle(50);
    await waitUntil(() => heard.includes('}'));
    expect(heard).toMatch(/^HTTP\/1.1 200 [\s\S]*{"bytes":50}/);
    socket.end();
    await closed;
  });

  it('cannot be stalled uploads', async () => {
    const closed = begin('/things/upload', 50);
    await trickle(5);
    await closed;
    expect(heard).toMatch(/^HTTP\/1.1 408 [\s\S]*"code":"request_timeout"/);
  });
});
