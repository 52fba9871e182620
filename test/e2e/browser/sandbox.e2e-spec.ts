import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser, newPage } from '../../support/browser.js';
import { SandboxForTests } from '../../support/sandbox.js';

const VERIFIER = 'a-verifier-that-is-long-enough-for-the-rule-of-43';

describeInBrowser('the sandbox in a browser', () => {
  let browser: Browser;
  let page: Page;
  let sandbox: SandboxForTests;
  let app: Server;
  let callback: string;
  const complaints: string[] = [];

  beforeAll(async () => {
    app = createServer((_request, response) => response.end('back at the app'));
    await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
    callback = `http://127.0.0.1:${(app.address() as AddressInfo).port}/callback`;
    sandbox = await SandboxForTests.start({ SANDBOX_REDIRECT_URIS: callback });
    browser = await launchBrowser();
  });

  beforeEach(async () => {
    page = await newPage(browser);
    complaints.length = 0;
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('dialog', (dialog) => {
      complaints.push(dialog.message());
      void dialog.dismiss();
    });
  });

  afterEach(() => page.close());

  afterAll(async () => {
    await browser.close();
    await sandbox.stop();
    await new Promise((resolve) => app.close(resolve));
  });

  const consent = (): string => {
    const parameters = new URLSearchParams({
      response_type: 'code',
      client_id: 'sandbox-client',
      redirect_uri: callback,
      scope: 'tweet.read users.read tweet.write offline.access',
      state: 'one&two',
      code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
      code_challenge_method: 'S256',
    });
    return `${sandbox.url}/x-web/i/oauth2/authorize?${parameters.toString()}`;
  };

  const tokensFor = async (code: string): Promise<{ accessToken: string }> => {
    const { status, body } = await sandbox.call('POST', '/x/2/oauth2/token', {
      headers: { authorization: `Basic ${Buffer.from('sandbox-client:sandbox-secret').toString('base64')}` },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: callback,
        code_verifier: VERIFIER,
      }),
    });
    expect(status).toBe(200);
    return { accessToken: body.access_token as string };
  };

  it('a person authorizes an app, and sees its posts on the timeline', async () => {
    await page.goto(consent());
    await page.getByLabel('Harbor Books').check();
    await page.getByRole('button', { name: 'Authorize app' }).click();
    await page.waitForURL(`${callback}**`);
    const returned = new URL(page.url()).searchParams;
    expect(returned.get('state')).toBe('one&two');
    const tokens = await tokensFor(returned.get('code') ?? '');

    await page.goto(`${sandbox.url}/x-web/harborbooks`);
    expect(await page.getByText('Nothing has been published here yet.').isVisible()).toBe(true);
    const first = await sandbox.post(tokens, { text: 'New in: <script>alert("x")</script> & more' });
    const reply = { in_reply_to_tweet_id: first.body.data.id as string };
    await sandbox.post(tokens, { text: 'And one more thing: https://example.com/books', reply });
    await page.getByText('New in: <script>alert("x")</script> & more').waitFor();
    expect(await page.locator('.thread').count()).toBe(1);
    expect(await page.locator('.thread .post').count()).toBe(2);
    expect(await page.getByRole('link', { name: 'https://example.com/books' }).getAttribute('href')).toBe(
      'https://example.com/books',
    );
    expect(complaints).toEqual([]);
  });

  it('a person types a new handle, or cancels', async () => {
    await page.goto(consent());
    await page.getByPlaceholder('@handle').fill('@brand_new');
    await page.getByRole('button', { name: 'Authorize app' }).click();
    await page.waitForURL(`${callback}**`);
    expect((await sandbox.call('GET', '/x-web/brand_new')).status).toBe(200);
    await page.goto(consent());
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForURL(`${callback}**`);
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied');
    expect(complaints).toEqual([]);
  });

  it('the index page links every account', async () => {
    await page.goto(sandbox.url);
    await page.getByRole('link', { name: 'Northwind Coffee X' }).click();
    await page.getByRole('heading', { name: 'Northwind Coffee' }).waitFor();
    expect(complaints).toEqual([]);
  });
});
