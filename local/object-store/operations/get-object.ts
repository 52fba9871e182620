import { pipeline } from 'node:stream/promises';
import { S3Error } from '../wire/s3-error.js';
import type { ByteRange } from '#libs/object-storage';
import { fieldOf, type S3Request } from '../wire/s3-request.js';
import type { OpenObject } from '../store/object-file.js';
import { checksumHeaders } from './checksum-headers.js';
import { isNotModified } from './conditions.js';
import { describingHeaders } from './object-headers.js';
import { answer, type Handler } from './operation.js';
import { readRange } from './range.js';

/** GET and HEAD. */
export const getObject: Handler = async (operation) => {
  const { request, response, bucket } = operation;
  const object = await bucket.objects.open(request.key);
  if (!object) throw new S3Error('NoSuchKey');
  try {
    const headers = describingHeaders(request, object);
    if (isNotModified(request, object.facts)) return answer(operation, 304, headers);
    const range = readRange(request.headers.get('range'), object.size);
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
  return { 'Content-Length': size, ...(asksForChecksum ? checksumHeaders(facts) : {}) };
}
