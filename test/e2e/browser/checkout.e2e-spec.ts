import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import type Stripe from 'stripe';
import { describeInBrowser, launchBrowser, newPage } from '../../support/browser.js';
import { PaymentsSandbox } from '../../support/payments-sandbox.js';
import { SandboxForTests } from '../../support/sandbox.js';

describeInBrowser('the checkout page of the sandbox in a browser', () => {
  let browser: Browser;
  let page: Page;
  let sandbox: SandboxForTests;
  let stripe: Stripe;
  let shop: Server;
  let shopUrl: string;
  /** The page of the shop. */
  let shopPage: string;

  beforeAll(async () => {
    shop = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(shopPage);
    });
    await once(shop.listen(0, '127.0.0.1'), 'listening');
    shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
    sandbox = await SandboxForTests.start();
    stripe = (await PaymentsSandbox.of(sandbox)).client();
    browser = await launchBrowser();
  });

  beforeEach(async () => {
    shopPage = 'Back at the shop';
    page = await newPage(browser);
  });

  afterEach(() => page.close());

  afterAll(async () => {
    await browser.close();
    await sandbox.stop();
    await new Promise((closed) => shop.close(closed));
  });

  const checkout = async () => {
    const { id: price } = await stripe.prices.create({
      currency: 'eur',
      unit_amount: 1_250,
      recurring: { interval: 'month' },
      product_data: { name: 'Seat' },
    });
    return stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price, quantity: 2 }],
      success_url: `${shopUrl}/paid?session={CHECKOUT_SESSION_ID}`,
      cancel_url: `${shopUrl}/cancelled`,
    });
  };

  const statusOf = async ({ id }: Stripe.Checkout.Session) =>
    (await stripe.checkout.sessions.retrieve(id)).status;

  it('lets a person pay by a click, after a card was declined', async () => {
    const session = await checkout();
    await page.goto(session.url ?? '');
    await page.getByLabel('4000 0000 0000 0002, declined').check();
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByText('Your card was declined.').waitFor();
    expect(await statusOf(session)).toBe('open');
    await page.getByLabel('4242 4242 4242 4242, accepted').check();
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.waitForURL(`${shopUrl}/paid?session=${session.id}`);
    expect(await statusOf(session)).toBe('complete');
  });

  it('lets a person go back', async () => {
    const session = await checkout();
    await page.goto(session.url ?? '');
    await page.getByRole('button', { name: 'Back' }).click();
    await page.waitForURL(`${shopUrl}/cancelled`);
    expect(await statusOf(session)).toBe('open');
  });

  it('does not let a page of another site pay', async () => {
    const session = await checkout();
    shopPage = `<form method="post" action="${session.url}"><input name="card" value="accepted"><button name="decision" value="pay">Win</button></form>`;
    await page.goto(shopUrl);
    const [response] = await Promise.all([
      page.waitForResponse(session.url ?? ''),
      page.getByRole('button', { name: 'Win' }).click(),
    ]);
    expect(response.status()).toBe(403);
    expect(await statusOf(session)).toBe('open');
  });
});
