import { pipeline } from 'node:stream/promises';
import { type ByteRange, readByteRange } from '#libs/object-storage';
import { expectBody, receiveBody, type ReceivedContent } from '../body/receive-body.js';
import type { NewObjectFile, OpenObject } from '../store/object-file.js';
import { S3Error } from '../wire/s3-error.js';
import { fieldOf, type S3Request } from '../wire/s3-request.js';
import { isNotModified, writeGuard } from './conditions.js';
import { describingHeaders, objectChecksumHeaders, objectHeaders, quoted } from './object-headers.js';
import { answer, type Handler, type Operation } from './operation.js';

export const putObject: Handler = async (operation) => {
  const { request, bucket, clock } = operation;
  const headers = objectHeaders(request);
  const guard = writeGuard(request);
  await withReceivedFile(
    operation,
    () => bucket.objects.check(request.key, guard),
    async (file, { md5, checksum }) => {
      const modifiedAt = clock.now().toISOString();
      await bucket.objects.store(file, { key: request.key, etag: md5, modifiedAt, headers, checksum }, guard);
      answer(operation, 200, { ETag: quoted(md5), ...objectChecksumHeaders(checksum) });
    },
  );
};

/**
 * Reads the body into a file and passes it to `use` when it is complete and verified. Deletes the file otherwise.
 * @param check refuses the request before the body is read
 */
export async function withReceivedFile(
  { request, sha256, bucket }: Operation,
  check: () => Promise<unknown>,
  use: (file: NewObjectFile, content: ReceivedContent) => Promise<void>,
): Promise<void> {
  const expected = expectBody(request, sha256);
  await check();
  const file = await bucket.objects.create();
  try {
    await use(file, await receiveBody(request, expected, (piece) => file.write(piece)));
  } finally {
    await file.discard();
  }
}

/** GET and HEAD. */
export const getObject: Handler = async (operation) => {
  const { request, response, bucket } = operation;
  const object = await bucket.objects.open(request.key);
  if (!object) throw new S3Error('NoSuchKey');
  try {
    const headers = describingHeaders(request, object);
    if (isNotModified(request, object.facts)) return answer(operation, 304, headers);
    const range = readByteRange(request.headers.get('range'), object.size);
    if (range === 'unsatisfiable') throw new S3Error('InvalidRange');
    response.writeHead(range ? 206 : 200, { ...headers, ...lengthHeaders(request, object, range) });
    if (request.method === 'HEAD' || object.size === 0) {
      response.end();
      return;
    }
    const { start, end } = range ?? { start: 0, end: object.size - 1 };
    const bytes = object.file.createReadStream({ start, end, autoClose: false });
    // A client that still reads detects the missing bytes by the announced length.
    await pipeline(bytes, response).catch(() => response.destroy());
  } finally {
    await object.file.close();
  }
};

function lengthHeaders(request: S3Request, { facts, size }: OpenObject, range: ByteRange | null) {
  if (range) {
    const { start, end } = range;
    return { 'Content-Length': end - start + 1, 'Content-Range': `bytes ${start}-${end}/${size}` };
  }
  const asksForChecksum = fieldOf(request, 'x-amz-checksum-mode') === 'ENABLED';
  return { 'Content-Length': size, ...(asksForChecksum ? objectChecksumHeaders(facts.checksum) : {}) };
}

/** 204 too when there is no such object. */
export const deleteObject: Handler = async (operation) => {
  const { request, bucket } = operation;
  await bucket.objects.delete(request.key, writeGuard(request));
  answer(operation, 204);
};
