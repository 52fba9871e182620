import { createHash, randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { FixedClock } from '#libs/clock/testing';
import { loadConfig } from '#libs/config';
import {
  ObjectStorage,
  ObjectStorageConfig,
  PartsAreIncomplete,
  type PresignedRequest,
} from '#libs/object-storage';
import { OwnStorage } from '../support/object-storage.js';
import { sendRaw, sha256 } from '../support/signed-request.js';
import { waitUntil } from '../support/wait-until.js';

const MIN_PART = 5 * 1_024 ** 2;
const EXPIRES = { expiresSeconds: 60 };
const CONTENT = 'content';
const PNG = { contentType: 'image/png', length: CONTENT.length, sha256: sha256(CONTENT), ...EXPIRES };

const OTHER_SUM = Buffer.from(sha256('Content'), 'hex').toString('base64');

const compositeOf = (sums: readonly string[]) => {
  const hash = createHash('sha256');
  for (const sum of sums) hash.update(sum, 'hex');
  return `${hash.digest('base64')}-${sums.length}`;
};

/** @returns the status, and the code of the error or the whole text */
async function send(
  method: string,
  { url, headers }: PresignedRequest,
  body?: string | Buffer<ArrayBuffer>,
  more: Readonly<Record<string, string | undefined>> = {},
): Promise<[number, string]> {
  const sent = Object.entries({ ...headers, ...more }).filter((each): each is [string, string] => !!each[1]);
  const response = await fetch(url, { method, body, headers: Object.fromEntries(sent) });
  const text = await response.text();
  return [response.status, /<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? text];
}

describe('presigned requests', () => {
  const clock = new FixedClock(new Date());
  let own: OwnStorage;
  let storage: ObjectStorage;

  const open = (environment: object = {}) =>
    new ObjectStorage(loadConfig(ObjectStorageConfig, { ...own.environment, ...environment }));

  beforeAll(async () => {
    own = await OwnStorage.start({ clock });
    storage = open();
  });
  beforeEach(() => clock.jumpTo(new Date()));
  afterEach(async () => {
    expect(await own.leftovers()).toEqual([]);
    for (const key of await own.files()) await storage.delete(key);
  });
  afterAll(async () => {
    storage.onApplicationShutdown();
    await own.remove();
  });

  describe('of an upload', () => {
    it('store exactly what was declared', async () => {
      const request = await storage.presignPut({ key: 'a/b', ...PNG });
      expect(await send('PUT', request, CONTENT)).toEqual([200, '']);
      expect(await storage.head('a/b')).toMatchObject({
        length: 7,
        contentType: 'image/png',
        sha256: PNG.sha256,
      });
    });

    it.each<[string, string, Record<string, string | undefined>, [number, string]]>([
      ['other bytes', 'Content', {}, [400, 'BadDigest']],
      [
        'other bytes and their checksum',
        'Content',
        { 'x-amz-checksum-sha256': OTHER_SUM },
        [403, 'SignatureDoesNotMatch'],
      ],
      ['more bytes', 'content!', {}, [403, 'SignatureDoesNotMatch']],
      ['fewer bytes', 'conten', {}, [403, 'SignatureDoesNotMatch']],
      ['no bytes', '', {}, [403, 'SignatureDoesNotMatch']],
      ['another type', CONTENT, { 'content-type': 'text/html' }, [403, 'SignatureDoesNotMatch']],
      ['no checksum', CONTENT, { 'x-amz-checksum-sha256': undefined }, [403, 'SignatureDoesNotMatch']],
      ['no condition', CONTENT, { 'if-none-match': undefined }, [403, 'SignatureDoesNotMatch']],
      ['another condition', CONTENT, { 'if-none-match': '"x"' }, [403, 'SignatureDoesNotMatch']],
      ['metadata', CONTENT, { 'x-amz-meta-a': 'b' }, [403, 'AccessDenied']],
    ])('store nothing of %s', async (_, body, headers, answer) => {
      const request = await storage.presignPut({ key: 'a/b', ...PNG });
      expect(await send('PUT', request, body, headers)).toEqual(answer);
      expect(await own.files()).toEqual([]);
    });

    it('are refused after they expired', async () => {
      const request = await storage.presignPut({ key: 'a/b', ...PNG });
      clock.jumpTo(new Date(Date.now() + 61_000));
      expect(await send('PUT', request, CONTENT)).toEqual([403, 'AccessDenied']);
      clock.jumpTo(new Date());
      expect(await own.files()).toEqual([]);
    });

    it('replace nothing when they are sent again', async () => {
      const request = await storage.presignPut({ key: 'a/b', ...PNG });
      await send('PUT', request, CONTENT);
      const stored = await storage.head('a/b');
      expect(await send('PUT', request, CONTENT)).toEqual([412, 'PreconditionFailed']);
      expect(await storage.head('a/b')).toEqual(stored);
    });

    it('are good for no other key or method', async () => {
      const request = await storage.presignPut({ key: 'a/b', ...PNG });
      const elsewhere = { ...request, url: request.url.replace('/a/b?', '/a/c?') };
      expect(await send('PUT', elsewhere, CONTENT)).toEqual([403, 'SignatureDoesNotMatch']);
      expect(await send('DELETE', request)).toEqual([403, 'SignatureDoesNotMatch']);
    });

    it('store nothing of a body that is cut in the middle', async () => {
      const length = 1_000_000;
      const content = randomBytes(length);
      const put = { contentType: 'video/mp4', length, sha256: sha256(content) };
      const { url, headers } = await storage.presignPut({ key: 'a/b', ...put, ...EXPIRES });
      const { host, hostname, port, pathname, search } = new URL(url);
      const fields = Object.entries({ host, 'content-length': length, ...headers });
      const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      const socket = connect(Number(port), hostname);
      socket.write(`PUT ${pathname}${search} HTTP/1.1\r\n${head}\r\n`);
      socket.write(content.subarray(0, 300_000));
      await waitUntil(async () => (await own.leftovers()).length === 1);
      socket.destroy();
      await waitUntil(async () => (await own.leftovers()).length === 0);
      expect(await storage.head('a/b')).toBeNull();
    });
  });

  describe('of an upload in parts', () => {
    const parts = [randomBytes(MIN_PART), randomBytes(MIN_PART), randomBytes(1_000)];
    const length = 2 * MIN_PART + 1_000;
    const sums = parts.map(sha256);

    const begin = async () => ({ key: 'v', uploadId: await storage.multipart.create('v', 'video/mp4') });
    const sign = (upload: Awaited<ReturnType<typeof begin>>, at: number, more: object = {}) =>
      storage.presignPart({
        ...upload,
        partNumber: at + 1,
        length: parts[at]?.length ?? 0,
        sha256: sums[at] ?? '',
        ...EXPIRES,
        ...more,
      });
    const sendPart = async (upload: Awaited<ReturnType<typeof begin>>, at: number) =>
      send('PUT', await sign(upload, at), parts[at]);

    it('arrive in any order, are listed for a resume, and become one object', async () => {
      const upload = await begin();
      expect(await storage.multipart.parts(upload)).toEqual([]);
      await Promise.all([2, 0].map((at) => sendPart(upload, at)));
      const listed = await storage.multipart.parts(upload);
      expect(listed).toMatchObject([
        { partNumber: 1, length: MIN_PART, sha256: sums[0] },
        { partNumber: 3, length: 1_000, sha256: sums[2] },
      ]);
      await sendPart(upload, 1);
      const all = (await storage.multipart.parts(upload)) ?? [];
      const etag = await storage.multipart.complete({ ...upload, parts: all, length });
      expect(await storage.head('v')).toEqual({
        length,
        etag,
        contentType: 'video/mp4',
        sha256: null,
        compositeSha256: compositeOf(sums),
      });
      const stored = await storage.get('v', { etag: etag ?? '' });
      const content = stored && (await buffer(stored.body));
      expect(content?.equals(Buffer.concat(parts))).toBe(true);
      expect(await storage.multipart.parts(upload)).toBeNull();
    });

    it('are refused with other bytes, length, number or without their checksum', async () => {
      const upload = await begin();
      const request = await sign(upload, 2);
      const body = parts[2];
      expect(await send('PUT', request, randomBytes(1_000))).toEqual([400, 'BadDigest']);
      expect(await send('PUT', request, body?.subarray(1))).toEqual([403, 'SignatureDoesNotMatch']);
      const checksum = { 'x-amz-checksum-sha256': undefined };
      expect(await send('PUT', request, body, checksum)).toEqual([403, 'SignatureDoesNotMatch']);
      const renumbered = { ...request, url: request.url.replace('partNumber=3', 'partNumber=4') };
      expect(await send('PUT', renumbered, body)).toEqual([403, 'SignatureDoesNotMatch']);
      expect(await storage.multipart.parts(upload)).toEqual([]);
      await storage.multipart.abort(upload);
    });

    it('are not completed while one is missing', async () => {
      const upload = await begin();
      const complete = async () =>
        storage.multipart.complete({
          ...upload,
          parts: (await storage.multipart.parts(upload)) ?? [],
          length,
        });
      await expect(complete()).rejects.toThrow(PartsAreIncomplete);
      await sendPart(upload, 0);
      await sendPart(upload, 2);
      await expect(complete()).rejects.toThrow('Part 2 of the upload is missing.');
      await sendPart(upload, 1);
      const early = (await storage.multipart.parts(upload))?.slice(0, 2) ?? [];
      await expect(storage.multipart.complete({ ...upload, parts: early, length })).rejects.toThrow(
        /^The parts have 10485760 bytes, the file has 10486760 bytes\./,
      );
      expect(await storage.head('v')).toBeNull();
      expect(await complete()).toMatch(/^".+-3"$/);
    });

    it('are gone after they were aborted', async () => {
      const upload = await begin();
      await sendPart(upload, 0);
      await storage.multipart.abort(upload);
      await storage.multipart.abort(upload);
      expect(await sendPart(upload, 1)).toEqual([404, 'NoSuchUpload']);
      expect(await storage.multipart.parts(upload)).toBeNull();
      const part = { partNumber: 1, length: 1, etag: '"x"', sha256: null };
      expect(await storage.multipart.complete({ ...upload, parts: [part], length: 1 })).toBeNull();
      expect(await own.files()).toEqual([]);
    });
  });

  describe('of a download', () => {
    beforeEach(async () => {
      await send('PUT', await storage.presignPut({ key: 'a/b', ...PNG }), CONTENT);
    });

    it('save the object under a name, with the type that was asked for', async () => {
      const names = { downloadName: 'Příloha "1".png', contentType: 'application/octet-stream' };
      const { url, headers } = await storage.presignGet('a/b', { ...names, ...EXPIRES });
      expect(headers).toEqual({});
      const response = await fetch(url);
      expect(await response.text()).toBe(CONTENT);
      expect(response.headers.get('content-type')).toBe('application/octet-stream');
      expect(response.headers.get('content-disposition')).toBe(
        `attachment; filename="Priloha _1_.png"; filename*=UTF-8''P%C5%99%C3%ADloha%20%221%22.png`,
      );
    });

    it('give ranges of one version only', async () => {
      const { etag = '' } = (await storage.head('a/b')) ?? {};
      const request = await storage.presignInternalGet('a/b', { etag, ...EXPIRES });
      expect(await send('GET', request, undefined, { range: 'bytes=2-4' })).toEqual([206, 'nte']);
      const any = { 'if-match': undefined };
      expect(await send('GET', request, undefined, any)).toEqual([403, 'SignatureDoesNotMatch']);
      await storage.delete('a/b');
      const changed = { ...PNG, contentType: 'image/gif', length: 5, sha256: sha256('other') };
      await send('PUT', await storage.presignPut({ key: 'a/b', ...changed }), 'other');
      expect(await send('GET', request)).toEqual([412, 'PreconditionFailed']);
    });
  });

  it('name the public address of a store that has another one within the cluster', async () => {
    const inside = open({ S3_PUBLIC_ENDPOINT: 'https://files.example.com' });
    const put = await inside.presignPut({ key: 'a/b', ...PNG });
    expect(put.url).toMatch(/^https:\/\/files\.example\.com\/test\/a\/b\?/);
    const { host, pathname, search } = new URL(put.url);
    const headers = { ...put.headers, host, 'content-length': '7' };
    expect(await sendRaw(own.endpoint, 'PUT', pathname + search, headers, CONTENT)).toMatchObject({
      status: 200,
    });
    expect((await inside.presignGet('a/b', EXPIRES)).url).toMatch(/^https:\/\/files\.example\.com\//);
    expect(await send('GET', await inside.presignInternalGet('a/b', EXPIRES))).toEqual([200, CONTENT]);
    inside.onApplicationShutdown();
  });
});
