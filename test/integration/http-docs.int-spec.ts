import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { RunningService } from '#libs/http';
import { SampleModule, startSample } from './http-sample.js';

const BROWSER = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const describeInBrowser = BROWSER ? describe : describe.skip;

describeInBrowser('Swagger UI in a browser (skipped where no Chromium is installed)', () => {
  let service: RunningService;
  beforeAll(async () => (service = await startSample({}, SampleModule)));
  afterAll(() => service.close());

  it('accepts credentials and sends them, without a browser error', async () => {
    const browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(String(error)));
      await page.goto(`${service.url}/docs`);
      await page.click('button.authorize');
      const schemes = await page.locator('.auth-container h4').allTextContents();
      expect(schemes.map((scheme) => scheme.trim().split(/\s/)[0])).toEqual(['BearerAuth', 'ApiKeyAuth']);
      await page.locator('.auth-container input').first().fill('ann');
      await page.locator('.auth-btn-wrapper .authorize').first().click();
      await page.locator('.auth-btn-wrapper .btn-done').first().click();
      // Groups and operations start closed.
      await page.locator('.opblock-tag').first().waitFor();
      expect(await page.locator('.opblock').count()).toBe(0);
      await page.click('.opblock-tag[data-tag="Things"]');
      await page.click('#operations-Things-showContext .opblock-summary-control');
      await page.click('#operations-Things-showContext .execute');
      const answer = page
        .locator('#operations-Things-showContext .live-responses-table .response-col_status')
        .last();
      await answer.waitFor();
      expect(await answer.textContent()).toContain('200');
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
