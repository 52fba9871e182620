import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { timestampOf } from '../support/signed-request.js';
import { type Attempt, NOW, statusAndCode, StorageForRefusals } from '../support/storage-for-refusals.js';

const MINUTE = 60_000;

describe('the embedded object store refuses', () => {
  let storage: StorageForRefusals;

  beforeAll(async () => {
    storage = await StorageForRefusals.start();
  });
  afterEach(() => storage.mustBeUnchanged());
  afterAll(() => storage.remove());

  describe('by the signature', () => {
    it('serves what is signed, as a proof of the tests below', async () => {
      expect((await storage.attempt({})).text).toBe('secret');
      expect((await storage.attempt({ target: '/test/secret?x-id=GetObject' })).status).toBe(200);
    });

    it.each<[string, Attempt, number, string]>([
      ['no signature', { tamper: { authorization: undefined } }, 403, 'AccessDenied'],
      [
        'another scheme',
        { tamper: { authorization: 'Basic dGVzdDp0ZXN0' } },
        400,
        'AuthorizationHeaderMalformed',
      ],
      ['version 2', { tamper: { authorization: 'AWS test:abcdef' } }, 400, 'AuthorizationHeaderMalformed'],
      ['another secret', { secret: 'guessed' }, 403, 'SignatureDoesNotMatch'],
      ['an empty secret', { secret: '' }, 403, 'SignatureDoesNotMatch'],
      ['another key', { accessKeyId: 'S3RVER', secret: 'S3RVER' }, 403, 'InvalidAccessKeyId'],
      ['another region', { region: 'eu-west-1' }, 400, 'AuthorizationHeaderMalformed'],
      [
        'a request of 16 minutes ago',
        { at: new Date(NOW.getTime() - 16 * MINUTE) },
        403,
        'RequestTimeTooSkewed',
      ],
      ['a request of the future', { at: new Date(NOW.getTime() + 16 * MINUTE) }, 403, 'RequestTimeTooSkewed'],
      [
        'another date than signed',
        { tamper: { 'x-amz-date': timestampOf(new Date(NOW.getTime() + 1_000)) } },
        403,
        'SignatureDoesNotMatch',
      ],
      [
        'another day than the scope',
        { tamper: { 'x-amz-date': '20261121T235959Z' } },
        403,
        'RequestTimeTooSkewed',
      ],
      ['no date', { tamper: { 'x-amz-date': 'yesterday' } }, 403, 'AccessDenied'],
      ['an unsigned x-amz header', { tamper: { 'x-amz-meta-a': 'b' } }, 403, 'AccessDenied'],
      ['an unsigned host', { signedHeaders: ['x-amz-date', 'x-amz-content-sha256'] }, 403, 'AccessDenied'],
      [
        'a signed header that is missing',
        { headers: { range: 'bytes=0-1' }, tamper: { range: undefined } },
        403,
        'SignatureDoesNotMatch',
      ],
      [
        'a signed header that changed',
        { headers: { range: 'bytes=0-1' }, tamper: { range: 'bytes=0-9' } },
        403,
        'SignatureDoesNotMatch',
      ],
      ['no hash of the body', { tamper: { 'x-amz-content-sha256': undefined } }, 400, 'InvalidRequest'],
      ['a word that is no hash', { payloadHash: 'UNSIGNED' }, 400, 'InvalidArgument'],
      ['a session token', { headers: { 'x-amz-security-token': 'x' } }, 400, 'InvalidToken'],
      ['a signature in the query too', { target: '/test/secret?X-Amz-Signature=x' }, 400, 'InvalidArgument'],
      ['a parameter twice', { target: '/test/secret?x-id=1&x-id=2' }, 400, 'InvalidArgument'],
    ])('%s', async (_, given, status, code) => {
      expect(statusAndCode(await storage.attempt(given))).toEqual([status, code]);
    });

    it('a path, method or query other than signed', async () => {
      const { headers } = storage.signed({ method: 'GET', target: '/test/other' });
      for (const [method, target] of [
        ['GET', '/test/secret'],
        ['DELETE', '/test/other'],
        ['GET', '/test/other?x-id=1'],
        ['HEAD', '/test/other'],
      ] as const)
        expect((await storage.send(method, target, headers)).status).toBe(403);
    });
  });

  describe('presigned addresses', () => {
    const presigned = (expiresIn = 60, Key = 'secret') =>
      getSignedUrl(storage.client, new GetObjectCommand({ Bucket: 'test', Key }), {
        expiresIn,
        signingDate: NOW,
      });
    const open = async (url: string, more: RequestInit = {}) => {
      const response = await fetch(url, more);
      const body = await response.text();
      return [response.status, /<Code>(\w+)<\/Code>/.exec(body)?.[1] ?? body];
    };

    it('that are expired or not valid yet', async () => {
      const url = await presigned(60);
      storage.clock.jumpTo(new Date(NOW.getTime() + 60_000));
      expect(await open(url)).toEqual([200, 'secret']);
      storage.clock.jumpTo(new Date(NOW.getTime() + 60_001));
      expect(await open(url)).toEqual([403, 'AccessDenied']);
      storage.clock.jumpTo(new Date(NOW.getTime() - 16 * MINUTE));
      expect(await open(url)).toEqual([403, 'AccessDenied']);
    });

    it.each([
      ['X-Amz-Algorithm', undefined, 400, 'AuthorizationQueryParametersError'],
      ['X-Amz-Algorithm', 'AWS4-HMAC-SHA1', 400, 'AuthorizationQueryParametersError'],
      ['X-Amz-Signature', '0'.repeat(64), 403, 'SignatureDoesNotMatch'],
      ['X-Amz-Signature', 'x', 400, 'AuthorizationQueryParametersError'],
      ['X-Amz-Signature', undefined, 400, 'AuthorizationQueryParametersError'],
      ['X-Amz-Expires', '604801', 400, 'AuthorizationQueryParametersError'],
      ['X-Amz-Expires', '-1', 400, 'AuthorizationQueryParametersError'],
      ['X-Amz-Expires', '61', 403, 'SignatureDoesNotMatch'],
      ['X-Amz-Expires', undefined, 400, 'AuthorizationQueryParametersError'],
      ['X-Amz-Date', undefined, 400, 'AuthorizationQueryParametersError'],
      ['X-Amz-Credential', 'test', 400, 'AuthorizationQueryParametersError'],
      ['X-Amz-SignedHeaders', '', 400, 'AuthorizationQueryParametersError'],
      ['X-Amz-SignedHeaders', 'x', 403, 'AccessDenied'],
      ['response-content-type', 'text/html', 403, 'SignatureDoesNotMatch'],
    ])('with %s %j', async (name, value, status, code) => {
      const url = new URL(await presigned());
      if (value === undefined) url.searchParams.delete(name);
      else url.searchParams.set(name, value);
      expect(await open(String(url))).toEqual([status, code]);
    });

    it('for another object or method', async () => {
      const url = await presigned();
      expect(await open(url.replace('/secret', '/other'))).toEqual([403, 'SignatureDoesNotMatch']);
      expect(await open(url, { method: 'DELETE' })).toEqual([403, 'SignatureDoesNotMatch']);
    });

    it('of an upload that carries the checksum of nothing, as the SDK makes them by default', async () => {
      const url = await getSignedUrl(storage.client, new PutObjectCommand({ Bucket: 'test', Key: 'new' }), {
        signingDate: NOW,
      });
      expect(url).toContain('x-amz-checksum-crc32=AAAAAA%3D%3D');
      expect(await open(url, { method: 'PUT', body: 'content' })).toEqual([400, 'BadDigest']);
    });
  });
});
