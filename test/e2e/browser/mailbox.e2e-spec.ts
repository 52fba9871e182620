import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser, newPage } from '../../support/browser.js';
import { EmailWorld, newAddress } from '../../support/email-world.js';

const HOSTILE = `
  <h2>Your order</h2>
  <script>top.document.title = 'taken'; window.ran = true;</script>
  <img src="x" onerror="document.body.append('handler ran')">
  <img src="/mailbox?loaded-by-the-mail">
  <form action="/_sandbox/reset" method="post"><button>Reset</button></form>
  <a href="javascript:document.body.append('link ran')">Link</a>
  <a href="/" target="_top">Leave</a>
  <p id="end">The end</p>`;

describeInBrowser('the mailbox page of the sandbox in a browser', () => {
  let browser: Browser;
  let page: Page;
  let world: EmailWorld;

  beforeAll(async () => {
    world = await EmailWorld.start();
    browser = await launchBrowser();
  });

  beforeEach(async () => {
    page = await newPage(browser);
  });

  afterEach(() => page.close());

  afterAll(async () => {
    await browser.close();
    await world.stop();
  });

  /** Sends it through the gateway and opens it as a person does. */
  const opened = async (subject: string, body: object): Promise<string> => {
    const [headers, address] = [await world.service(), newAddress()];
    await world.sendAndSettle(headers, { to: [{ address, name: 'Ada' }], subject, ...body });
    await page.goto(`${world.mail.sandbox.url}/mailbox`);
    await page.getByRole('link', { name: subject }).click();
    await page.getByRole('heading', { name: subject }).waitFor();
    return address;
  };

  it('shows a message that the gateway sent', async () => {
    const address = await opened('Welcome, Ada 🎈', { text: 'Good day', html: '<p>Good <b>day</b></p>' });
    expect(await page.locator('main').innerText()).toContain(`to ${address}`);
    expect(await page.locator('pre').innerText()).toBe('Good day');
    const message = page.frameLocator('iframe');
    expect(await message.locator('b').innerText()).toBe('day');
  });

  it('shows a hostile message without running it, loading from it or leaving the page', async () => {
    // The browser announces requests that the policy then blocks, so responses count.
    const loaded: string[] = [];
    page.on('response', (response) => loaded.push(response.url().slice(world.mail.sandbox.url.length)));
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    const subject = `<img src=x onerror="alert('subject')"> Order`;
    await opened(subject, { html: HOSTILE });

    const message = page.frameLocator('iframe');
    const end = message.locator('#end');
    await end.waitFor();
    const address = page.url();
    for (const name of ['Link', 'Leave']) await message.getByRole('link', { name }).click();
    await message.getByRole('button', { name: 'Reset' }).click();
    await end.waitFor();

    expect(page.url()).toBe(address);
    expect(await page.title()).toContain(subject);
    expect(await message.locator('body').innerText()).not.toContain('ran');
    expect(dialogs).toEqual([]);
    const { id } = await world.mail.newest((await world.mail.accepted()).at(-1)?.recipients[0] ?? '');
    expect(new Set(loaded.filter((path) => !path.startsWith('/_sandbox/')))).toEqual(
      new Set(['/mailbox', `/mailbox/${id}`, `/mailbox/${id}/html`]),
    );
  });
});
