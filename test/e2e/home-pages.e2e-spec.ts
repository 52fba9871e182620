import { type IncomingMessage, request } from 'node:http';
import type { RunningService } from '#libs/http';
import { bootGateway } from '../support/boot-gateway.js';
import { bootIdentity } from '../support/boot-identity.js';
import { BusinessApi } from '../support/business-api.js';
import { PaymentsSandbox } from '../support/payments-sandbox.js';
import { SandboxForTests } from '../support/sandbox.js';

/** What browsers send for an address that a person opens. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const PROGRAMS = ['*/*', 'application/json', 'application/json, text/html;q=0.5', '', undefined];
const POLICY =
  /^default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'(;|$)/;

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** Without the headers that `fetch` adds by itself. */
function ask(url: string, accept: string | undefined, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers: accept === undefined ? {} : { accept } }, (response) => {
      let text = '';
      response.on('data', (part: Buffer) => (text += part.toString()));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    })
      .on('error', reject)
      .end();
  });
}

const linksIn = (text: string): string[] =>
  [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address = '']) => address);

const services: readonly [string, string, (more?: Record<string, string>) => Promise<Served>][] = [
  ['the business API', 'Business API', async (more) => served(await BusinessApi.start(more))],
  ['identity', 'Identity service', async (more) => closing(await bootIdentity(more))],
  ['the gateway', 'Provider gateway', async (more) => closing(await bootGateway('http://127.0.0.1:9', more))],
];

interface Served {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const served = (api: BusinessApi): Served => ({ url: api.service.url, stop: () => api.stop() });
const closing = (booted: { service: RunningService; close: () => Promise<void> }): Served => ({
  url: booted.service.url,
  stop: () => booted.close(),
});

describe.each(services)('the address of %s', (_, name, start) => {
  let service: Served;
  beforeAll(async () => {
    service = await start();
  });
  afterAll(() => service.stop());

  it('shows a browser what the service is, under a strict policy and without a cookie', async () => {
    const { status, headers, text } = await ask(service.url, BROWSER);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toMatch(POLICY);
    expect(headers.vary).toMatch(/\bAccept\b/);
    expect(headers['set-cookie']).toBeUndefined();
    expect(text).toContain(`<h1>${name}</h1>`);
    expect(text).toMatch(/goes on from\s+there/);
    expect(text).not.toMatch(/<script|<style|style=/);
  });

  it('leads on to addresses that exist', async () => {
    const links = linksIn((await ask(service.url, BROWSER)).text);
    expect(links).toEqual(
      expect.arrayContaining(['./docs', './openapi.json', './health', './assets/pages.css']),
    );
    for (const link of links) {
      const { status } = await ask(new URL(link, `${service.url}/`).href, BROWSER);
      // The full health check can find that a part of a test is missing.
      expect([link, link === './health' && status === 503 ? 200 : status]).toEqual([link, 200]);
    }
  });

  it('answers HEAD as GET, without the page', async () => {
    const [get, head] = [await ask(service.url, BROWSER), await ask(service.url, BROWSER, 'HEAD')];
    expect([head.status, head.text]).toEqual([200, '']);
    for (const header of ['content-type', 'content-length', 'content-security-policy', 'vary'])
      expect([header, head.headers[header]]).toEqual([header, get.headers[header]]);
  });

  it.each(PROGRAMS)('is a problem in JSON for a program that accepts %p', async (accept) => {
    const { status, headers, text } = await ask(service.url, accept);
    expect([status, headers['content-type']]).toEqual([404, 'application/problem+json; charset=utf-8']);
    expect(headers.vary).toMatch(/\bAccept\b/);
    expect(JSON.parse(text)).toMatchObject({ code: 'not_found', status: 404 });
    expect((await ask(service.url, accept, 'HEAD')).status).toBe(404);
  });
});

describe('the address of a service without documents, as in production', () => {
  it('names no operation and no part', async () => {
    const api = await BusinessApi.start({ API_DOCS: 'false' });
    try {
      const { status, text } = await ask(api.service.url, BROWSER);
      expect(status).toBe(200);
      expect(linksIn(text)).toEqual(['./assets/icon.svg', './assets/pages.css', './health']);
      expect(text).not.toMatch(/X-Api-Key|demo|README|\d+\.\d+\.\d+/);
    } finally {
      await api.stop();
    }
  });
});

describe('the address of the payment provider of the sandbox', () => {
  let sandbox: SandboxForTests;
  let payments: PaymentsSandbox;
  beforeAll(async () => {
    sandbox = await SandboxForTests.start();
    payments = await PaymentsSandbox.of(sandbox);
  });
  afterAll(() => sandbox.stop());

  it('shows a browser its open checkout pages, and the way back to the sandbox', async () => {
    const before = await ask(payments.url, BROWSER);
    expect(before.text).toContain('None is open.');
    expect(before.headers['content-security-policy']).toMatch(POLICY);
    const stripe = payments.client();
    const { id: price } = await stripe.prices.create({
      currency: 'eur',
      unit_amount: 1_250,
      product_data: { name: 'Seat' },
    });
    const session = await stripe.checkout.sessions.create({
      mode: 'payment',
      success_url: 'https://example.com/paid',
      customer_email: '"<b>x</b>"@example.com',
      line_items: [{ quantity: 1, price }],
    });
    const { status, text } = await ask(payments.url, BROWSER);
    expect([status, linksIn(text)]).toEqual([
      200,
      expect.arrayContaining([`/c/pay/${session.id}`, sandbox.url]),
    ]);
    expect(text).toContain('12.50 EUR');
    expect(text).toContain('&lt;b&gt;x&lt;/b&gt;');
    expect(text).not.toContain('<b>x');
    expect((await ask(payments.url, BROWSER, 'HEAD')).text).toBe('');
    expect((await ask(sandbox.url, BROWSER)).text).toContain(`href="${payments.url}"`);
  });

  it('is unknown to a program, in the words of the provider', async () => {
    const { status, headers, text } = await ask(payments.url, 'application/json');
    expect([status, headers.vary]).toEqual([404, 'Accept']);
    expect(JSON.parse(text)).toEqual({
      error: { type: 'invalid_request_error', message: 'Unrecognized request URL.' },
    });
  });
});
