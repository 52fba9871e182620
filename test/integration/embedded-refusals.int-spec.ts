import { statusAndCode, StorageForRefusals } from '../support/storage-for-refusals.js';

const CORS = {
  allowedOrigins: ['https://app.example.com'],
  allowedMethods: ['GET', 'PUT'],
  allowedHeaders: ['content-type', 'x-amz-checksum-sha256', 'if-none-match'],
  exposeHeaders: ['ETag'],
  maxAgeSeconds: 600,
};

describe('the embedded object store refuses', () => {
  let storage: StorageForRefusals;

  beforeAll(async () => {
    storage = await StorageForRefusals.start({ cors: CORS });
  });
  afterEach(() => storage.mustBeUnchanged());
  afterAll(() => storage.remove());

  describe('what it has not', () => {
    it.each([
      ['PUT', '/test/secret?acl', 501],
      ['PUT', '/test/secret?tagging', 501],
      ['GET', '/test/secret?versionId=1', 501],
      ['GET', '/test/secret?partNumber=1', 501],
      ['DELETE', '/test/secret?versionId=1', 501],
      ['GET', '/test/?versioning', 501],
      ['GET', '/test/?list-type=1', 501],
      ['PUT', '/test/?cors', 405],
      ['POST', '/test/?delete', 405],
      ['POST', '/test/secret?select', 501],
      ['PUT', '/other', 404],
      ['PATCH', '/test/secret', 405],
      ['GET', '/', 404],
    ])('%s %s', async (method, target, status) => {
      const [path, query] = target.split('?');
      const canonical = query === undefined || query.includes('=') ? target : `${path}?${query}=`;
      const { headers } = storage.signed({ method, target: canonical });
      expect((await storage.send(method, target, headers)).status).toBe(status);
      expect((await storage.attempt({})).text).toBe('secret');
    });

    it.each([
      'x-amz-copy-source',
      'x-amz-server-side-encryption',
      'x-amz-acl',
      'x-amz-tagging',
      'x-amz-object-lock-mode',
    ])('the header %s', async (name) => {
      expect(statusAndCode(await storage.put({ headers: { [name]: 'x' } }))).toEqual([501, 'NotImplemented']);
    });

    it.each(['/test/%', '/test/%ff', '/test/%zz', 'http://127.0.0.1/test/secret'])(
      'the address %s',
      async (target) => {
        expect(statusAndCode(await storage.attempt({ target }))).toEqual([400, 'InvalidURI']);
      },
    );

    it('XML that is none, or not the one it expects', async () => {
      for (const body of [
        '',
        '<',
        '<a></b>',
        '<!DOCTYPE a><a/>',
        '<a>&b;</a>',
        '<Other/>',
        '<a/><a/>',
        'x',
        '<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><PartNumber>2</PartNumber></Part></CompleteMultipartUpload>',
      ]) {
        const answer = await storage.attempt({
          method: 'POST',
          target: '/test/secret?uploadId=x',
          body,
          headers: { 'content-length': String(body.length) },
        });
        expect(statusAndCode(answer)).toEqual([400, 'MalformedXML']);
      }
    });
  });

  it('pages of other origins, and allows its own to read responses and errors', async () => {
    const preflight = (headers: Record<string, string>) =>
      storage.send('OPTIONS', '/test/new', { host: storage.host, ...headers });
    const asked = {
      origin: 'https://app.example.com',
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'Content-Type, If-None-Match',
    };
    const allowed = await preflight(asked);
    expect([allowed.status, allowed.headers]).toEqual([
      200,
      expect.objectContaining({
        'access-control-allow-origin': 'https://app.example.com',
        'access-control-allow-methods': 'GET, PUT',
        'access-control-allow-headers': 'content-type, if-none-match',
        'access-control-expose-headers': 'ETag',
        'access-control-max-age': '600',
        vary: expect.stringContaining('Origin'),
      }),
    ]);
    for (const other of [
      { origin: 'https://evil.example.com' },
      { 'access-control-request-method': 'DELETE' },
      { 'access-control-request-headers': 'x-amz-acl' },
    ])
      expect(statusAndCode(await preflight({ ...asked, ...other }))).toEqual([403, 'AccessForbidden']);
    expect((await preflight({})).status).toBe(400);
    for (const [origin, seen] of [
      ['https://app.example.com', 'https://app.example.com'],
      ['https://evil.example.com', undefined],
    ] as const) {
      expect((await storage.attempt({ tamper: { origin } })).headers['access-control-allow-origin']).toBe(
        seen,
      );
      const error = await storage.attempt({ tamper: { origin, authorization: undefined } });
      expect([error.status, error.headers['access-control-allow-origin']]).toEqual([403, seen]);
    }
  });

  it('in the words of S3', async () => {
    const { headers, text: document } = await storage.attempt({ target: '/test/none%3C%26' });
    expect(headers['content-type']).toBe('application/xml');
    expect(document).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>NoSuchKey</Code><Message>The key does not exist.</Message><Resource>/test/none%3C%26</Resource><RequestId>${String(headers['x-amz-request-id'])}</RequestId></Error>`,
    );
    expect(await storage.attempt({ method: 'HEAD', target: '/test/none' })).toMatchObject({
      status: 404,
      text: '',
    });
  });
});
