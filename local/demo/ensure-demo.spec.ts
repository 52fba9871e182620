import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureDemo } from './ensure-demo.js';

describe('the demo of a start', () => {
  let folder: string;
  let server: Server;
  let statuses: Readonly<Record<string, number>>;
  let body: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ensure-demo-'));
    server = createServer((request, response) => {
      response.writeHead(statuses[request.url ?? ''] ?? 500).end(body);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });

  const ensure = () => {
    const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return ensureDemo(
      { api: here, identity: here, gateway: here, sandbox: here, payments: here },
      folder,
      {},
    );
  };

  it.each([
    [{ '/api/auth/login': 429 }, 'POST /api/auth/login answered 429: Try again in 8 s'],
    [{ '/api/auth/login': 503 }, 'POST /api/auth/login answered 503: Try again in 8 s'],
    [{ '/api/auth/login': 401, '/register': 409 }, 'or its password was changed'],
    [{ '/api/auth/login': 200 }, 'POST /api/organizations answered 500: Try again in 8 s'],
  ])('is left out with the reason when a service refuses it: %j', async (answers, reason) => {
    statuses = answers;
    body = JSON.stringify({ detail: 'Try again in 8 s.', accessToken: 'a' });
    const { demo, withoutDemo } = await ensure();
    expect(demo).toBeUndefined();
    expect(withoutDemo).toContain(reason);
    expect(withoutDemo).not.toMatch(/\n|\.$/);
  });

  it('is left out with the status alone when the answer is a page', async () => {
    [statuses, body] = [{ '/api/auth/login': 502 }, '<html>\n</html>'];
    expect(await ensure()).toEqual({ withoutDemo: 'POST /api/auth/login answered 502' });
  });

  it('hides no mistake of the program', async () => {
    [statuses, body] = [{ '/api/auth/login': 200 }, 'no JSON'];
    await expect(ensure()).rejects.toThrow(SyntaxError);
  });

  it('is left out when an address leads nowhere', async () => {
    const nowhere = 'http://127.0.0.1:1';
    const addresses = {
      api: nowhere,
      identity: nowhere,
      gateway: nowhere,
      sandbox: nowhere,
      payments: nowhere,
    };
    expect(await ensureDemo(addresses, folder, {})).toEqual({ withoutDemo: `${nowhere} cannot be reached` });
  });
});
