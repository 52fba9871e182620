import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DemoIsUnavailable } from './demo.js';
import { signIn } from './identity-steps.js';

describe('signing in for the demo', () => {
  let server: Server;
  let login: number;
  let register: number;
  const asked: string[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      const status = request.url === '/register' ? register : login;
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
    expect(await attempt()).toEqual({ accessToken: 'from /api/auth/login', isNew: false });
  });

  it('makes the account where there is none', async () => {
    [login, register] = [401, 201];
    expect(await attempt()).toEqual({ accessToken: 'from /register', isNew: true });
  });

  it('names the possible cause when the account is of another person', async () => {
    [login, register] = [401, 409];
    const attempted = attempt();
    await expect(attempted).rejects.toThrow(DemoIsUnavailable);
    await expect(attempted).rejects.toThrow(/^demo@example\.com .*, or its password was changed$/);
  });

  it.each([429, 503])('names another cause of a refused sign-in: %d', async (status) => {
    login = status;
    await expect(attempt()).rejects.toThrow(`/api/auth/login answered ${status}`);
    expect(asked).toEqual(['/api/auth/login']);
  });
});
