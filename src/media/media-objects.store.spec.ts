import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadConfig } from '#libs/config';
import { ObjectStorage, ObjectStorageConfig, ObjectStorageIsUnavailable } from '#libs/object-storage';
import { isObjectGone } from './media-objects.store.js';

const errorOf = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`;

describe('an object', () => {
  let respond: readonly [status: number, body: string];
  let storage: ObjectStorage;
  const server = createServer((_, response) => {
    const [status, body] = respond;
    response.writeHead(status, { etag: '"one"', 'content-range': 'bytes 0-0/10' }).end(body);
  });

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const S3_ENDPOINT = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const credentials = { S3_ACCESS_KEY_ID: 'test', S3_SECRET_ACCESS_KEY: 'test' };
    const own = { S3_ENDPOINT, S3_BUCKET: 'test', S3_FORCE_PATH_STYLE: 'true', ...credentials };
    storage = new ObjectStorage(loadConfig(ObjectStorageConfig, own));
  });
  afterAll(() => {
    storage.onApplicationShutdown();
    server.closeAllConnections();
    server.close();
  });

  it.each([
    ['has no such key', 404, errorOf('NoSuchKey'), true],
    ['has another version', 412, errorOf('PreconditionFailed'), true],
    ['sends its first byte', 206, 'x', false],
  ] as const)('of a store that %s is gone: %s %s %s', async (_, status, body, isGone) => {
    respond = [status, body];
    expect(await isObjectGone(storage, 'key', '"one"')).toBe(isGone);
  });

  it.each([
    ['of a proxy', 404, '<!doctype html><html><body><h1>Not found</h1><hr></body></html>'],
    ['without a body', 404, ''],
    ['of a missing bucket', 404, errorOf('NoSuchBucket')],
    ['of a lost permission', 403, errorOf('AccessDenied')],
    ['of an outage', 503, ''],
  ] as const)('is not known to be gone after a response %s', async (_, status, body) => {
    respond = [status, body];
    await expect(isObjectGone(storage, 'key', '"one"')).rejects.toThrow(ObjectStorageIsUnavailable);
  });
});
