import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  paginateListObjectsV2,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Logger } from '@nestjs/common';
import { OwnStorage } from '../support/object-storage.js';
import { signedHeaders } from '../support/signed-request.js';
import { waitUntil } from '../support/wait-until.js';

const refused = (name: string, status: number) => ({ name, $metadata: { httpStatusCode: status } });

describe('the embedded object store, through the SDK as it is installed', () => {
  let own: OwnStorage;
  let client: S3Client;
  const in_ = { Bucket: 'test' };

  const put = (Key: string, Body: string | Buffer | Readable = Key, more: object = {}) =>
    client.send(new PutObjectCommand({ ...in_, Key, Body, ...more }));
  const get = (Key: string, more: object = {}) => client.send(new GetObjectCommand({ ...in_, Key, ...more }));
  const read = async (Key: string, more: object = {}) => {
    const { Body } = await get(Key, more);
    return buffer(Body as Readable);
  };
  const remove = (Key: string, more: object = {}) =>
    client.send(new DeleteObjectCommand({ ...in_, Key, ...more }));
  const keys = async (more: object = {}) => {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ ...in_, ...more }));
    return Contents.map(({ Key }) => Key);
  };

  beforeAll(async () => {
    own = await OwnStorage.start();
    // Without the SDK's default checksums, which it sends in the trailer of a stream.
    client = own.client({ requestChecksumCalculation: 'WHEN_REQUIRED' });
  });
  afterEach(async () => {
    for (const key of await keys()) await remove(key ?? '');
  });
  afterAll(async () => {
    client.destroy();
    await own.remove();
  });

  it.each([0, 1, 70_000, 3_000_000])(
    'gives back %i bytes, sent as a buffer and as a stream',
    async (size) => {
      const content = randomBytes(size);
      await put('buffer', content);
      expect((await read('buffer')).equals(content)).toBe(true);
      const pieces = Array.from({ length: Math.ceil(size / 65_536) }, (_, at) =>
        content.subarray(at * 65_536, (at + 1) * 65_536),
      );
      await put('stream', Readable.from(pieces), { ContentLength: size });
      expect((await read('stream')).equals(content)).toBe(true);
      const head = await client.send(new HeadObjectCommand({ ...in_, Key: 'stream' }));
      const md5 = createHash('md5').update(content).digest('hex');
      expect([head.ContentLength, head.ETag]).toEqual([size, `"${md5}"`]);
    },
  );

  it.each(['CRC32', 'SHA1', 'SHA256'] as const)(
    'checks and gives back a checksum of %s',
    async (algorithm) => {
      const content = randomBytes(100_000);
      await put('header', content, { ChecksumAlgorithm: algorithm });
      const answer = await get('header', { ChecksumMode: 'ENABLED' });
      const checksum = answer[`Checksum${algorithm}`];
      expect([checksum, answer.ChecksumType]).toEqual([expect.any(String), 'FULL_OBJECT']);
      // Read to its end, the SDK compares the checksum itself.
      expect((await buffer(answer.Body as Readable)).equals(content)).toBe(true);
      const wrong = put('header', randomBytes(100_000), { [`Checksum${algorithm}`]: checksum });
      await expect(wrong).rejects.toMatchObject(refused('BadDigest', 400));
      expect((await read('header')).equals(content)).toBe(true);
    },
  );

  it('checks an MD5', async () => {
    await put('md5', 'x', { ChecksumAlgorithm: 'MD5' });
    const wrong = createHash('md5').update('y').digest('base64');
    await expect(put('x', 'x', { ContentMD5: wrong })).rejects.toMatchObject(refused('BadDigest', 400));
    await expect(put('x', 'x', { ContentMD5: 'short' })).rejects.toMatchObject(refused('InvalidDigest', 400));
    expect(await own.files()).toEqual(['md5']);
  });

  it('keeps type, metadata and headers of an object, and overrides them when asked to', async () => {
    const facts = {
      ContentType: 'text/plain; charset=utf-8',
      CacheControl: 'no-store',
      ContentDisposition: 'attachment; filename="a.txt"',
      ContentEncoding: 'identity',
      ContentLanguage: 'de',
      Metadata: { origin: 'a  b', other: '1' },
    };
    await put('a', 'text', facts);
    expect(await get('a')).toMatchObject({ ...facts, AcceptRanges: 'bytes', LastModified: expect.any(Date) });
    expect(await get('a', { ResponseContentType: 'application/pdf' })).toMatchObject({
      ContentType: 'application/pdf',
    });
    await put('plain', Readable.from(['text']), { ContentLength: 4 });
    expect((await get('plain')).ContentEncoding).toBeUndefined();
    await expect(put('b', 'x', { Metadata: { big: 'x'.repeat(3_000) } })).rejects.toMatchObject(
      refused('MetadataTooLarge', 400),
    );
  });

  it('gives parts of an object', async () => {
    await put('digits', '0123456789');
    const part = async (Range: string) => {
      const answer = await get('digits', { Range });
      return [(await buffer(answer.Body as Readable)).toString(), answer.ContentRange];
    };
    expect(await part('bytes=2-4')).toEqual(['234', 'bytes 2-4/10']);
    expect(await part('bytes=7-')).toEqual(['789', 'bytes 7-9/10']);
    expect(await part('bytes=-3')).toEqual(['789', 'bytes 7-9/10']);
    expect(await part('bytes=-30')).toEqual(['0123456789', 'bytes 0-9/10']);
    expect(await part('bytes=8-99')).toEqual(['89', 'bytes 8-9/10']);
    expect(await part('lines=1-2')).toEqual(['0123456789', undefined]);
    await expect(part('bytes=10-')).rejects.toMatchObject(refused('InvalidRange', 416));
    const head = await client.send(new HeadObjectCommand({ ...in_, Key: 'digits', Range: 'bytes=0-1' }));
    expect(head).toMatchObject({ ContentLength: 2, ContentRange: 'bytes 0-1/10' });
  });

  it('reads under conditions', async () => {
    const { ETag = '' } = await put('a');
    const { LastModified = new Date(0) } = await get('a');
    const [before, after] = [-60_000, 60_000].map((ms) => new Date(LastModified.getTime() + ms));
    const status = (conditions: object) =>
      get('a', conditions).then(
        async ({ $metadata, Body }) => {
          await buffer(Body as Readable);
          return $metadata.httpStatusCode;
        },
        (error: { $metadata: { httpStatusCode: number } }) => error.$metadata.httpStatusCode,
      );
    expect(await status({ IfMatch: ETag })).toBe(200);
    expect(await status({ IfMatch: '"other"' })).toBe(412);
    expect(await status({ IfNoneMatch: ETag })).toBe(304);
    expect(await status({ IfNoneMatch: '*' })).toBe(304);
    expect(await status({ IfNoneMatch: '"other"' })).toBe(200);
    expect(await status({ IfModifiedSince: before })).toBe(200);
    expect(await status({ IfModifiedSince: LastModified })).toBe(304);
    expect(await status({ IfUnmodifiedSince: before })).toBe(412);
    expect(await status({ IfUnmodifiedSince: after })).toBe(200);
    expect(await status({ IfMatch: ETag, IfUnmodifiedSince: before })).toBe(200);
    expect(await status({ IfNoneMatch: '"other"', IfModifiedSince: after })).toBe(200);
  });

  it('supports conditional writes and deletes, and accepts one of many concurrent ones', async () => {
    const wins = await Promise.allSettled(
      Array.from({ length: 20 }, (_, at) => put('once', String(at), { IfNoneMatch: '*' })),
    );
    const refusals = wins.filter((each) => each.status === 'rejected');
    expect(refusals).toHaveLength(19);
    for (const { reason } of refusals) expect(reason).toMatchObject(refused('PreconditionFailed', 412));
    expect(String(await read('once'))).toBe(String(wins.findIndex((each) => each.status === 'fulfilled')));

    const { ETag } = await get('once');
    await expect(put('once', 'x', { IfMatch: '"other"' })).rejects.toMatchObject(
      refused('PreconditionFailed', 412),
    );
    await expect(put('none', 'x', { IfMatch: ETag })).rejects.toMatchObject(refused('NoSuchKey', 404));
    const updates = await Promise.allSettled([1, 2, 3].map((at) => put('once', `u${at}`, { IfMatch: ETag })));
    expect(updates.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    await expect(remove('once', { IfMatch: ETag })).rejects.toMatchObject(refused('PreconditionFailed', 412));
    await remove('once', { IfMatch: (await get('once')).ETag });
    await expect(get('once')).rejects.toMatchObject(refused('NoSuchKey', 404));
    await expect(remove('once')).resolves.toBeDefined();
  });

  it('lists by prefix, page by page, in the order of bytes', async () => {
    const names = ['b/1', 'b/2', 'b/c/1', 'b/c/2', 'B', 'a', 'é', '😀', '\uff5e', 'b-'];
    for (const name of names) await put(name);
    const sorted = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(await keys()).toEqual(sorted);
    expect(await keys({ Prefix: 'b/' })).toEqual(['b/1', 'b/2', 'b/c/1', 'b/c/2']);
    const paged: (string | undefined)[] = [];
    for await (const { Contents = [] } of paginateListObjectsV2({ client, pageSize: 2 }, { ...in_ }))
      paged.push(...Contents.map(({ Key }) => Key));
    expect(paged).toEqual(sorted);
    for (const more of [{ Delimiter: '/' }, { StartAfter: 'a' }, { EncodingType: 'url' }])
      await expect(keys(more)).rejects.toMatchObject(refused('NotImplemented', 501));
    await expect(keys({ ContinuationToken: '%' })).rejects.toMatchObject(refused('InvalidArgument', 400));
  });

  it.each(
    [
      '../../escaped',
      '..',
      '.',
      'a/../../b',
      '/absolute',
      '//',
      'a//b',
      'con',
      'A',
      'a',
      'ü',
      'u\u0308',
      '%2e%2e%2fx',
      'a%00b',
      'a\\..\\b',
      'tab\tline\nreturn\r',
      '<&">\'',
      ' ',
      'a+b c',
      '*?|:',
      `${'x'.repeat(255)}/${'y'.repeat(768)}`,
      '😀'.repeat(256),
      'v1/test/objects',
      'x._S3rver_object',
    ].map((key) => [key.length > 40 ? `${key.slice(0, 40)}…` : key, key]),
  )('stores the key %j separately and inside its folder', async (_, key) => {
    const folder = dirname(own.folder);
    const escaped = async () => (await readdir(folder)).filter((name) => name.includes('escaped'));
    const before = await escaped();
    await put(key, `content of ${key}`);
    await put(`${key.slice(1)}~`, 'other').catch(() => undefined);
    expect((await read(key)).toString()).toBe(`content of ${key}`);
    expect(await keys()).toContain(key);
    expect((await own.paths()).every((path) => /^objects\/[0-9a-f]{64}$/.test(path))).toBe(true);
    expect(await escaped()).toEqual(before);
    expect((await readdir(own.folder)).filter((name) => name !== 'v1')).toEqual([]);
    await remove(key);
    await expect(read(key)).rejects.toMatchObject(refused('NoSuchKey', 404));
  });

  it.each([
    ['a\0b', 'InvalidURI'],
    ['a\u0001', 'InvalidURI'],
    ['x'.repeat(1_025), 'KeyTooLongError'],
    ['😀'.repeat(257), 'KeyTooLongError'],
  ])('refuses a key that no list could name or S3 would not take (%#)', async (key, code) => {
    await expect(put(key, 'x')).rejects.toMatchObject(refused(code, 400));
    expect(await own.files()).toEqual([]);
  });

  it('loses no file in 1000 rounds of uploading while the only other object of a folder is deleted', async () => {
    const ORGANIZATIONS = 20;
    const lost: string[] = [];
    const rounds = async (_: unknown, organization: number) => {
      let previous = 'none';
      for (let round = 0; round < 1_000 / ORGANIZATIONS; round++) {
        const key = `attachments/${organization}/${round}`;
        await Promise.all([put(key), remove(previous)]);
        const content = await read(key).catch(() => null);
        if (content?.toString() !== key) lost.push(key);
        previous = key;
      }
      await remove(previous);
    };
    await Promise.all(Array.from({ length: ORGANIZATIONS }, rounds));
    expect(lost).toEqual([]);
    expect(await own.files()).toEqual([]);
  });

  it('gives a reader one version, whole, while the object is replaced and deleted', async () => {
    const versions = [randomBytes(300_000), randomBytes(200_000)];
    const whole = new Set(versions.map((each) => each.toString('base64')));
    await put('moving', versions[0]);
    let isDone = false;
    const write = (async () => {
      for (let round = 0; round < 30; round++) await put('moving', versions[round % 2]);
      isDone = true;
    })();
    while (!isDone) expect(whole.has((await read('moving')).toString('base64'))).toBe(true);
    await write;
  });

  it('stores nothing of an upload that was interrupted, announced too much or stalled', async () => {
    await put('kept', 'as it was');
    const { hostname, port } = new URL(own.endpoint);
    const signed = headOfPut(own);
    for (const bytes of [0, 100, 300_000]) {
      const socket = connect(Number(port), hostname);
      socket.write(`${signed}${'x'.repeat(bytes)}`);
      if (bytes > 0) await waitUntil(async () => (await own.leftovers()).length === 1);
      socket.destroy();
      await waitUntil(async () => (await own.leftovers()).length === 0);
    }
    expect((await read('kept')).toString()).toBe('as it was');
    expect(await own.files()).toEqual(['kept']);
  });

  it('keeps all objects over a restart, and removes leftovers of a killed process', async () => {
    const first = await OwnStorage.start();
    const writer = first.client();
    await writer.send(new PutObjectCommand({ ...in_, Key: 'a', Body: 'content', ContentType: 'text/plain' }));
    writer.destroy();
    await first.stop();
    await writeFile(join(first.folder, 'v1', 'test', 'tmp', 'half'), 'half');
    const again = await OwnStorage.start({}, first.folder);
    const other = again.client();
    try {
      expect(await again.leftovers()).toEqual([]);
      const { Body, ContentType } = await other.send(new GetObjectCommand({ ...in_, Key: 'a' }));
      expect([(await buffer(Body as Readable)).toString(), ContentType]).toEqual(['content', 'text/plain']);
    } finally {
      other.destroy();
      await again.remove();
    }
  });

  it('reports a damaged file as unreadable, and serves the others', async () => {
    Logger.overrideLogger(false);
    await put('good');
    await put('bad', 'x'.repeat(100));
    const files = (await own.paths()).map((path) => join(own.folder, 'v1', 'test', path));
    for (const file of files) {
      const content = await readFile(file);
      if (content.includes('"key":"bad"')) await writeFile(file, content.subarray(0, -3));
    }
    await expect(read('bad')).rejects.toMatchObject(refused('InternalError', 500));
    expect((await read('good')).toString()).toBe('good');
    await remove('bad');
    expect(await keys()).toEqual(['good']);
  });

  it('serves its own bucket only', async () => {
    await expect(client.send(new HeadBucketCommand(in_))).resolves.toBeDefined();
    await expect(client.send(new HeadBucketCommand({ Bucket: 'other' }))).rejects.toMatchObject({
      $metadata: { httpStatusCode: 404 },
    });
    await expect(client.send(new GetObjectCommand({ Bucket: 'other', Key: 'a' }))).rejects.toMatchObject(
      refused('NoSuchBucket', 404),
    );
  });
});

/** The head of a put of a million bytes, as it goes over the wire. */
function headOfPut(own: OwnStorage): string {
  const { host } = new URL(own.endpoint);
  const at = new Date();
  const signing = {
    method: 'PUT',
    target: '/test/kept',
    payloadHash: 'UNSIGNED-PAYLOAD',
    at,
    region: 'us-east-1',
  };
  const { accessKeyId, secret } = own;
  const { headers } = signedHeaders({ ...signing, host, accessKeyId, secret });
  const lines = Object.entries({ ...headers, 'content-length': '1000000' }).map((each) => each.join(': '));
  return ['PUT /test/kept HTTP/1.1', ...lines, '', ''].join('\r\n');
}
