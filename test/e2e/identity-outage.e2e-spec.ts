import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BusinessApi } from '../support/business-api.js';
import { callOf } from '../support/call.js';
import { Documented } from '../support/documented.js';
import { waitUntil } from '../support/wait-until.js';
import { bearer, Walk } from '../support/walk.js';

const as =
  (contentType: string) =>
  (body: string, status = 200): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': contentType }).end(body);
const asJson = as('application/json');
const asProblem = as('application/problem+json');

const BAD_DAYS: [string, RequestListener][] = [
  ['fails', asJson('{"status":500}', 500)],
  ['is away behind its proxy', asJson('<html>', 502)],
  ['is too busy', asJson('{}', 429)],
  [
    'is somewhere else',
    (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  ],
  ['does not know the question', asJson('{}', 404)],
  ['refuses this service', asProblem('{}', 403)],
  ['is behind a proxy that wants to know the caller itself', as('text/html')('<html>', 401)],
  ['answers a page', asJson('<html>Welcome</html>')],
  ['answers something else', asJson('{"active":true}')],
  ['answers half of it', asJson('{"active":true,"principal":{"id":"0197')],
  ['answers nothing', asJson('')],
  ['hangs up', ({ socket }) => void socket.destroy()],
  ['never answers', () => undefined],
];

/** Nothing here is ever let through, so a short wait for identity cannot refuse somebody by mistake. */
const IMPATIENT = { IDENTITY_TIMEOUT_MS: '100' };

describe('while identity', () => {
  let identity: Server;
  let behave: RequestListener;
  let api: BusinessApi;
  let unreachable: BusinessApi;

  beforeAll(async () => {
    identity = createServer((request, response) => behave(request, response));
    await new Promise<void>((resolve) => identity.listen(0, '127.0.0.1', resolve));
    const { port } = identity.address() as AddressInfo;
    api = await BusinessApi.start({ IDENTITY_URL: `http://127.0.0.1:${port}`, ...IMPATIENT });
    // Port 1 is for those that run as the system's own; nothing listens there.
    unreachable = await BusinessApi.start({ IDENTITY_URL: 'http://127.0.0.1:1', ...IMPATIENT });
  });
  afterAll(async () => {
    await unreachable.stop();
    await api.stop();
    identity.closeAllConnections();
    await new Promise((resolve) => identity.close(resolve));
  });

  /** To every operation, with a bearer and, where it is taken, with a key: closed, without calling the session dead. */
  const expectClosed = async ({ service, test }: BusinessApi): Promise<void> => {
    const codes = new Set<string>();
    const once: Record<string, string>[] = [bearer('copa_good'), { 'x-api-key': 'cop_live_good' }];
    for (const headers of once) {
      const walk = await Walk.through(service.url, callOf(service.url, headers), {});
      const asked = walk.served.guarded.filter(
        ({ takesApiKey }) => takesApiKey || 'authorization' in headers,
      );
      expect(asked.length).toBeGreaterThan(5);
      await walk.verdicts.on(asked, [503], async (operation) => {
        const answer = await walk.send(operation, headers);
        codes.add(String(answer.body?.code));
        return answer;
      });
      expect(walk.verdicts.taken()).toEqual([]);
    }
    expect([...codes]).toEqual(['identity_unavailable']);
    expect(await test.database.query('SELECT FROM events.event')).toEqual([]);
  };

  it.each(BAD_DAYS)('%s, every operation is closed', async (_, behaviour) => {
    behave = behaviour;
    await expectClosed(api);
  });

  it('cannot be reached, every operation is closed', () => expectClosed(unreachable));

  it('refuses this service, /health names the remedy', async () => {
    behave = asProblem('{}', 403);
    const asked = () => callOf(api.service.url, {})('GET', '/health');
    await waitUntil(async () => (await asked()).text.includes('IDENTITY_SERVICE_TOKEN'));
    expect((await asked()).body.details.identity.message).toMatch(/^Identity refuses the credential of this/);
  });

  it('is unavailable, every replica stays ready, and health names identity', async () => {
    behave = () => undefined;
    const documented = await Documented.by(api.service.url);
    const seen: unknown[] = [];
    for (const path of ['/healthz', '/readyz', '/health']) {
      const answer = await callOf(api.service.url, {})('GET', path);
      documented.check(`get ${path}`, answer);
      seen.push([answer.status, answer.body.status, answer.body.details.identity?.status]);
    }
    expect(seen).toEqual([
      [200, 'ok', undefined],
      [200, 'ok', undefined],
      [200, 'degraded', 'degraded'],
    ]);
  });
});
