import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { type LocalObjectStorage, startLocalObjectStorage } from '../../../local/local-stores.js';
import { describeInBrowser, launchBrowser, newPage } from '../../support/browser.js';
import { BusinessApi } from '../../support/business-api.js';
import { installUploader } from '../../support/uploading-page.js';

const VIDEO_BYTES = 70 * 1_024 ** 2;

async function startPages(): Promise<Server & { origin: string }> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Upload</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(server, { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

describeInBrowser('a page of another origin', () => {
  let browser: Browser;
  let pages: Awaited<ReturnType<typeof startPages>>;
  let foreign: Awaited<ReturnType<typeof startPages>>;
  let folder: string;
  let store: LocalObjectStorage;
  let api: BusinessApi;
  let context: { api: string; token: string; brandId: string };
  const opened: Page[] = [];

  beforeAll(async () => {
    [pages, foreign] = [await startPages(), await startPages()];
    folder = await mkdtemp(join(tmpdir(), 'direct-upload-'));
    store = await startLocalObjectStorage(folder, 'secret', [pages.origin]);
    api = await BusinessApi.start({ ...store.environment, CORS_ORIGINS: pages.origin });
    const { token } = api.person();
    const brand = await api.as(token)('POST', '/api/brands', { name: 'Acme' });
    context = { api: api.service.url, token, brandId: brand.body.id as string };
    browser = await launchBrowser();
  });
  afterEach(() => Promise.all(opened.splice(0).map((page) => page.close())));
  afterAll(async () => {
    await browser.close();
    await api.stop();
    await store.stop();
    for (const server of [pages, foreign]) await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  });

  const open = async (origin = pages.origin): Promise<Page> => {
    const page = await newPage(browser);
    opened.push(page);
    await page.goto(origin);
    await page.evaluate(installUploader, context);
    return page;
  };
  const statusOf = async (id: string) => (await api.as(context.token)('GET', `/api/media/${id}`)).body.status;

  const beginPicture = async (page: Page) => {
    const { status, body } = await page.evaluate(async () => {
      const picture = uploader.file(100_000, 7, 'image/png');
      const sha256 = await uploader.sha256(picture);
      const facts = { fileName: 'harbour.png', contentType: 'image/png', bytes: picture.size, sha256 };
      return uploader.call('/upload', facts);
    });
    expect(status).toBe(200);
    return { id: body.media.id, upload: body.upload };
  };
  const sendPicture = (page: Page, { url, headers }: { url: string; headers: object }) =>
    page.evaluate(
      async ({ url, headers }) => {
        try {
          return await uploader.send(url, headers, uploader.file(100_000, 7, 'image/png'));
        } catch (error) {
          return String(error);
        }
      },
      { url, headers: headers as Record<string, string> },
    );

  it('uploads a picture straight to the object store, and reads its ETag', async () => {
    const page = await open();
    const { id, upload } = await beginPicture(page);
    expect(new URL(upload.url).origin).toBe(store.endpoint);
    expect(await sendPicture(page, upload)).toEqual([200, expect.stringMatching(/^"\w+"$/)]);
    // The answer is readable too, and it has no ETag.
    expect(await sendPicture(page, upload)).toEqual([412, null]);
    const completed = await page.evaluate((path) => uploader.call(path, {}), `/${id}/complete`);
    expect(completed).toMatchObject({ status: 200, body: { id, status: 'inspecting', bytes: 100_000 } });
  });

  it('uploads a video in parallel parts, and resumes after it was closed', async () => {
    const begin = await (
      await open()
    ).evaluate(async (bytes) => {
      const facts = { fileName: 'film.mp4', contentType: 'video/mp4', bytes };
      return uploader.call('/upload', facts);
    }, VIDEO_BYTES);
    expect(begin).toMatchObject({ status: 200, body: { upload: { kind: 'multipart', partCount: 5 } } });
    const { media, upload } = begin.body;
    const task = { path: `/${media.id}`, bytes: VIDEO_BYTES, partBytes: upload.partBytes };
    /** Sends the parts that the store lacks, all at once. */
    const sendMissing = (page: Page, wanted: readonly number[]) =>
      page.evaluate(
        async ({ path, bytes, partBytes, wanted }) => {
          const video = uploader.file(bytes, 3, 'video/mp4');
          const { uploaded } = (await uploader.call(`${path}/parts`, { parts: [] })).body;
          const known = uploaded.map(({ partNumber }) => partNumber);
          const partOf = (number: number) => video.slice((number - 1) * partBytes, number * partBytes);
          const missing = wanted.filter((number) => !known.includes(number));
          const parts = await Promise.all(
            missing.map(async (partNumber) => ({
              partNumber,
              sha256: await uploader.sha256(partOf(partNumber)),
            })),
          );
          const signed = (await uploader.call(`${path}/parts`, { parts })).body.parts;
          const statuses = await Promise.all(
            signed.map(({ partNumber, url, headers }) => uploader.send(url, headers, partOf(partNumber))),
          );
          return { known, missing, statuses: statuses.map(([status]) => status) };
        },
        { ...task, wanted: [...wanted] },
      );

    const first = await open();
    expect(await sendMissing(first, [2, 5])).toEqual({ known: [], missing: [2, 5], statuses: [200, 200] });
    const early = await first.evaluate((path) => uploader.call(path, {}), `/${media.id}/complete`);
    expect([early.status, early.body]).toMatchObject([409, { code: 'upload_not_finished' }]);
    await first.close();

    const second = await open();
    expect(await sendMissing(second, [1, 2, 3, 4, 5])).toEqual({
      known: [2, 5],
      missing: [1, 3, 4],
      statuses: [200, 200, 200],
    });
    const completed = await second.evaluate((path) => uploader.call(path, {}), `/${media.id}/complete`);
    expect(completed).toMatchObject({ status: 200, body: { status: 'inspecting', bytes: VIDEO_BYTES } });
  });

  it('that is not allowed sends nothing, neither to the API nor with an address it was given', async () => {
    const { id, upload } = await beginPicture(await open());
    const stranger = await open(foreign.origin);
    const asked = stranger.evaluate(() => uploader.call('/upload', {}));
    await expect(asked).rejects.toThrow('Failed to fetch');
    expect(await sendPicture(stranger, upload)).toBe('TypeError: Failed to fetch');
    expect(await statusOf(id)).toBe('uploading');
    // Nothing was stored: the address still works for the allowed page.
    expect(await sendPicture(await open(), upload)).toEqual([200, expect.anything()]);
  });
});
