import type { Browser, Locator, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../../support/browser.js';
import { BusinessApi } from '../../support/business-api.js';
import { ContentStage } from '../../support/content-stage.js';

/** Only end a browser that hangs: how fast a page is depends on the machine. */
const [PATIENCE_MS, TEST_MS] = [100_000, 400_000];

describeInBrowser('Swagger UI of the business API in a browser', () => {
  let browser: Browser;
  let page: Page;
  let api: BusinessApi;
  let stage: ContentStage;
  /** The group of each operation, by its id. */
  let groups: Map<string, string>;
  const complaints: string[] = [];

  beforeAll(async () => {
    api = await BusinessApi.start();
    stage = await ContentStage.set(api);
    groups = await groupsOf(api.service.url);
    browser = await launchBrowser();
  });

  beforeEach(async () => {
    const context = await browser.newContext();
    page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    complaints.length = 0;
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${api.service.url}/docs`);
    await page.locator('.opblock-tag').first().waitFor();
  });

  afterEach(() => page.context().close());

  afterAll(async () => {
    await browser.close();
    await api.stop();
  });

  /** What a person does behind the button with the lock. @param scheme as the document names it */
  const authorize = async (scheme: string, secret: string) => {
    await page.locator('.scheme-container button.authorize').click();
    const form = page.locator('.auth-container', { has: page.getByText(scheme) });
    await form.locator('input').fill(secret);
    await form.locator('button.authorize').click();
    await form.locator('button', { hasText: 'Logout' }).waitFor();
    await page.locator('button.btn-done').first().click();
  };

  /** Groups start closed: opens the group of the operation, where it is not open. */
  const shown = async (operationId: string): Promise<Locator> => {
    const group = page.locator(`.opblock-tag[data-tag="${groups.get(operationId)}"]`);
    if ((await group.getAttribute('data-is-open')) !== 'true') await group.click();
    return page.locator(`[id$="-${operationId}"]`);
  };

  const open = async (operationId: string): Promise<Locator> => {
    const operation = await shown(operationId);
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('button.execute').waitFor();
    return operation;
  };

  const execute = async (
    operation: Locator,
  ): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }> => {
    // The answer before goes first, so that it is not taken for the one that is waited for.
    const clear = operation.locator('button.btn-clear');
    if (await clear.isVisible()) await clear.click();
    await operation.locator('.live-responses-table').waitFor({ state: 'detached' });
    await operation.locator('button.execute').click();
    const answer = operation.locator('.live-responses-table tr.response');
    const status = await answer.locator('.response-col_status').innerText();
    const text = await answer.locator('.response-col_description .highlight-code code').first().innerText();
    return { status: Number.parseInt(status, 10), body: JSON.parse(text) };
  };

  it(
    'refuses without credentials, and creates the example post with a bearer',
    async () => {
      const listing = await open('listBrands');
      expect(await execute(listing)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
      await authorize('BearerAuth', stage.token);
      expect(await execute(listing)).toMatchObject({
        status: 200,
        body: { data: [{ id: stage.brandId, name: 'Acme' }] },
      });

      const creation = await open('createPost');
      const body = creation.locator('textarea.body-param__text');
      const example = JSON.parse(await body.inputValue()) as object;
      const scheduledAt = new Date(Date.now() + 86_400_000).toISOString();
      await body.fill(JSON.stringify({ ...example, brandId: stage.brandId, scheduledAt }));
      const created = await execute(creation);
      expect(created).toMatchObject({ status: 201, body: { brandId: stage.brandId, scheduledAt: null } });
      expect(created.body).toMatchObject({ proposedTime: scheduledAt, approval: { state: 'pending' } });
      const stored = await stage.person('GET', `/api/posts/${created.body.id as string}`);
      expect(stored.body).toMatchObject({
        text: created.body.text as string,
        approval: { state: 'pending' },
      });
      expect(complaints).toEqual([]);
    },
    TEST_MS,
  );

  it(
    'approves with an API key, and shows the refusal of a missing scope',
    async () => {
      const contentId = await stage.suggestion();
      const organization = { id: stage.organizationId, scopes: ['posts.read', 'posts.write'] };
      await authorize('ApiKeyAuth', api.identity.apiKey({ organization }));
      const approval = await open('approveContentItem');
      await approval.locator('tr[data-param-name="contentId"] input').fill(contentId);
      await approval.locator('textarea.body-param__text').fill('{"reason":"Good words"}');
      expect(await execute(approval)).toMatchObject({
        status: 200,
        body: { contentId, approvalState: 'approved' },
      });
      const { body } = await stage.person('GET', `/api/posts/${contentId}`);
      expect(body.approval).toMatchObject({ decidedBy: { type: 'api_key' }, reason: 'Good words' });

      const rollups = await open('getDailyRollups');
      expect(await execute(rollups)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
      const posts = await open('listPosts');
      expect(await execute(posts)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
      expect(complaints).toEqual([]);
    },
    TEST_MS,
  );
});

async function groupsOf(url: string): Promise<Map<string, string>> {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { operationId: string; tags: [string] }>>;
  };
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  return new Map(operations.map(({ operationId, tags }) => [operationId, tags[0]]));
}
