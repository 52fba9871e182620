import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { HttpIdentityClient, IdentityIsUnavailable, ServiceCredentialIsRefused } from '#libs/platform-client';
import { FakeIdentity } from '#libs/platform-client/testing';
import { waitUntil } from '../support/wait-until.js';

const TIMEOUT_MS = 1_000;

/** Loosely, so that it can be broken. */
type IdentityResponse = Record<string, unknown> & {
  principal: Record<string, unknown>;
  service: Record<string, unknown>;
  organizations: Record<string, unknown>[];
};
const USER = '0197a1f0-0000-7000-8000-000000000001';
const service = 'social-publishing';
const asked = { authorization: 'Bearer copa_x', service };

describe('the client of identity, facing', () => {
  let server: Server;
  let client: HttpIdentityClient;
  let requests: IncomingMessage[];
  let behave: RequestListener;
  /** A good answer, as the real one gives it. */
  let good: IdentityResponse;

  beforeAll(async () => {
    const fake = new FakeIdentity();
    const token = fake.user({ organizations: [{ id: '0197a1f0-0000-7000-8000-000000000001' }] });
    const caller = await fake.validate({ authorization: `Bearer ${token}`, service });
    good = JSON.parse(JSON.stringify({ active: true, ...caller })) as IdentityResponse;
  });

  beforeEach(async () => {
    requests = [];
    server = createServer((request, response) => {
      requests.push(request);
      behave(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    client = new HttpIdentityClient({
      ...{ identityUrl: `http://127.0.0.1:${port}/base/`, identityTimeoutMs: TIMEOUT_MS },
    });
  });

  afterEach(async () => {
    await client.onApplicationShutdown();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const json = (body: unknown, status = 200): RequestListener => {
    return (_, response) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  /** A refusal; as identity sends it by default. */
  const refusal = (status: number, contentType: string | undefined = 'application/problem+json') =>
    ((_, response) =>
      void response
        .writeHead(status, contentType ? { 'content-type': contentType } : {})
        .end(JSON.stringify({ status, title: 'Refused' }))) satisfies RequestListener;
  const typed = (contentType: string | undefined): RequestListener => {
    return (_, response) =>
      void response
        .writeHead(200, contentType ? { 'content-type': contentType } : {})
        .end(JSON.stringify(good));
  };

  it('a valid response: returns the known members only', async () => {
    behave = json({ ...good, unheardOf: true });
    const { active, ...expected } = good;
    expect(active).toBe(true);
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const credentials = { ...asked, apiKey: 'k', requestId: 'request-1', traceparent };
    expect(await client.validate(credentials)).toEqual(expected);
    expect(requests[0]?.url).toBe('/base/validate?service=social-publishing');
    expect(requests[0]?.headers).toMatchObject({
      ...{ authorization: 'Bearer copa_x', 'x-api-key': 'k', 'x-request-id': 'request-1', traceparent },
    });
  });

  it.each(['text/plain', 'text/html', 'application/jsonp', 'application/problem+json', undefined])(
    'a valid response as %s: an outage',
    async (contentType) => {
      behave = typed(contentType);
      await expect(client.validate(asked)).rejects.toThrow(IdentityIsUnavailable);
      await expect(client.findService('agent', 'Bearer copa_x')).rejects.toThrow(IdentityIsUnavailable);
    },
  );

  it('a valid response as JSON with parameters: accepted', async () => {
    behave = typed('Application/JSON; charset=utf-8');
    expect(await client.validate(asked)).not.toBeNull();
  });

  it.each([
    ['an hour ago', -3_600_000, false],
    ['a minute ago', -60_000, false],
    ['a second ago, which clocks may differ by', -1_000, true],
    ['in a minute', 60_000, true],
  ])('a credential that expired %s', async (_, offset, isAccepted) => {
    behave = json({ ...good, expiresAt: new Date(Date.now() + offset).toISOString() });
    const answer = client.validate(asked);
    if (isAccepted) expect(await answer).not.toBeNull();
    else await expect(answer).rejects.toThrow(IdentityIsUnavailable);
  });

  it.each(['application/problem+json', 'Application/Problem+JSON; charset=utf-8'])(
    '401 as %s: refused',
    async (contentType) => {
      behave = refusal(401, contentType);
      expect(await client.validate(asked)).toBeNull();
    },
  );

  it.each(['text/html', 'application/json', 'application/problem+json-seq', ''])(
    'a refusal as "%s", which is not identity\'s: an outage',
    async (contentType) => {
      for (const status of [401, 403, 404]) {
        behave = refusal(status, contentType);
        await expect(client.validate(asked)).rejects.toThrow(IdentityIsUnavailable);
        await expect(client.findService('agent', 'Bearer copa_x')).rejects.toThrow(IdentityIsUnavailable);
        await expect(client.permissionsOf(USER, 'Bearer copa_x')).rejects.toThrow(IdentityIsUnavailable);
      }
    },
  );

  it.each([
    ['application/problem+json', ServiceCredentialIsRefused],
    ['text/html', Error],
  ])('403 as %s on a validation: an outage whose cause is a %p', async (contentType, cause) => {
    behave = refusal(403, contentType);
    const error: unknown = await client.validate(asked).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(IdentityIsUnavailable);
    const { constructor } = (error as Error).cause as object;
    expect(constructor).toBe(cause);
  });

  it.each([400, 403, 404, 429, 500, 502, 503, 204, 206])('%d: an outage, not a refusal', async (status) => {
    behave = (_, response) =>
      void response.writeHead(status).end(status === 206 ? JSON.stringify(good) : undefined);
    await expect(client.validate(asked)).rejects.toThrow(IdentityIsUnavailable);
    expect(requests).toHaveLength(1);
  });

  it.each([301, 302, 307])('a %d redirect: not followed', async (status) => {
    behave = (request, response) => {
      if (request.url?.startsWith('/base')) response.writeHead(status, { location: '/elsewhere' }).end();
      else json(good)(request, response);
    };
    await expect(client.validate(asked)).rejects.toThrow(IdentityIsUnavailable);
    expect(requests).toHaveLength(1);
  });

  it.each<[string, (answer: IdentityResponse) => unknown]>([
    ['no JSON', () => undefined],
    ['a list', () => []],
    ['null', () => null],
    ['active missing', ({ active: _, ...rest }) => rest],
    ['active as text', (answer) => ({ ...answer, active: 'true' })],
    ['inactive', (answer) => ({ ...answer, active: false })],
    ['no principal', ({ principal: _, ...rest }) => rest],
    ['an id that is none', (answer) => ({ ...answer, principal: { ...answer.principal, id: '1' } })],
    [
      'another kind of principal',
      (answer) => ({ ...answer, principal: { ...answer.principal, type: 'root' } }),
    ],
    ['another service', (answer) => ({ ...answer, service: { ...answer.service, slug: 'agent' } })],
    ['no service', (answer) => ({ ...answer, service: null })],
    ['organizations missing', ({ organizations: _, ...rest }) => rest],
    ['organizations as object', (answer) => ({ ...answer, organizations: { 0: answer.organizations[0] } })],
    ['brands left out', (answer) => without(answer, 'brandIds')],
    ['scopes left out', (answer) => without(answer, 'scopes')],
    [
      'scopes as text',
      (answer) => ({ ...answer, organizations: [{ ...answer.organizations[0], scopes: '*' }] }),
    ],
    ['an end that is no time', (answer) => ({ ...answer, expiresAt: 'tomorrow' })],
  ])('a response of the wrong shape (%s): an outage', async (_, change) => {
    behave = json(change(structuredClone(good)));
    await expect(client.validate(asked)).rejects.toThrow(IdentityIsUnavailable);
  });

  it.each<[string, RequestListener]>([
    ['silence', () => undefined],
    ['a body that never ends', (_, response) => void response.writeHead(200).write('{"active":')],
    ['drops', (_, response) => void response.write('{"act', () => response.destroy())],
  ])('slowness and %s: an outage within the timeout', async (_, listener) => {
    behave = listener;
    const started = performance.now();
    await expect(client.validate(asked)).rejects.toThrow(IdentityIsUnavailable);
    expect(performance.now() - started).toBeLessThan(TIMEOUT_MS * 3);
    expect(requests).toHaveLength(1);
  });

  it('a connection reset after the request: no retry', async () => {
    behave = (request) => void request.socket.destroy();
    await expect(client.validate(asked)).rejects.toThrow(IdentityIsUnavailable);
    expect(requests).toHaveLength(1);
  });

  it('an oversized response: an outage', async () => {
    behave = (_, response) => void response.writeHead(200).end('x'.repeat(2_000_000));
    await expect(client.validate(asked)).rejects.toThrow(IdentityIsUnavailable);
  });

  it('no server: an outage with retryAfterSeconds', async () => {
    await new Promise((resolve) => server.close(resolve));
    const refused = client.validate(asked);
    await expect(refused).rejects.toThrow(IdentityIsUnavailable);
    await expect(refused).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 2 });
  });

  it('concurrent requests with the same credentials: coalesced; later ones: sent again', async () => {
    behave = (request, response) => void setTimeout(() => json(good)(request, response), 5);
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => client.validate(asked)),
      client.validate({ ...asked, authorization: 'Bearer copa_y' }),
    ]);
    expect(new Set(answers.map((answer) => answer?.principal.id)).size).toBe(1);
    expect(requests).toHaveLength(3);
    await client.validate(asked);
    expect(requests).toHaveLength(4);
  });

  it('a revocation during a running request: later requests are refused', async () => {
    let revoked = false;
    behave = (request, response) => {
      const answer = revoked ? refusal(401) : json(good);
      setTimeout(() => answer(request, response), 20);
    };
    const before = client.validate(asked);
    while (requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    revoked = true;
    expect(await client.validate(asked)).toBeNull();
    expect(await before).not.toBeNull();
  });

  describe('forged credentials that hold their connections', () => {
    const OTHER = { ...asked, authorization: 'Bearer copa_y' };
    /** Refuses none of them until the test is over. */
    const flood = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        client
          .validate({ ...asked, authorization: `Bearer forged${index}` })
          .catch((error: unknown) => error as Error),
      );
    const asksOf = ({ authorization }: typeof asked) =>
      requests.filter(({ headers }) => headers.authorization === authorization).length;
    const holdingForged =
      (others: RequestListener): RequestListener =>
      (request, response) => {
        if (!request.headers.authorization?.startsWith('Bearer forged')) others(request, response);
      };

    it('do not delay recently accepted credentials', async () => {
      behave = holdingForged(json(good));
      await client.validate(asked);
      void flood(200);
      for (let index = 0; index < 3; index += 1) expect(await client.validate(asked)).not.toBeNull();
      await waitUntil(() => requests.length - asksOf(asked) >= 32);
      expect(requests.length - asksOf(asked)).toBe(32);
    });

    it('fail at once without a request when the queue is full', async () => {
      behave = holdingForged(json(good));
      const refused = await Promise.all(flood(400).slice(32 + 256));
      expect(requests.length).toBeLessThanOrEqual(32);
      for (const error of refused) {
        expect(error).toMatchObject({ kind: 'unavailable', retryAfterSeconds: 2 });
        expect((error as Error).cause).toMatchObject({ message: expect.stringContaining('256 wait') });
      }
    });

    it('share their queue with a credential that is refused after it was accepted', async () => {
      behave = holdingForged(json(good));
      for (const one of [asked, OTHER]) await client.validate(one);
      behave = holdingForged((request, response) =>
        request.headers.authorization === asked.authorization
          ? refusal(401)(request, response)
          : json(good)(request, response),
      );
      expect(await client.validate(asked)).toBeNull();
      void flood(100);
      void client.validate(asked).catch(() => undefined);
      expect(await client.validate(OTHER)).not.toBeNull();
      expect([asksOf(asked), asksOf(OTHER)]).toEqual([2, 2]);
    });
  });

  describe('callers of one turn of the event loop, accepted before', () => {
    const callers = ['copa_x', 'copa_y', 'copa_z'].map((token) => ({
      ...asked,
      authorization: `Bearer ${token}`,
    }));
    let bodies: string[];
    /** Accepts each, then answers batches. */
    const accepted = async (answer: RequestListener) => {
      behave = json(good);
      await Promise.all(callers.map((one) => client.validate(one)));
      requests.splice(0);
      bodies = [];
      behave = (request, response) => {
        if (request.method !== 'POST') return json(good)(request, response);
        void text(request).then((body) => {
          bodies.push(body);
          answer(request, response);
        });
      };
    };
    const outcomes = async () => {
      const settled = await Promise.allSettled(callers.map((one) => client.validate(one)));
      return settled.map((one) => (one.status === 'fulfilled' ? (one.value?.principal.id ?? null) : 'none'));
    };
    const results = (...statuses: number[]) =>
      json({ results: statuses.map((status) => ({ status, validation: status === 200 ? good : null })) });
    const id = expect.any(String);

    it('are validated in one exchange, which only the service itself authenticates', async () => {
      await accepted(results(200, 200, 200));
      expect(await outcomes()).toEqual([id, id, id]);
      expect(requests.map(({ method, url }) => [method, url])).toEqual([['POST', '/base/validate/batch']]);
      expect(requests[0]?.headers.authorization).toBeUndefined();
      expect(bodies.map((body) => JSON.parse(body) as unknown)).toEqual([{ validations: callers }]);
    });

    it('get each an own result', async () => {
      await accepted(results(200, 401, 503));
      expect(await outcomes()).toEqual([id, null, 'none']);
    });

    it.each([
      ['an outage', refusal(503)],
      ['a refused service', refusal(403)],
      ['a missing route', refusal(404)],
      ['a refusal of the exchange', refusal(401)],
      ['fewer results', results(200, 200)],
      ['another document', json({})],
    ])('get no result for %s', async (_, answer) => {
      await accepted(answer);
      expect(await outcomes()).toEqual(['none', 'none', 'none']);
    });

    it('are sent in several exchanges when their credentials are long', async () => {
      await accepted((_, response) => {
        const { validations } = JSON.parse(bodies.at(-1) ?? '') as { validations: unknown[] };
        results(...validations.map(() => 200))(_, response);
      });
      const long = ['a', 'b', 'c', 'd', 'e'].map((letter) => ({
        ...asked,
        authorization: `Bearer ${letter.repeat(15_000)}`,
      }));
      await Promise.all(long.map((one) => client.validate(one)));
      requests.splice(0);
      await Promise.all(long.map((one) => client.validate(one)));
      expect(requests.map(({ method }) => method).sort()).toEqual(['GET', 'POST']);
    });
  });

  it('recovery: a failure is not cached', async () => {
    behave = json({}, 500);
    await expect(client.validate(asked)).rejects.toThrow(IdentityIsUnavailable);
    behave = json(good);
    expect(await client.validate(asked)).not.toBeNull();
  });

  it('an invalid header: refused without a request', async () => {
    expect(await client.validate({ authorization: 'Bearer a\r\nx: y', service })).toBeNull();
    expect(requests).toHaveLength(0);
  });

  it.each([401, 403, 404])('%d on look-ups: null', async (status) => {
    behave = refusal(status);
    expect(await client.findService('agent', 'Bearer copa_x')).toBeNull();
    expect(await client.permissionsOf(USER, 'Bearer copa_x')).toBeNull();
  });

  it('nonsense on look-ups: an outage', async () => {
    behave = json({ id: 'nonsense' });
    await expect(client.findService('agent', 'Bearer copa_x')).rejects.toThrow(IdentityIsUnavailable);
    await expect(client.permissionsOf('x', 'Bearer copa_x')).rejects.toThrow(IdentityIsUnavailable);
  });
});

function without(answer: IdentityResponse, member: string) {
  const { [member]: _, ...organization } = answer.organizations[0] ?? {};
  return { ...answer, organizations: [organization] };
}
