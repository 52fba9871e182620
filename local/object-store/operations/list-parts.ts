import { S3Error } from '../wire/s3-error.js';
import { element, root } from '../wire/xml.js';
import { checksumElements } from './checksum-headers.js';
import { readLimit } from './list-parameters.js';
import { quoted } from './object-headers.js';
import { answerXml, type Handler } from './operation.js';

export const listParts: Handler = async (operation) => {
  const { request, bucket } = operation;
  const { query } = request;
  const upload = await bucket.uploads.get(request.key, query.get('uploadId') ?? '');
  const limit = readLimit(query, 'max-parts');
  const after = query.get('part-number-marker') ?? '0';
  if (!/^\d{1,5}$/.test(after)) throw new S3Error('InvalidArgument', 'part-number-marker must be a number.');
  const left = (await bucket.uploads.parts(upload.id)).filter(({ number }) => number > Number(after));
  const page = left.slice(0, limit);
  const { checksumAlgorithm, checksumType } = upload;
  const document = root('ListPartsResult', [
    element('Bucket', bucket.name),
    element('Key', upload.key),
    element('UploadId', upload.id),
    element('PartNumberMarker', after),
    element('NextPartNumberMarker', page.at(-1)?.number),
    element('MaxParts', limit),
    element('IsTruncated', limit > 0 && left.length > limit),
    element('StorageClass', 'STANDARD'),
    element('ChecksumAlgorithm', checksumAlgorithm?.toUpperCase()),
    element('ChecksumType', checksumAlgorithm === null ? undefined : checksumType),
    ...page.map(({ number, size, facts }) =>
      element('Part', [
        element('PartNumber', number),
        element('LastModified', facts.modifiedAt),
        element('ETag', quoted(facts.etag)),
        element('Size', size),
        ...checksumElements(facts),
      ]),
    ),
  ]);
  answerXml(operation, document);
};
