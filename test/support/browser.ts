import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

const KNOWN_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const installed = [process.env.BROWSER_PATH, ...KNOWN_PLACES].find(
  (path) => path !== undefined && existsSync(path),
);

/** Without the flags on background traffic Chromium asks its maker's hosts at every start. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * A `describe` for tests that drive a real browser; where none is installed it skips them and says so. Which `describe` is asked
 * at each call: files of one worker share this module, and each has a `describe` of its own.
 */
export function describeInBrowser(name: string, body: () => void): void {
  if (installed) return describe(name, body);
  process.stderr.write(
    `SKIPPED, no browser: "${name}". Install Chromium (Debian: apt-get install chromium) or set BROWSER_PATH.\n`,
  );
  describe.skip(name, body);
}

/** Of the start and of each step on a page: only a hanging test reaches it. */
const STEP_MS = 120_000;

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: installed, args: FLAGS, timeout: STEP_MS });
}

export async function newPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(STEP_MS);
  return page;
}
