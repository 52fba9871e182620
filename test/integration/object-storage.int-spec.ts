import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { loadConfig } from '#libs/config';
import { ObjectStorage, ObjectStorageConfig, ObjectStorageIsUnavailable } from '#libs/object-storage';
import { OwnStorage, storageEnvironment } from '../support/object-storage.js';

const storageOf = (environment: Parameters<typeof loadConfig>[1]) =>
  new ObjectStorage(loadConfig(ObjectStorageConfig, { ...environment, S3_TIMEOUT_MS: '4000' }));

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
    await storage.put(`a/${size}`, object(content));
    expect(await storage.head(`a/${size}`)).toEqual({ length: size });
    const stored = await storage.get(`a/${size}`);
    expect(stored?.length).toBe(size);
    expect((await buffer(stored?.body ?? Readable.from([]))).equals(content)).toBe(true);
    await storage.delete(`a/${size}`);
    expect(await storage.get(`a/${size}`)).toBeNull();
    expect(await storage.head(`a/${size}`)).toBeNull();
  });

  it('ignores objects that are already deleted', async () => {
    await expect(storage.delete('never/there')).resolves.toBeUndefined();
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
      const other = storageOf(storageEnvironment(`http://127.0.0.1:${port}`, 'test'));
      await expect(other.put('x', object(randomBytes(20)))).rejects.toThrow(ObjectStorageIsUnavailable);
      await expect(other.get('x')).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 5 });
      await expect(other.delete('x')).rejects.toThrow(ObjectStorageIsUnavailable);
      other.onApplicationShutdown();
    }
    silent.closeAllConnections();
    silent.close();
  });

  it('requires a bucket and both parts of a key', () => {
    expect(() => loadConfig(ObjectStorageConfig, {})).toThrow(/S3_BUCKET/);
    const half = { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'half' };
    expect(() => loadConfig(ObjectStorageConfig, half)).toThrow(/S3_SECRET_ACCESS_KEY: must be set/);
    expect(loadConfig(ObjectStorageConfig, { S3_BUCKET: 'files' })).toMatchObject({ region: 'us-east-1' });
  });
});
