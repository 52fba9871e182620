import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { loadConfig } from '#libs/config';
import {
  ObjectHasChanged,
  ObjectStorage,
  ObjectStorageConfig,
  ObjectStorageIsUnavailable,
} from '#libs/object-storage';
import { OwnStorage, storageEnvironment } from '../support/object-storage.js';

const storageOf = (environment: Parameters<typeof loadConfig>[1]) =>
  new ObjectStorage(loadConfig(ObjectStorageConfig, { S3_TIMEOUT_MS: '4000', ...environment }));

const object = (content: Buffer) => ({
  body: Readable.from([content.subarray(0, 10), content.subarray(10)]),
  length: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
  contentType: 'application/octet-stream',
});

describe('object storage', () => {
  let own: OwnStorage;
  let storage: ObjectStorage;

  beforeAll(async () => {
    own = await OwnStorage.start();
    storage = storageOf(own.environment);
  });

  afterAll(async () => {
    storage.onApplicationShutdown();
    await own.remove();
  });

  it.each([0, 1, 100_000, 12_000_000])('gives back the %i bytes it was given', async (size) => {
    const content = randomBytes(size);
    const { sha256, contentType } = object(content);
    const etag = await storage.put(`a/${size}`, object(content));
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    const facts = { length: size, etag, contentType, sha256, compositeSha256: null };
    expect(await storage.head(`a/${size}`)).toEqual(facts);
    const stored = await storage.get(`a/${size}`);
    expect(stored).toMatchObject({ length: size, bodyLength: size, etag, contentType });
    expect((await buffer(stored?.body ?? Readable.from([]))).equals(content)).toBe(true);
    await storage.delete(`a/${size}`);
    expect(await storage.get(`a/${size}`)).toBeNull();
    expect(await storage.head(`a/${size}`)).toBeNull();
  });

  it('ignores objects that are already deleted', async () => {
    await expect(storage.delete('never/there')).resolves.toBeUndefined();
  });

  it('stores a file of this machine', async () => {
    const content = randomBytes(100_000);
    const path = join(own.folder, 'file');
    await writeFile(path, content);
    const stored = await storage.putFile('a/file', path, 'image/webp');
    expect(stored).toEqual({
      length: 100_000,
      sha256: object(content).sha256,
      etag: expect.stringMatching(/^"/) as string,
      contentType: 'image/webp',
    });
    expect(await storage.head('a/file')).toEqual({ ...stored, compositeSha256: null });
    await expect(storage.putFile('a/file', `${path}-missing`, 'image/webp')).rejects.toThrow('ENOENT');
  });

  it.each([
    [0, 1, 'a'],
    [2, 5, 'cde'],
    [6, 8, 'gh'],
    [6, 1_000, 'gh'],
  ])('gives the bytes from %i to %i', async (start, end, bytes) => {
    await storage.put('a/range', object(Buffer.from('abcdefgh')));
    const part = await storage.get('a/range', { range: { start, end } });
    expect(part).toMatchObject({ length: 8, bodyLength: bytes.length });
    expect(await text(part?.body ?? Readable.from([]))).toBe(bytes);
  });

  it.each([
    [8, 9],
    [3, 3],
    [5, 2],
  ])('has no bytes from %i to %i of 8', async (start, end) => {
    await storage.put('a/range', object(Buffer.from('abcdefgh')));
    await expect(storage.get('a/range', { range: { start, end } })).rejects.toThrow(RangeError);
  });

  it('reads only the version asked for', async () => {
    const etag = await storage.put('a/changing', object(Buffer.from('first')));
    const read = async () => text((await storage.get('a/changing', { etag }))?.body ?? Readable.from([]));
    expect(await read()).toBe('first');
    expect(await storage.head('a/changing', { etag })).toMatchObject({ length: 5 });
    await storage.put('a/changing', object(Buffer.from('other')));
    await expect(read()).rejects.toThrow(ObjectHasChanged);
    await expect(storage.get('a/changing', { etag, range: { start: 0, end: 2 } })).rejects.toThrow(
      ObjectHasChanged,
    );
    await expect(storage.head('a/changing', { etag })).rejects.toThrow(ObjectHasChanged);
    await storage.delete('a/changing');
    expect([await storage.get('a/changing', { etag }), await storage.head('a/changing', { etag })]).toEqual([
      null,
      null,
    ]);
  });

  it('is reachable, and refuses requests without the key', async () => {
    await storage.put('b/secret', object(Buffer.from('for nobody else')));
    await expect(storage.reach()).resolves.toBeUndefined();
    const unsigned = await fetch(`${own.environment.S3_ENDPOINT}/test/b/secret`);
    expect(unsigned.status).toBe(403);
    for (const stranger of [
      { S3_SECRET_ACCESS_KEY: 'guessed' },
      { S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'S3RVER' },
    ]) {
      const other = storageOf({ ...own.environment, ...stranger });
      await expect(other.get('b/secret')).rejects.toThrow(ObjectStorageIsUnavailable);
      other.onApplicationShutdown();
    }
  });

  it('is unavailable without its bucket: that is no missing object', async () => {
    const other = storageOf({ ...own.environment, S3_BUCKET: 'another' });
    await expect(other.get('x')).rejects.toThrow(ObjectStorageIsUnavailable);
    await expect(other.reach()).rejects.toThrow(ObjectStorageIsUnavailable);
    other.onApplicationShutdown();
  });

  it('is unavailable when nothing listens or responds', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    for (const port of [1, (silent.address() as AddressInfo).port]) {
      const other = storageOf({
        ...storageEnvironment(`http://127.0.0.1:${port}`, 'test'),
        S3_TIMEOUT_MS: '300',
      });
      await expect(other.put('x', object(randomBytes(20)))).rejects.toThrow(ObjectStorageIsUnavailable);
      await expect(other.get('x')).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 5 });
      await expect(other.delete('x')).rejects.toThrow(ObjectStorageIsUnavailable);
      other.onApplicationShutdown();
    }
    silent.closeAllConnections();
    silent.close();
  });

  it('is unavailable to every other method too', async () => {
    const other = storageOf(storageEnvironment('http://127.0.0.1:1', 'test'));
    const upload = { key: 'x', uploadId: 'y' };
    for (const work of [
      () => other.head('x'),
      () => other.multipart.create('x', 'video/mp4'),
      () => other.multipart.parts(upload),
      () => other.multipart.complete({ ...upload, parts: [], length: 0 }),
      () => other.multipart.abort(upload),
    ])
      await expect(work()).rejects.toThrow(ObjectStorageIsUnavailable);
    other.onApplicationShutdown();
  });

  it('requires a bucket and both parts of a key', () => {
    expect(() => loadConfig(ObjectStorageConfig, {})).toThrow(/S3_BUCKET/);
    const half = { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'half' };
    expect(() => loadConfig(ObjectStorageConfig, half)).toThrow(/S3_SECRET_ACCESS_KEY: must be set/);
    expect(loadConfig(ObjectStorageConfig, { S3_BUCKET: 'files' })).toMatchObject({ region: 'us-east-1' });
  });
});
