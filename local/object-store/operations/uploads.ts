import { hasherFor } from '../body/checksums.js';
import type { Upload } from '../store/upload-store.js';
import { S3Error } from '../wire/s3-error.js';
import { fieldOf, type S3Request } from '../wire/s3-request.js';
import { element, root } from '../wire/xml.js';
import { checksumHeaders, objectHeaders, quoted } from './object-headers.js';
import { withReceivedFile } from './objects.js';
import { answer, answerXml, type Handler } from './operation.js';

export const MAX_PARTS = 10_000;

/** CreateMultipartUpload. */
export const createUpload: Handler = async (operation) => {
  const { request, bucket, clock } = operation;
  const { id, checksumAlgorithm } = await bucket.uploads.create({
    key: request.key,
    initiatedAt: clock.now().toISOString(),
    headers: objectHeaders(request),
    checksumAlgorithm: checksumAlgorithmOfParts(request),
  });
  const document = root('InitiateMultipartUploadResult', [
    element('Bucket', bucket.name),
    element('Key', request.key),
    element('UploadId', id),
  ]);
  answerXml(operation, document, {
    ...(checksumAlgorithm && {
      'x-amz-checksum-algorithm': checksumAlgorithm.toUpperCase(),
      'x-amz-checksum-type': 'COMPOSITE',
    }),
  });
};

function checksumAlgorithmOfParts(request: S3Request): string | null {
  const algorithm = fieldOf(request, 'x-amz-checksum-algorithm')?.toLowerCase() ?? null;
  const type = fieldOf(request, 'x-amz-checksum-type');
  if (type !== undefined && (algorithm === null || type !== 'COMPOSITE'))
    throw new S3Error('InvalidRequest', 'x-amz-checksum-type must be COMPOSITE, and needs an algorithm.');
  if (algorithm !== null) hasherFor(algorithm);
  return algorithm;
}

export const uploadPart: Handler = async (operation) => {
  const { request, bucket, clock } = operation;
  const number = Number(request.query.get('partNumber'));
  const id = request.query.get('uploadId') ?? '';
  if (!Number.isInteger(number) || number < 1 || number > MAX_PARTS)
    throw new S3Error('InvalidArgument', `partNumber must be 1 to ${MAX_PARTS}.`);
  const find = () => bucket.uploads.get(request.key, id);
  await withReceivedFile(operation, find, async (file, { md5, checksum }) => {
    assertChecksum(await find(), checksum?.algorithm);
    const modifiedAt = clock.now().toISOString();
    const facts = { key: request.key, etag: md5, modifiedAt, headers: {}, checksum };
    await bucket.uploads.storePart(id, number, file, facts);
    answer(operation, 200, { ETag: quoted(md5), ...checksumHeaders(checksum) });
  });
};

function assertChecksum({ checksumAlgorithm }: Upload, algorithm: string | undefined): void {
  if (checksumAlgorithm !== null && algorithm !== checksumAlgorithm)
    throw new S3Error(
      'InvalidRequest',
      `Every part of this upload needs a checksum of ${checksumAlgorithm}.`,
    );
}

/** AbortMultipartUpload. A part that is still being sent is refused when it is complete. */
export const abortUpload: Handler = async (operation) => {
  const { request, bucket } = operation;
  const { id } = await bucket.uploads.get(request.key, request.query.get('uploadId') ?? '');
  const wasThere = await bucket.uploads.inTurn(id, () => bucket.uploads.remove(id));
  if (!wasThere) throw new S3Error('NoSuchUpload');
  answer(operation, 204);
};
