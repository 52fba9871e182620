import { createHash, createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import type { S3Client } from '@aws-sdk/client-s3';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { FixedClock } from '#libs/clock/testing';
import { OwnStorage } from '../support/object-storage.js';
import type { RawAnswer } from '../support/signed-request.js';
import { keyOf, scopeOf, sendRaw, sha256, signedHeaders, timestampOf } from '../support/signed-request.js';

const NOW = new Date('2026-11-22T10:00:00Z');
const MINUTE = 60_000;
const CORS = {
  allowedOrigins: ['https://app.example.com'],
  allowedMethods: ['GET', 'PUT'],
  allowedHeaders: ['content-type', 'x-amz-checksum-sha256', 'if-none-match'],
  exposeHeaders: ['ETag'],
  maxAgeSeconds: 600,
};

const said = ({ status, code }: RawAnswer) => [status, code];

describe('the embedded object store refuses', () => {
  const clock = new FixedClock(NOW);
  let own: OwnStorage;
  let client: S3Client;
  let host: string;

  beforeAll(async () => {
    own = await OwnStorage.start({ clock, cors: CORS });
    client = own.client({ systemClockOffset: NOW.getTime() - new Date().getTime() });
    host = new URL(own.endpoint).host;
    await client.send(new PutObjectCommand({ Bucket: 'test', Key: 'secret', Body: 'secret' }));
  });
  afterEach(async () => {
    clock.jumpTo(NOW);
    expect(await own.leftovers()).toEqual([]);
    expect(await own.paths()).toHaveLength(1);
  });
  afterAll(async () => {
    client.destroy();
    await own.remove();
  });

  interface Attempt {
    method?: string;
    target?: string;
    body?: string | Buffer;
    payloadHash?: string;
    at?: Date;
    accessKeyId?: string;
    secret?: string;
    region?: string;
    headers?: Record<string, string>;
    signedHeaders?: string[];
    /** Changes what was signed. */
    tamper?: Record<string, string | undefined>;
  }

  const attempt = async ({
    method = 'GET',
    target = '/test/secret',
    body = '',
    tamper = {},
    ...more
  }: Attempt) => {
    const { accessKeyId, secret } = own;
    const signing = { accessKeyId, secret, region: 'us-east-1', at: NOW, payloadHash: sha256(body), ...more };
    const { headers } = signedHeaders({ ...signing, method, target, host });
    const sent: Record<string, string | undefined> = { ...headers, ...tamper };
    const lengths = body.length > 0 ? { 'content-length': String(Buffer.byteLength(body)) } : {};
    const filled = Object.entries({ ...lengths, ...sent }).filter(
      (each): each is [string, string] => each[1] !== undefined,
    );
    return sendRaw(own.endpoint, method, target, Object.fromEntries(filled), body);
  };

  const put = (more: Attempt) => attempt({ method: 'PUT', target: '/test/new', body: 'content', ...more });

  describe('by the signature', () => {
    it('serves what is signed, as a proof of the tests below', async () => {
      expect((await attempt({})).text).toBe('secret');
      expect((await attempt({ target: '/test/secret?x-id=GetObject' })).status).toBe(200);
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
      expect(said(await attempt(given))).toEqual([status, code]);
    });

    it('a path, method or query other than signed', async () => {
      const { accessKeyId, secret } = own;
      const signing = { accessKeyId, secret, region: 'us-east-1', at: NOW, payloadHash: sha256('') };
      const { headers } = signedHeaders({ ...signing, method: 'GET', target: '/test/other', host });
      for (const [method, target] of [
        ['GET', '/test/secret'],
        ['DELETE', '/test/other'],
        ['GET', '/test/other?x-id=1'],
        ['HEAD', '/test/other'],
      ] as const)
        expect((await sendRaw(own.endpoint, method, target, headers)).status).toBe(403);
    });
  });

  describe('presigned addresses', () => {
    const presigned = (expiresIn = 60, Key = 'secret') =>
      getSignedUrl(client, new GetObjectCommand({ Bucket: 'test', Key }), { expiresIn, signingDate: NOW });
    const open = async (url: string, more: RequestInit = {}) => {
      const response = await fetch(url, more);
      const body = await response.text();
      return [response.status, /<Code>(\w+)<\/Code>/.exec(body)?.[1] ?? body];
    };

    it('that are expired or not valid yet', async () => {
      const url = await presigned(60);
      clock.jumpTo(new Date(NOW.getTime() + 60_000));
      expect(await open(url)).toEqual([200, 'secret']);
      clock.jumpTo(new Date(NOW.getTime() + 60_001));
      expect(await open(url)).toEqual([403, 'AccessDenied']);
      clock.jumpTo(new Date(NOW.getTime() - 16 * MINUTE));
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

    it('of an upload with another type, length, checksum or condition than signed', async () => {
      const content = 'content';
      const checksum = createHash('sha256').update(content).digest('base64');
      const command = new PutObjectCommand({
        Bucket: 'test',
        Key: 'secret',
        ContentType: 'image/png',
        ContentLength: 7,
        ChecksumSHA256: checksum,
        IfNoneMatch: '*',
      });
      const signableHeaders = new Set([
        'host',
        'content-length',
        'content-type',
        'if-none-match',
        'x-amz-checksum-sha256',
      ]);
      const unhoistableHeaders = new Set(['x-amz-checksum-sha256']);
      const url = await getSignedUrl(client, command, {
        expiresIn: 60,
        signingDate: NOW,
        signableHeaders,
        unhoistableHeaders,
      });
      const headers = {
        'content-type': 'image/png',
        'if-none-match': '*',
        'x-amz-checksum-sha256': checksum,
      };
      const send = (body: string, more: object = {}) =>
        open(url, { method: 'PUT', body, headers: { ...headers, ...more } });
      expect(await send('content', { 'content-type': 'text/html' })).toEqual([403, 'SignatureDoesNotMatch']);
      expect(await send('longer content')).toEqual([403, 'SignatureDoesNotMatch']);
      expect(await send('Content')).toEqual([412, 'PreconditionFailed']);
      expect(await send('content', { 'if-none-match': '"x"' })).toEqual([403, 'SignatureDoesNotMatch']);
      const free = await getSignedUrl(
        client,
        new PutObjectCommand({ Bucket: 'test', Key: 'new', ChecksumSHA256: checksum }),
        { expiresIn: 60, signingDate: NOW },
      );
      expect(await open(free, { method: 'PUT', body: 'Content' })).toEqual([400, 'BadDigest']);
    });

    it('of an upload that carries the checksum of nothing, as the SDK makes them by default', async () => {
      const url = await getSignedUrl(client, new PutObjectCommand({ Bucket: 'test', Key: 'new' }), {
        signingDate: NOW,
      });
      expect(url).toContain('x-amz-checksum-crc32=AAAAAA%3D%3D');
      expect(await open(url, { method: 'PUT', body: 'content' })).toEqual([400, 'BadDigest']);
    });
  });

  describe('bodies', () => {
    it.each<[string, Attempt, number, string]>([
      ['other than their hash', { payloadHash: sha256('other') }, 400, 'XAmzContentSHA256Mismatch'],
      [
        'of no length',
        { tamper: { 'content-length': undefined, 'transfer-encoding': 'chunked' } },
        411,
        'MissingContentLength',
      ],
      [
        'of more than 5 GiB',
        { tamper: { 'content-length': String(5 * 1_024 ** 3 + 1) }, headers: { expect: '100-continue' } },
        400,
        'EntityTooLarge',
      ],
      ['with another checksum', { headers: { 'x-amz-checksum-crc32': 'AAAAAA==' } }, 400, 'BadDigest'],
      [
        'with a checksum of the wrong length',
        { headers: { 'x-amz-checksum-sha256': 'AAAAAA==' } },
        400,
        'InvalidRequest',
      ],
      [
        'with two checksums',
        { headers: { 'x-amz-checksum-crc32': 'AAAAAA==', 'x-amz-checksum-crc32c': 'AAAAAA==' } },
        400,
        'InvalidRequest',
      ],
      [
        'without the checksum they announce',
        { headers: { 'x-amz-sdk-checksum-algorithm': 'CRC32' } },
        400,
        'InvalidRequest',
      ],
      [
        'with a checksum nobody knows',
        { headers: { 'x-amz-checksum-xxhash64': 'AAAAAAAAAAA=' } },
        501,
        'NotImplemented',
      ],
      [
        'with a trailer they do not have',
        { headers: { 'x-amz-trailer': 'x-amz-checksum-crc32' } },
        400,
        'MalformedTrailerError',
      ],
    ])('%s', async (_, given, status, code) => {
      expect(said(await put(given))).toEqual([status, code]);
    });

    const unsigned = (body: string, more: Attempt = {}) =>
      put({
        body,
        payloadHash: 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
        ...more,
        headers: {
          'content-encoding': 'aws-chunked',
          'x-amz-decoded-content-length': '5',
          'x-amz-trailer': 'x-amz-checksum-crc32',
          ...more.headers,
        },
      });
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32('hello'));
    const trailer = `x-amz-checksum-crc32:${sum.toString('base64')}\r\n\r\n`;

    it.each<[string, string, string]>([
      ['that end within a chunk', '5\r\nhel', 'IncompleteBody'],
      ['that end before the trailer', '5\r\nhello\r\n0\r\n', 'IncompleteBody'],
      ['without the trailer', '5\r\nhello\r\n0\r\n\r\n', 'MalformedTrailerError'],
      [
        'with another trailer',
        '5\r\nhello\r\n0\r\nx-amz-checksum-sha1:AAAA\r\n\r\n',
        'MalformedTrailerError',
      ],
      ['with a trailer of other bytes', `5\r\nhellO\r\n0\r\n${trailer}`, 'BadDigest'],
      ['with fewer bytes than announced', `4\r\nhell\r\n0\r\n${trailer}`, 'IncompleteBody'],
      ['with more bytes than announced', `6\r\nhello!\r\n0\r\n${trailer}`, 'IncompleteBody'],
      ['with something behind the trailer', `5\r\nhello\r\n0\r\n${trailer}x`, 'IncompleteBody'],
      [
        'with a small chunk that is not the last',
        `2\r\nhe\r\n3\r\nllo\r\n0\r\n${trailer}`,
        'InvalidChunkSizeError',
      ],
      ['with a size that is none', `x\r\nhello\r\n0\r\n${trailer}`, 'IncompleteBody'],
      ['with a chunk longer than its size', `4\r\nhello\r\n0\r\n${trailer}`, 'IncompleteBody'],
      ['that go on without an end of line', '5'.repeat(20_000), 'IncompleteBody'],
    ])('in chunks %s', async (_, body, code) => {
      expect(said(await unsigned(body))).toEqual([400, code]);
    });

    /** Chunks as AWS signs them. */
    const signedChunks = (chunks: readonly Buffer[], spoil: (signature: string, at: number) => string) => {
      const payloadHash = 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD';
      const { accessKeyId, secret } = own;
      const length = chunks.reduce((total, chunk) => total + chunk.length, 0);
      const signing = {
        accessKeyId,
        secret,
        region: 'us-east-1',
        at: NOW,
        payloadHash,
        method: 'PUT',
        target: '/test/secret',
      };
      const head = signedHeaders({
        ...signing,
        host,
        headers: { 'x-amz-decoded-content-length': String(length) },
      });
      let previous = head.signature;
      const pieces = [...chunks, Buffer.alloc(0)].map((chunk, at) => {
        const lines = [
          'AWS4-HMAC-SHA256-PAYLOAD',
          timestampOf(NOW),
          scopeOf(signing),
          previous,
          sha256(''),
          sha256(chunk),
        ];
        previous = createHmac('sha256', keyOf(signing)).update(lines.join('\n')).digest('hex');
        const line = `${chunk.length.toString(16)};chunk-signature=${spoil(previous, at)}\r\n`;
        return Buffer.concat([Buffer.from(line), chunk, Buffer.from('\r\n')]);
      });
      const body = Buffer.concat(pieces);
      return sendRaw(
        own.endpoint,
        'PUT',
        '/test/secret',
        { ...head.headers, 'content-length': String(body.length) },
        body,
      );
    };

    it('in chunks one of which has another signature', async () => {
      const chunks = [Buffer.alloc(8_192, 'a'), Buffer.alloc(8_192, 'b'), Buffer.from('secret')];
      for (const wrong of [0, 1, 2, 3]) {
        const answer = await signedChunks(chunks, (signature, at) =>
          at === wrong ? '0'.repeat(64) : signature,
        );
        expect(said(answer)).toEqual([403, 'SignatureDoesNotMatch']);
      }
      expect((await attempt({})).text).toBe('secret');
      expect((await signedChunks([Buffer.from('secret')], (signature) => signature)).status).toBe(200);
      expect((await attempt({})).text).toBe('secret');
    });

    it('before they are sent, where the client waits to be asked', async () => {
      const { headers } = signedHeaders({
        accessKeyId: own.accessKeyId,
        secret: 'guessed',
        region: 'us-east-1',
        at: NOW,
        payloadHash: 'UNSIGNED-PAYLOAD',
        method: 'PUT',
        target: '/test/new',
        host,
      });
      const lines = Object.entries({ ...headers, expect: '100-continue', 'content-length': '1000' });
      const socket = connect(Number(new URL(own.endpoint).port), '127.0.0.1');
      socket.write(['PUT /test/new HTTP/1.1', ...lines.map((each) => each.join(': ')), '', ''].join('\r\n'));
      const answer = await text(socket);
      expect(answer).toMatch(/^HTTP\/1.1 403/);
      expect(answer).toMatch(/connection: close/i);
    });
  });

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
      const { accessKeyId, secret } = own;
      const signing = { accessKeyId, secret, region: 'us-east-1', at: NOW, payloadHash: sha256('') };
      const [path, query] = target.split('?');
      const canonical = query === undefined || query.includes('=') ? target : `${path}?${query}=`;
      const { headers } = signedHeaders({ ...signing, method, target: canonical, host });
      expect((await sendRaw(own.endpoint, method, target, headers)).status).toBe(status);
      expect((await attempt({})).text).toBe('secret');
    });

    it.each([
      'x-amz-copy-source',
      'x-amz-server-side-encryption',
      'x-amz-acl',
      'x-amz-tagging',
      'x-amz-object-lock-mode',
    ])('the header %s', async (name) => {
      expect(said(await put({ headers: { [name]: 'x' } }))).toEqual([501, 'NotImplemented']);
    });

    it.each(['/test/%', '/test/%ff', '/test/%zz', 'http://127.0.0.1/test/secret'])(
      'the address %s',
      async (target) => {
        expect(said(await attempt({ target }))).toEqual([400, 'InvalidURI']);
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
        const answer = await attempt({
          method: 'POST',
          target: '/test/secret?uploadId=x',
          body,
          headers: { 'content-length': String(body.length) },
        });
        expect(said(answer)).toEqual([400, 'MalformedXML']);
      }
    });
  });

  it('pages of other origins, and lets those of its own read answers and errors', async () => {
    const preflight = (headers: Record<string, string>) =>
      sendRaw(own.endpoint, 'OPTIONS', '/test/new', { host, ...headers });
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
      expect(said(await preflight({ ...asked, ...other }))).toEqual([403, 'AccessForbidden']);
    expect((await preflight({})).status).toBe(400);
    for (const [origin, seen] of [
      ['https://app.example.com', 'https://app.example.com'],
      ['https://evil.example.com', undefined],
    ] as const) {
      expect((await attempt({ tamper: { origin } })).headers['access-control-allow-origin']).toBe(seen);
      const error = await attempt({ tamper: { origin, authorization: undefined } });
      expect([error.status, error.headers['access-control-allow-origin']]).toEqual([403, seen]);
    }
  });

  it('in the words of S3', async () => {
    const { headers, text: document } = await attempt({ target: '/test/none%3C%26' });
    expect(headers['content-type']).toBe('application/xml');
    expect(document).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>NoSuchKey</Code><Message>The key does not exist.</Message><Resource>/test/none%3C%26</Resource><RequestId>${String(headers['x-amz-request-id'])}</RequestId></Error>`,
    );
    expect(await attempt({ method: 'HEAD', target: '/test/none' })).toMatchObject({ status: 404, text: '' });
  });
});
