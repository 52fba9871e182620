import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { sha256 } from '../support/signed-request.js';
import { type Attempt, statusAndCode, StorageForRefusals } from '../support/storage-for-refusals.js';

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
      { headers: { 'x-amz-checksum-crc32': 'AAAAAA==', 'x-amz-checksum-sha1': `${'A'.repeat(27)}=` } },
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
      'in chunks',
      { payloadHash: 'STREAMING-UNSIGNED-PAYLOAD-TRAILER', headers: { 'content-encoding': 'aws-chunked' } },
      501,
      'NotImplemented',
    ],
    ['with a trailer', { headers: { 'x-amz-trailer': 'x-amz-checksum-crc32' } }, 501, 'NotImplemented'],
  ])('%s', async (_, given, status, code) => {
    expect(statusAndCode(await storage.put(given))).toEqual([status, code]);
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
