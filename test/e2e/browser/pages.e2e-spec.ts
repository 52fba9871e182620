import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser, newPage } from '../../support/browser.js';
import { EmbeddedWorld } from '../../support/embedded-world.js';

const SCHEMES = ['light', 'dark'] as const;
const WIDTHS = [360, 1_280] as const;
/** Folder for pictures of the pages; undefined: none are taken. */
const { SCREENSHOTS } = process.env;

interface Look {
  readonly background: string;
  /** Whether a part of the page is wider than the window. */
  readonly isClipped: boolean;
}

describeInBrowser('the pages of the services, in a browser', () => {
  let world: EmbeddedWorld;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    [world, browser] = await Promise.all([EmbeddedWorld.start(), launchBrowser()]);
    if (SCREENSHOTS) await mkdir(SCREENSHOTS, { recursive: true });
  }, 300_000);
  beforeEach(async () => {
    page = await newPage(browser);
    complaints.length = 0;
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
  });
  afterEach(() => page.close());
  afterAll(async () => {
    await browser.close();
    await world.stop();
  });

  /** The open page in both colour schemes, on a phone and on a desk. */
  async function looks(name: string): Promise<void> {
    const backgrounds = new Set<string>();
    for (const colorScheme of SCHEMES)
      for (const width of WIDTHS) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        const { background, isClipped } = await page.evaluate<Look>(
          `({ background: getComputedStyle(document.body).backgroundColor, isClipped: document.documentElement.scrollWidth > innerWidth })`,
        );
        expect([name, colorScheme, width, isClipped]).toEqual([name, colorScheme, width, false]);
        backgrounds.add(background);
        if (SCREENSHOTS)
          await page.screenshot({
            path: join(SCREENSHOTS, `${name}-${colorScheme}-${width}.png`),
            fullPage: true,
          });
      }
    // With the stylesheet of the service, and in the colours of the person.
    expect(backgrounds).toEqual(new Set(['rgb(245, 247, 248)', 'rgb(0, 0, 0)']));
    expect(complaints).toEqual([]);
  }

  it('are shown at the address of each service', async () => {
    for (const [index, home] of world.homes.entries()) {
      await page.goto(home);
      expect(await page.locator('h1').count()).toBe(1);
      await looks(`home-${index}`);
    }
  });

  it('ask before an account is connected, and say what became of it', async () => {
    const { brandId, api } = world;
    const { body } = await world.call('POST', `/api/integrations/linkedin/connect?brandId=${brandId}`);
    await page.goto(body.startUrl as string);
    await looks('connect-start');
    await Promise.all([page.waitForURL((url) => !url.href.startsWith(api)), page.click('button.primary')]);
    await Promise.all([page.waitForURL(`${api}/**`), page.click('button.primary')]);
    expect(await page.textContent('h1')).toMatch(/is connected to .*Seven networks/);
    await looks('connect-result');
    await page.click('text=About this service');
    expect(await page.textContent('h1')).toBe('Business API');
  });

  it('say that nothing was connected', async () => {
    // The browser reports the status of the page as an error of its own.
    await page.goto(`${world.api}/api/integrations/x/connect/start?startToken=unknown`);
    complaints.length = 0;
    await looks('connect-refused');
  });
});
