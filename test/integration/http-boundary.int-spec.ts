import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { RunningService } from '#libs/http';
import { eventually } from '../support/eventually.js';
import { inlined } from '../support/inlined.js';
import { call, ORIGIN, type SampleResponse, startSample } from './http-sample.js';

describe('the boundary', () => {
  let service: RunningService;
  beforeAll(async () => (service = await startSample()));
  afterAll(() => service.close());

  const get = (path: string, headers: Record<string, string> = {}) => call(service.url + path, { headers });

  describe('CORS', () => {
    const corsOf = ({ headers }: SampleResponse) =>
      [...headers.keys()]
        .filter((name) => name.startsWith('access-control-'))
        .map((name) => [name, headers.get(name)]);
    const granted = (origin: string) => [
      ['access-control-allow-credentials', 'true'],
      ['access-control-allow-origin', origin],
      ['access-control-expose-headers', expect.stringContaining('ETag')],
    ];

    /** Every kind of answer: plain, redirect, errors before and in routes, headers a route set itself, documents. */
    const PATHS = [
      '/things',
      '/things/elsewhere',
      '/things/nope',
      '/nothing',
      '/%00',
      '/things/failures/unknown',
      '/things/failures/outage',
      '/things/own-headers',
      '/things/raw-headers',
      '/openapi.json',
      '/docs',
    ];

    it.each(PATHS)('grants %s to an allowed origin', async (path) => {
      const answer = await get(path, { Origin: ORIGIN });
      expect(corsOf(answer)).toEqual(granted(ORIGIN));
      expect(answer.headers.get('vary')).toMatch(/\bOrigin\b/);
    });

    it.each(PATHS)('grants %s to no foreign origin and none without an origin', async (path) => {
      const origins = [
        'https://evil.example',
        'null',
        `${ORIGIN}.evil.example`,
        `${ORIGIN}:8443`,
        ORIGIN.replace('https', 'http'),
      ];
      for (const origin of origins) expect(corsOf(await get(path, { Origin: origin }))).toEqual([]);
      const none = await get(path);
      expect(corsOf(none)).toEqual([]);
      expect(none.headers.get('vary')).toMatch(/\bOrigin\b/);
    });

    it('grants 304, 401, 405, 413 and 415 as well', async () => {
      const id = '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11';
      const answers = await Promise.all([
        get(`/things/${id}`, { Origin: ORIGIN, 'If-None-Match': '"v7"' }),
        get('/things', { Origin: ORIGIN, Authorization: 'Bearer nobody' }),
        call(`${service.url}/things`, { method: 'DELETE', headers: { Origin: ORIGIN } }),
        call(`${service.url}/things`, {
          method: 'POST',
          json: `"${'x'.repeat(1_100_000)}"`,
          headers: { Origin: ORIGIN },
        }),
        call(`${service.url}/things`, { method: 'POST', body: 'x', headers: { Origin: ORIGIN } }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([304, 401, 405, 413, 415]);
      for (const answer of answers) expect(corsOf(answer)).toEqual(granted(ORIGIN));
    });

    const preflight = (path: string, origin: string) =>
      call(service.url + path, {
        method: 'OPTIONS',
        headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
      });

    it('responds to a preflight first, cacheable for ten minutes', async () => {
      const answer = await preflight('/things', ORIGIN);
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect(Object.fromEntries(corsOf(answer))).toMatchObject({
        'access-control-allow-origin': ORIGIN,
        'access-control-allow-methods': expect.stringContaining('PATCH'),
        'access-control-allow-headers': expect.stringMatching(/X-Brand-ID.*Idempotency-Key.*If-Match/),
        'access-control-max-age': '600',
      });
    });

    it('responds to a preflight of another origin without granting access', async () => {
      const answer = await preflight('/things', 'https://evil.example');
      expect([answer.status, corsOf(answer)]).toEqual([204, []]);
    });

    it('keeps other headers that a route passed to writeHead', async () => {
      const { headers } = await get('/things/raw-headers', { Origin: ORIGIN });
      expect(headers.getSetCookie()).toEqual(['a=1', 'b=2']);
      expect(headers.get('vary')).toBe('Accept, Origin');
    });
  });

  it('sends the headers of an API and does not name its software', async () => {
    const { headers } = await get('/things');
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'private, no-store',
      'content-security-policy':
        "default-src 'none';frame-ancestors 'none';base-uri 'none';form-action 'none'",
      'content-type': 'application/json; charset=utf-8',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': expect.stringMatching(/^max-age=\d{8}/),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    expect(headers.has('x-powered-by') || headers.has('server') || headers.has('etag')).toBe(false);
  });

  describe('names of requests', () => {
    it('keeps an acceptable request id and continues the trace', async () => {
      const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
      const { headers, body } = await get('/things/context', { 'X-Request-Id': 'job-1234.5', traceparent });
      expect(headers.get('x-request-id')).toBe('job-1234.5');
      expect(body).toMatchObject({
        requestId: 'job-1234.5',
        correlationId: 'a'.repeat(32),
        service: 'sample',
      });
      expect(body.traceparent).toMatch(new RegExp(`^00-${'a'.repeat(32)}-(?!b{16})[0-9a-f]{16}-01$`));
    });

    it.each(['short', 'with space 1234', 'x'.repeat(129), '<script>alert(1)</script>'])(
      'replaces the request id %s',
      async (id) => {
        const { headers, body } = await get('/things/context', {
          'X-Request-Id': id,
          traceparent: '00-zz-1-01',
        });
        expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
        expect(body.requestId).toBe(headers.get('x-request-id'));
        expect(body.correlationId).toMatch(/^[0-9a-f]{32}$/);
      },
    );

    it('keeps concurrent requests apart', async () => {
      const ids = Array.from({ length: 50 }, (_, index) => `request-${index}`);
      const answers = await Promise.all(ids.map((id) => get('/things/context', { 'X-Request-Id': id })));
      expect(answers.map(({ body }) => body.requestId)).toEqual(ids);
    });
  });

  describe('requests that arrive together', () => {
    const COUNT = 10;
    const address = () => {
      const { hostname, port } = new URL(service.url);
      return { host: hostname, port: Number(port) };
    };

    it('go on before the next one begins', async () => {
      const socket = connect(address());
      const get = (connection: string) =>
        `GET /things/steps HTTP/1.1\r\nHost: here\r\nConnection: ${connection}\r\n\r\n`;
      socket.write(get('keep-alive').repeat(COUNT - 1) + get('close'));
      const steps = [...(await text(socket)).matchAll(/\{"begun":(\d+),"ended":(\d+)\}/g)];
      expect(steps.map(([, begun, ended]) => Number(ended) - Number(begun))).toEqual(Array(COUNT).fill(1));
    });

    it('keep their bodies when their client leaves while they wait', async () => {
      const post = (name: string) => {
        const body = JSON.stringify({ name });
        return `POST /things/names HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      };
      const names = Array.from({ length: COUNT }, (_, index) => `request-${index}`);
      await once(connect(address()).end(names.map(post).join('')).resume(), 'close');
      await eventually(async () => expect((await get('/things/names')).body.names).toEqual(names));
    });
  });

  describe('the management address', () => {
    it('serves metrics and internal routes, which are 404 on the public port in any spelling', async () => {
      const secret = await call(`${service.managementUrl}/internal/secret`);
      expect([secret.status, secret.body]).toEqual([200, { secret: true }]);
      for (const path of [
        '/internal/secret',
        '/INTERNAL/secret',
        '/internal/secret/',
        '/metrics',
        '//internal/secret',
        '/%69nternal/secret',
      ]) {
        expect([path, (await get(path)).status]).toEqual([path, 404]);
      }
    });

    it('serves nothing else', async () => {
      for (const path of ['/things', '/docs', '/openapi.json']) {
        expect((await call(service.managementUrl + path)).status).toBe(404);
      }
    });

    it('measures requests by route pattern, never by path', async () => {
      await get('/things/01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11');
      await get('/nothing/at/all');
      const { text, headers } = await call(`${service.managementUrl}/metrics`);
      expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
      expect(text).toMatch(
        /http_server_request_duration_seconds_count\{method="GET",route="\/things\/:id",status="200"\} \d/,
      );
      expect(text).toMatch(/route="unmatched",status="404"/);
      expect(text).not.toMatch(/01936d2e|\/nothing/);
      expect(text).toMatch(/process_cpu_seconds_total/);
    });
  });

  describe('lists and versions', () => {
    it('walks all pages by cursor and link, without gaps or repetitions', async () => {
      const seen: number[] = [];
      let next: string | null = '/things?limit=100&status=draft';
      while (next) {
        const { body, headers }: SampleResponse = await get(next);
        seen.push(...body.data.map((row: { id: number }) => row.id));
        expect(body.pagination.hasMore).toBe(body.pagination.nextCursor !== null);
        next = /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? null;
        if (next) expect(next).toContain('status=draft');
      }
      expect(seen).toEqual(Array.from({ length: 260 }, (_, index) => index + 1));
    });

    it.each([
      ['0', 1],
      ['-1', 1],
      ['1e9', 100],
      ['abc', 25],
      ['', 25],
      ['7.9', 7],
    ])('takes limit=%s for %i', async (limit, applied) => {
      expect((await get(`/things?limit=${limit}`)).body.pagination.limit).toBe(applied);
    });

    it('starts from the first page for a foreign cursor', async () => {
      const { body } = await get('/things?cursor=nonsense');
      expect(body.data[0].id).toBe(1);
      expect(body.warnings).toMatchObject([{ parameter: 'cursor', code: 'cursor_not_valid' }]);
    });

    it('warns about ignored parameters in the response', async () => {
      const answers = await Promise.all(
        ['status=gone', 'status=failed', 'limit=many&status=failed,lost'].map((query) =>
          get(`/things?${query}`),
        ),
      );
      const of = ({ body }: SampleResponse) =>
        body.warnings?.map((warning: { parameter: string; code: string }) => [
          warning.parameter,
          warning.code,
        ]);
      expect(answers.map(of)).toEqual([
        [['status', 'not_allowed']],
        undefined,
        [
          ['limit', 'not_a_number'],
          ['status', 'not_allowed'],
        ],
      ]);
    });

    it('tags one resource with its version, returns 304 and requires versions', async () => {
      const path = '/things/01936D2E-7C1A-7B3E-9F52-3F6F0C9A4E11';
      const answer = await get(path);
      expect([answer.headers.get('etag'), answer.body.id]).toEqual(['"v7"', path.slice(8).toLowerCase()]);
      const unchanged = await get(path, { 'If-None-Match': 'W/"v7", "x"' });
      expect([unchanged.status, unchanged.text, unchanged.headers.get('etag')]).toEqual([304, '', '"v7"']);
      const put = async (ifMatch?: string) =>
        (await call(service.url + path, { method: 'PUT', headers: ifMatch ? { 'If-Match': ifMatch } : {} }))
          .body.version;
      expect([
        await put(),
        await put('*'),
        await put('"v3"'),
        await put('W/"v3"'),
        await put('"v3", "v5"'),
      ]).toEqual(['any', 'any', 3, 3, 5]);
    });
  });

  describe('the documents', () => {
    it.each([
      [undefined, 404],
      ['true', 200],
    ])('are served in production where API_DOCS is %s with %i', async (apiDocs, expected) => {
      const environment = {
        NODE_ENV: 'production',
        CURSOR_SECRET: 'a secret of production',
        TRUST_PROXY_HOPS: '0',
      };
      const production = await startSample({ ...environment, ...(apiDocs && { API_DOCS: apiDocs }) });
      try {
        const answers = ['/docs', '/openapi.json'].map((path) => call(production.url + path));
        expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([expected, expected]);
      } finally {
        await production.close();
      }
    });

    it('is compressed for those who accept it, and not sent again to those who have it', async () => {
      const document = (headers: Record<string, string>) => call(`${service.url}/openapi.json`, { headers });
      const compressed = await document({ 'Accept-Encoding': 'br, gzip' });
      expect(compressed.headers.get('content-encoding')).toBe('gzip');
      const plain = await document({ 'Accept-Encoding': 'identity' });
      expect(plain.headers.has('content-encoding')).toBe(false);
      expect(plain.body).toEqual(compressed.body);
      const etag = compressed.headers.get('etag') as string;
      expect(plain.headers.get('etag')).toBe(etag);
      const again = await document({ 'Accept-Encoding': 'gzip', 'If-None-Match': etag });
      expect([again.status, again.body ?? null]).toEqual([304, null]);
      expect((await document({ 'If-None-Match': '"other"' })).status).toBe(200);
    });

    it('are OpenAPI 3.1 with what holds for every operation', async () => {
      const { body } = await get('/openapi.json');
      expect(body).toMatchObject({
        openapi: '3.1.0',
        info: { title: 'Sample', contact: expect.anything(), license: expect.anything() },
        servers: [{ url: '/' }],
        tags: [{ name: 'Things', description: 'Things.' }],
      });
      expect(Object.keys(body.components.securitySchemes)).toEqual(['BearerAuth', 'ApiKeyAuth']);
      const { responses } = inlined(body).paths['/things'].get;
      expect(Object.keys(responses)).toEqual(['200', '401', '404', '408', '429', '431', '503']);
      expect(responses['200'].headers).toMatchObject({
        Link: expect.anything(),
        RateLimit: expect.anything(),
      });
      expect(responses['404'].content['application/problem+json']).toMatchObject({
        schema: { $ref: '#/components/schemas/ProblemDto' },
        example: { code: 'not_found', status: 404 },
      });
      expect(body.components.schemas.ProblemDto).toBeDefined();
      expect(Object.keys(body.paths)).not.toContain('/internal/secret');
    });

    it('document where an ETag is sent, and where 304 is returned', async () => {
      const { body } = await get('/openapi.json');
      const { get: reading, put: writing } = inlined(body).paths['/things/{id}'];
      const [read, written] = [reading.responses, writing.responses];
      for (const answer of [read['200'], read['304']]) expect(answer.headers).toHaveProperty('ETag');
      expect(Object.keys(written)).not.toContain('304');
      expect(written['200'].headers).not.toHaveProperty('ETag');
      expect(JSON.stringify(body)).not.toContain('x-returns-etag');
    });

    it('load Swagger UI from here alone', async () => {
      const { headers, text } = await get('/docs');
      expect(headers.get('content-security-policy')).toMatch(/script-src 'self';/);
      const assets = [...text.matchAll(/(?:src|href)="(\.\/docs\/[^"]+)"/g)].map(
        (match) => match[1] as string,
      );
      expect(assets.length).toBeGreaterThan(3);
      for (const asset of assets) expect((await get(`/${asset.slice(2)}`)).status).toBe(200);
    });

    it('can be switched off', async () => {
      const quiet = await startSample({ API_DOCS: 'false' });
      const statuses = [
        (await call(`${quiet.url}/docs`)).status,
        (await call(`${quiet.url}/openapi.json`)).status,
      ];
      await quiet.close();
      expect(statuses).toEqual([404, 404]);
    });
  });
});
