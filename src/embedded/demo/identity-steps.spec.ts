import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signIn } from './identity-steps.js';

describe('signing in for the demo', () => {
  let server: Server;
  let login: number;
  const asked: string[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      const status = request.url === '/register' ? 201 : login;
      response.writeHead(status).end(JSON.stringify({ accessToken: `from ${request.url}`, status }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  beforeEach(() => asked.splice(0));
  afterAll(() => server.close());

  const attempt = () =>
    signIn(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
      email: 'demo@example.com',
      password: 'secret',
    });

  it('uses the account that is there', async () => {
    login = 200;
    expect(await attempt()).toBe('from /api/auth/login');
  });

  it('makes the account where there is none', async () => {
    login = 401;
    expect(await attempt()).toBe('from /register');
  });

  it.each([429, 503])('says what keeps it out when that is something else: %d', async (status) => {
    login = status;
    await expect(attempt()).rejects.toThrow(`/api/auth/login answered ${status}`);
    expect(asked).toEqual(['/api/auth/login']);
  });
});
