import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { keyOf, scopeOf, sha256, timestampOf } from '../support/signed-request.js';
import { type Attempt, NOW, statusAndCode, StorageForRefusals } from '../support/storage-for-refusals.js';

/** A trailer; `sent` in place of the line that was signed. */
interface Spoiled {
  readonly line: string;
  readonly sent?: string;
  readonly spoil: (signature: string) => string;
}

describe('the embedded object store refuses bodies', () => {
  let storage: StorageForRefusals;

  beforeAll(async () => {
    storage = await StorageForRefusals.start();
  });
  afterEach(() => storage.mustBeUnchanged());
  afterAll(() => storage.remove());

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
    expect(statusAndCode(await storage.put(given))).toEqual([status, code]);
  });

  const unsigned = (body: string, more: Attempt = {}) =>
    storage.put({
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
    ['with another trailer', '5\r\nhello\r\n0\r\nx-amz-checksum-sha1:AAAA\r\n\r\n', 'MalformedTrailerError'],
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
    expect(statusAndCode(await unsigned(body))).toEqual([400, code]);
  });

  /** Chunks as AWS signs them, and behind them the trailer where there is one. */
  const signedChunks = (
    chunks: readonly Buffer[],
    spoil: (signature: string, at: number) => string,
    trailer?: Spoiled,
  ) => {
    const payloadHash = `STREAMING-AWS4-HMAC-SHA256-PAYLOAD${trailer ? '-TRAILER' : ''}`;
    const length = chunks.reduce((total, chunk) => total + chunk.length, 0);
    const headers = {
      'x-amz-decoded-content-length': String(length),
      ...(trailer && { 'x-amz-trailer': 'x-amz-checksum-crc32' }),
    };
    const head = storage.signed({ method: 'PUT', target: '/test/secret', payloadHash, headers });
    let previous = head.signature;
    const sign = (kind: string, ...hashes: string[]) => {
      const lines = [`AWS4-HMAC-SHA256-${kind}`, timestampOf(NOW), scopeOf(storage.signing), previous];
      previous = createHmac('sha256', keyOf(storage.signing))
        .update([...lines, ...hashes].join('\n'))
        .digest('hex');
      return previous;
    };
    const pieces = [...chunks, Buffer.alloc(0)].map((chunk, at) => {
      const signature = spoil(sign('PAYLOAD', sha256(''), sha256(chunk)), at);
      const line = `${chunk.length.toString(16)};chunk-signature=${signature}\r\n`;
      const end = trailer && chunk.length === 0 ? '' : '\r\n';
      return Buffer.concat([Buffer.from(line), chunk, Buffer.from(end)]);
    });
    if (trailer) {
      const signature = trailer.spoil(sign('TRAILER', sha256(`${trailer.line}\n`)));
      pieces.push(
        Buffer.from(`${trailer.sent ?? trailer.line}\r\nx-amz-trailer-signature:${signature}\r\n\r\n`),
      );
    }
    const body = Buffer.concat(pieces);
    const sent = { ...head.headers, 'content-length': String(body.length) };
    return storage.send('PUT', '/test/secret', sent, body);
  };

  it('in chunks one of which has another signature', async () => {
    const chunks = [Buffer.alloc(8_192, 'a'), Buffer.alloc(8_192, 'b'), Buffer.from('secret')];
    for (const wrong of [0, 1, 2, 3]) {
      const answer = await signedChunks(chunks, (signature, at) =>
        at === wrong ? '0'.repeat(64) : signature,
      );
      expect(statusAndCode(answer)).toEqual([403, 'SignatureDoesNotMatch']);
    }
    expect((await storage.attempt({})).text).toBe('secret');
    expect((await signedChunks([Buffer.from('secret')], (signature) => signature)).status).toBe(200);
    expect((await storage.attempt({})).text).toBe('secret');
  });

  it('in signed chunks with a trailer that is other than signed', async () => {
    const asSigned = (signature: string) => signature;
    const crcOf = (content: string) => {
      const value = Buffer.alloc(4);
      value.writeUInt32BE(crc32(content));
      return `x-amz-checksum-crc32:${value.toString('base64')}`;
    };
    const put = (trailer: Partial<Spoiled>) =>
      signedChunks([Buffer.from('secret')], asSigned, { line: crcOf('secret'), spoil: asSigned, ...trailer });
    const refused: [Partial<Spoiled>, number, string][] = [
      [{ spoil: () => '0'.repeat(64) }, 403, 'SignatureDoesNotMatch'],
      [{ sent: crcOf('public') }, 403, 'SignatureDoesNotMatch'],
      [{ line: crcOf('public') }, 400, 'BadDigest'],
    ];
    for (const [trailer, status, code] of refused)
      expect(statusAndCode(await put(trailer))).toEqual([status, code]);
    expect((await put({})).status).toBe(200);
  });

  it('before they are sent, for a client that sends Expect: 100-continue', async () => {
    const { headers } = storage.signed({
      secret: 'guessed',
      payloadHash: 'UNSIGNED-PAYLOAD',
      method: 'PUT',
      target: '/test/new',
    });
    const lines = Object.entries({ ...headers, expect: '100-continue', 'content-length': '1000' });
    const socket = connect(Number(storage.host.split(':')[1]), '127.0.0.1');
    socket.write(['PUT /test/new HTTP/1.1', ...lines.map((each) => each.join(': ')), '', ''].join('\r\n'));
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1.1 403/);
    expect(answer).toMatch(/connection: close/i);
  });
});
