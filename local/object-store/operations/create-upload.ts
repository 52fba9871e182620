import { type ChecksumType, hasherFor } from '../body/checksums.js';
import { S3Error } from '../wire/s3-error.js';
import { fieldOf, type S3Request } from '../wire/s3-request.js';
import type { Upload } from '../store/upload-store.js';
import { element, root } from '../wire/xml.js';
import { objectHeaders } from './object-headers.js';
import { answerXml, type Handler } from './operation.js';

/** Which algorithms combine in which way, see "Checking object integrity" of the S3 user guide. */
const TYPES: Readonly<Record<string, readonly ChecksumType[]>> = {
  crc32: ['COMPOSITE', 'FULL_OBJECT'],
  crc32c: ['COMPOSITE', 'FULL_OBJECT'],
  crc64nvme: ['FULL_OBJECT'],
};

/** CreateMultipartUpload. */
export const createUpload: Handler = async (operation) => {
  const { request, bucket, clock } = operation;
  const upload = await bucket.uploads.create({
    key: request.key,
    initiatedAt: clock.now().toISOString(),
    headers: objectHeaders(request),
    ...checksumOf(request),
  });
  const document = root('InitiateMultipartUploadResult', [
    element('Bucket', bucket.name),
    element('Key', upload.key),
    element('UploadId', upload.id),
  ]);
  const { checksumAlgorithm, checksumType } = upload;
  answerXml(operation, document, {
    ...(checksumAlgorithm && {
      'x-amz-checksum-algorithm': checksumAlgorithm.toUpperCase(),
      'x-amz-checksum-type': checksumType,
    }),
  });
};

function checksumOf(request: S3Request): Pick<Upload, 'checksumAlgorithm' | 'checksumType'> {
  const checksumAlgorithm = fieldOf(request, 'x-amz-checksum-algorithm')?.toLowerCase() ?? null;
  const asked = fieldOf(request, 'x-amz-checksum-type');
  if (checksumAlgorithm === null) {
    if (asked !== undefined) throw new S3Error('InvalidRequest', 'x-amz-checksum-type needs an algorithm.');
    return { checksumAlgorithm, checksumType: 'COMPOSITE' };
  }
  hasherFor(checksumAlgorithm);
  const types = TYPES[checksumAlgorithm] ?? ['COMPOSITE'];
  const checksumType = types.find((type) => type === (asked ?? types[0]));
  if (!checksumType)
    throw new S3Error('InvalidRequest', `${checksumAlgorithm} has no checksum of the type ${asked}.`);
  return { checksumAlgorithm, checksumType };
}
