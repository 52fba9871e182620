import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Credentials } from '../identity.types.js';
import type { FakeIdentity } from './fake-identity.js';

export interface ServedIdentity {
  /** Base address, for IDENTITY_URL. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves `/validate`, `/validate/batch`, `/api/registrations` and `/api/attribution` of the fake on a loopback port, for services that start from an environment. */
export async function serveFakeIdentity(fake: FakeIdentity): Promise<ServedIdentity> {
  const server = createServer((request, response) => {
    handle(fake, request, response).catch(() => response.writeHead(503).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function handle(fake: FakeIdentity, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://identity');
  const [, slug] = /^\/api\/registrations\/([^/]+)$/.exec(url.pathname) ?? [];
  if (slug !== undefined) return sendRegistration(fake, slug, response);
  if (url.pathname === '/api/attribution') {
    const verified = await fake.verifyAttribution(Object.fromEntries(url.searchParams));
    return send(response, 200, 'application/json', verified);
  }
  if (url.pathname === '/validate/batch') {
    const { validations } = JSON.parse(await text(request)) as { validations: Credentials[] };
    const results = await Promise.all(validations.map((credentials) => resultOf(fake, credentials)));
    return send(response, 200, 'application/json', { results });
  }
  if (url.pathname !== '/validate') return void response.writeHead(404).end();
  const key = request.headers['x-api-key'];
  const caller = await fake.validate({
    authorization: request.headers.authorization,
    apiKey: Array.isArray(key) ? key.join(', ') : key,
    service: url.searchParams.get('service') ?? '',
  });
  if (!caller) return send(response, 401, 'application/problem+json', { status: 401, title: 'Refused' });
  send(response, 200, 'application/json', { active: true, ...caller });
}

const resultOf = (fake: FakeIdentity, credentials: Credentials) =>
  fake.validate(credentials).then(
    (caller) => ({
      status: caller ? 200 : 401,
      validation: caller ? { active: true, ...caller } : null,
    }),
    () => ({ status: 503, validation: null }),
  );

async function sendRegistration(fake: FakeIdentity, slug: string, response: ServerResponse): Promise<void> {
  const found = await fake.registration(decodeURIComponent(slug));
  if (!found) return send(response, 404, 'application/problem+json', { status: 404, title: 'Not found' });
  send(response, 200, 'application/json', found);
}

function send(response: ServerResponse, status: number, contentType: string, body: object): void {
  response.writeHead(status, { 'content-type': contentType }).end(JSON.stringify(body));
}
