import { createHash, randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListPartsCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { UploadStore } from '../../local/object-store/store/upload-store.js';
import { OwnStorage } from '../support/object-storage.js';

const MIN = 5 * 1_024 ** 2;
const in_ = { Bucket: 'test' };
const refused = (name: string) => ({ name });

/** @returns the most file operations that were under way at the same time while the work ran */
async function mostFileOperations(work: () => Promise<unknown>): Promise<number> {
  let [most, isDone] = [0, false];
  const done = work().finally(() => (isDone = true));
  while (!isDone) {
    const operations = process.getActiveResourcesInfo().filter((kind) => kind.startsWith('FSReq'));
    most = Math.max(most, operations.length);
    await nextTurn();
  }
  await done;
  return most;
}

describe('multipart uploads to the embedded object store', () => {
  let own: OwnStorage;
  let client: S3Client;
  const big = randomBytes(MIN);
  const small = randomBytes(1_000);

  const create = async (Key: string, more: object = {}) => {
    const { UploadId = '' } = await client.send(new CreateMultipartUploadCommand({ ...in_, Key, ...more }));
    return { Key, UploadId };
  };
  type Begun = Awaited<ReturnType<typeof create>>;
  const part = async (
    upload: Begun,
    PartNumber: number,
    Body: Buffer,
    more: object = {},
  ): Promise<CompletedPart> => {
    const { $metadata: _, ...answer } = await client.send(
      new UploadPartCommand({ ...in_, ...upload, PartNumber, Body, ...more }),
    );
    return { ...answer, PartNumber };
  };
  const complete = (upload: Begun, Parts: CompletedPart[], more: object = {}) =>
    client.send(
      new CompleteMultipartUploadCommand({ ...in_, ...upload, MultipartUpload: { Parts }, ...more }),
    );
  const abort = (upload: Begun) => client.send(new AbortMultipartUploadCommand({ ...in_, ...upload }));
  const uploads = async (more: object = {}) =>
    (await client.send(new ListMultipartUploadsCommand({ ...in_, ...more }))).Uploads ?? [];
  const get = async (Key: string) => {
    const { Body, ...facts } = await client.send(
      new GetObjectCommand({ ...in_, Key, ChecksumMode: 'ENABLED' }),
    );
    return { ...facts, content: await buffer(Body as Readable) };
  };
  /** Nothing but finished objects lies in the folder. */
  const nothingIsLeft = async () =>
    expect((await own.paths()).filter((path) => !path.startsWith('objects/'))).toEqual([]);

  beforeAll(async () => {
    own = await OwnStorage.start();
    client = own.client();
  });
  afterEach(async () => {
    for (const { Key = '', UploadId = '' } of await uploads()) await abort({ Key, UploadId });
    for (const Key of await own.files()) await client.send(new DeleteObjectCommand({ ...in_, Key }));
    await nothingIsLeft();
  });
  afterAll(async () => {
    client.destroy();
    await own.remove();
  });

  it('join parts by number, independent of arrival order', async () => {
    const upload = await create('film', { ContentType: 'video/mp4', Metadata: { a: 'b' } });
    const [last, first] = await Promise.all([part(upload, 7, small), part(upload, 3, big)]);
    const done = await complete(upload, [first, last]);
    const md5 = (content: Buffer) => createHash('md5').update(content).digest();
    const etag = `"${md5(Buffer.concat([md5(big), md5(small)])).toString('hex')}-2"`;
    expect(done).toMatchObject({ Bucket: 'test', Key: 'film', ETag: etag });
    const stored = await get('film');
    expect(stored).toMatchObject({ ETag: etag, ContentType: 'video/mp4', Metadata: { a: 'b' } });
    expect(stored.content.equals(Buffer.concat([big, small]))).toBe(true);
    await nothingIsLeft();
  });

  it('return the same for a repeated completion, until the object is replaced', async () => {
    const upload = await create('again');
    const parts = [await part(upload, 1, small)];
    const first = await complete(upload, parts);
    expect((await complete(upload, parts)).ETag).toBe(first.ETag);
    await client.send(new PutObjectCommand({ ...in_, Key: 'again', Body: 'other' }));
    await expect(complete(upload, parts)).rejects.toMatchObject(refused('NoSuchUpload'));
  });

  it('are removed before the response to their completion', async () => {
    const upload = await create('ended');
    const parts = [await part(upload, 1, small)];
    const [reached, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    jest.spyOn(UploadStore.prototype, 'remove').mockImplementationOnce(async function (
      this: UploadStore,
      id,
    ) {
      reached.resolve();
      await free.promise;
      return this.remove(id);
    });
    let isAnswered = false;
    const done = complete(upload, parts).finally(() => (isAnswered = true));
    await reached.promise;
    const meanwhile = { listed: (await uploads()).length, isAnswered };
    free.resolve();
    await done;
    expect(meanwhile).toEqual({ listed: 1, isAnswered: false });
    expect(await uploads()).toEqual([]);
  });

  it('return the same for a completion repeated because the upload could not be removed', async () => {
    jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    const upload = await create('stuck');
    const parts = [await part(upload, 1, small)];
    jest.spyOn(UploadStore.prototype, 'remove').mockRejectedValueOnce(new Error('EIO'));
    const ifNew = { IfNoneMatch: '*' };
    await expect(complete(upload, parts, ifNew)).rejects.toMatchObject(refused('InternalError'));
    expect((await uploads()).map(({ Key }) => Key)).toEqual(['stuck']);
    await complete(upload, parts, ifNew);
    expect(await uploads()).toEqual([]);
    expect((await get('stuck')).content.equals(small)).toBe(true);
  });

  it('are completed once by two concurrent requests', async () => {
    const upload = await create('race');
    const parts = [await part(upload, 1, big), await part(upload, 2, small)];
    const answers = await Promise.all([complete(upload, parts), complete(upload, parts)]);
    expect(new Set(answers.map(({ ETag }) => ETag)).size).toBe(1);
  });

  it.each([
    ['CRC32', 'COMPOSITE'],
    ['SHA256', 'COMPOSITE'],
    ['SHA1', 'COMPOSITE'],
  ] as const)('combine checksums of %s as %s', async (ChecksumAlgorithm, ChecksumType) => {
    const upload = await create('sum', { ChecksumAlgorithm, ChecksumType });
    const parts = [
      await part(upload, 1, big, { ChecksumAlgorithm }),
      await part(upload, 2, small, { ChecksumAlgorithm }),
    ];
    const name = `Checksum${ChecksumAlgorithm}` as const;
    const done = await complete(upload, parts);
    expect(done).toMatchObject({ [name]: expect.any(String), ChecksumType });
    const stored = await get('sum');
    expect([stored[name], stored.ChecksumType]).toEqual([done[name], ChecksumType]);
    const digests = parts.map((each) => Buffer.from(each[name] ?? '', 'base64'));
    if (ChecksumAlgorithm === 'SHA256') {
      const composite = createHash('sha256').update(Buffer.concat(digests)).digest('base64');
      expect(done.ChecksumSHA256).toBe(`${composite}-2`);
    }
  });

  it('refuse checksums that do not fit', async () => {
    await expect(
      create('x', { ChecksumAlgorithm: 'SHA256', ChecksumType: 'FULL_OBJECT' }),
    ).rejects.toMatchObject(refused('InvalidRequest'));
    const upload = await create('x', { ChecksumAlgorithm: 'SHA256' });
    await expect(part(upload, 1, small, { ChecksumAlgorithm: 'CRC32' })).rejects.toMatchObject(
      refused('InvalidRequest'),
    );
    const one = await part(upload, 1, small, { ChecksumAlgorithm: 'SHA256' });
    const other = createHash('sha256').update('other').digest('base64');
    await expect(complete(upload, [{ ...one, ChecksumSHA256: other }])).rejects.toMatchObject(
      refused('InvalidPart'),
    );
    await expect(complete(upload, [one], { ChecksumSHA256: other })).rejects.toMatchObject(
      refused('BadDigest'),
    );
    await expect(complete(upload, [one], { MpuObjectSize: 999 })).rejects.toMatchObject(
      refused('InvalidRequest'),
    );
    await expect(complete(upload, [one], { MpuObjectSize: 1_000 })).resolves.toBeDefined();
  });

  it('list their parts page by page, the last version of each', async () => {
    const upload = await create('listed');
    for (const number of [3, 1, 2]) await part(upload, number, small);
    const replaced = await part(upload, 2, big);
    const list = (more: object = {}) => client.send(new ListPartsCommand({ ...in_, ...upload, ...more }));
    const all = await list();
    expect(all.Parts?.map(({ PartNumber, Size }) => [PartNumber, Size])).toEqual([
      [1, 1_000],
      [2, MIN],
      [3, 1_000],
    ]);
    expect(all.Parts?.[1]?.ETag).toBe(replaced.ETag);
    const first = await list({ MaxParts: 2 });
    expect([first.IsTruncated, first.NextPartNumberMarker]).toEqual([true, '2']);
    const second = await list({ MaxParts: 2, PartNumberMarker: first.NextPartNumberMarker });
    expect([second.IsTruncated, second.Parts?.map(({ PartNumber }) => PartNumber)]).toEqual([false, [3]]);
  });

  it('are listed by key until they end, page by page', async () => {
    const begun = [await create('b/2'), await create('a'), await create('b/1'), await create('b/1')];
    expect((await uploads()).map(({ Key }) => Key)).toEqual(['a', 'b/1', 'b/1', 'b/2']);
    expect((await uploads({ Prefix: 'b/' })).map(({ Key }) => Key)).toEqual(['b/1', 'b/1', 'b/2']);
    const seen: (string | undefined)[] = [];
    let [KeyMarker, UploadIdMarker]: (string | undefined)[] = [];
    for (let more = true; more;) {
      const page: ListMultipartUploadsCommandOutput = await client.send(
        new ListMultipartUploadsCommand({ ...in_, MaxUploads: 1, KeyMarker, UploadIdMarker }),
      );
      seen.push(...(page.Uploads ?? []).map(({ UploadId }) => UploadId));
      [KeyMarker, UploadIdMarker, more] = [
        page.NextKeyMarker,
        page.NextUploadIdMarker,
        page.IsTruncated ?? false,
      ];
    }
    expect(seen.toSorted()).toEqual(begun.map(({ UploadId }) => UploadId).toSorted());
  });

  it('are read one file at a time', async () => {
    const upload = await create('many');
    const more = Array.from({ length: 20 }, (_, at) => [create(`many/${at}`), part(upload, at + 1, small)]);
    await Promise.all(more.flat());
    const list = () => client.send(new ListPartsCommand({ ...in_, ...upload }));
    // Other work of this process, such as the end of the calls before, may add one or two.
    expect(await mostFileOperations(list)).toBeLessThan(5);
    expect(await mostFileOperations(uploads)).toBeLessThan(5);
  });

  it('are removed with their parts once aborted, and accept no more parts', async () => {
    const upload = await create('aborted');
    const one = await part(upload, 1, small);
    await abort(upload);
    await nothingIsLeft();
    await expect(abort(upload)).rejects.toMatchObject(refused('NoSuchUpload'));
    await expect(part(upload, 2, small)).rejects.toMatchObject(refused('NoSuchUpload'));
    await expect(complete(upload, [one])).rejects.toMatchObject(refused('NoSuchUpload'));
    await expect(client.send(new ListPartsCommand({ ...in_, ...upload }))).rejects.toMatchObject(
      refused('NoSuchUpload'),
    );
  });

  it('belong to one key, and to none that was invented', async () => {
    const upload = await create('mine');
    await expect(part({ ...upload, Key: 'other' }, 1, small)).rejects.toMatchObject(refused('NoSuchUpload'));
    for (const UploadId of ['../objects', 'x', '00000000-0000-0000-0000-000000000000', '%2e%2e', '..'])
      await expect(part({ Key: 'mine', UploadId }, 1, small)).rejects.toMatchObject(refused('NoSuchUpload'));
    await expect(abort({ ...upload, Key: 'other' })).rejects.toMatchObject(refused('NoSuchUpload'));
  });

  it('take no part from another object', async () => {
    const upload = await create('copied');
    const copy = new UploadPartCopyCommand({ ...in_, ...upload, PartNumber: 1, CopySource: 'test/copied' });
    await expect(client.send(copy)).rejects.toMatchObject(refused('NotImplemented'));
    const { Parts } = await client.send(new ListPartsCommand({ ...in_, ...upload }));
    expect(Parts ?? []).toEqual([]);
    await abort(upload);
  });

  it('refuse a completion that does not match the sent parts, and can be completed afterwards', async () => {
    const upload = await create('strict', { ContentType: 'text/plain' });
    const [one, two] = [await part(upload, 1, big), await part(upload, 2, small)];
    const refusals: [CompletedPart[], string][] = [
      [[{ ...one, ETag: two.ETag }], 'InvalidPart'],
      [[{ ...one, PartNumber: 9 }], 'InvalidPart'],
      [[two, one], 'InvalidPartOrder'],
      [[one, one], 'InvalidPartOrder'],
      [[], 'MalformedXML'],
      [[{ ETag: one.ETag }], 'MalformedXML'],
    ];
    for (const [parts, code] of refusals)
      await expect(complete(upload, parts)).rejects.toMatchObject(refused(code));
    const three = await part(upload, 3, small);
    await expect(complete(upload, [two, three])).rejects.toMatchObject(refused('EntityTooSmall'));
    await expect(part(upload, 0, small)).rejects.toMatchObject(refused('InvalidArgument'));
    await expect(part(upload, 10_001, small)).rejects.toMatchObject(refused('InvalidArgument'));
    await client.send(new PutObjectCommand({ ...in_, Key: 'strict', Body: 'earlier' }));
    await expect(complete(upload, [one, two], { IfNoneMatch: '*' })).rejects.toMatchObject(
      refused('PreconditionFailed'),
    );
    expect((await get('strict')).content.toString()).toBe('earlier');
    await complete(upload, [one, two]);
    expect((await get('strict')).content).toHaveLength(MIN + 1_000);
  });

  it('go on after a restart', async () => {
    const other = await OwnStorage.start();
    let sender = other.client();
    const { UploadId } = await sender.send(new CreateMultipartUploadCommand({ ...in_, Key: 'k' }));
    const begun = { ...in_, Key: 'k', UploadId };
    const { ETag } = await sender.send(new UploadPartCommand({ ...begun, PartNumber: 1, Body: small }));
    sender.destroy();
    await other.stop();
    const again = await OwnStorage.start({}, other.folder);
    sender = again.client();
    await sender.send(
      new CompleteMultipartUploadCommand({ ...begun, MultipartUpload: { Parts: [{ PartNumber: 1, ETag }] } }),
    );
    expect(await again.files()).toEqual(['k']);
    sender.destroy();
    await again.remove();
  });
});
