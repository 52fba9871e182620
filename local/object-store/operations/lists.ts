import { compareKeys } from '../store/object-store.js';
import type { Upload } from '../store/upload-store.js';
import { S3Error } from '../wire/s3-error.js';
import { element, root } from '../wire/xml.js';
import { checksumElements, quoted } from './object-headers.js';
import { answerXml, type Handler } from './operation.js';

const MAX_PAGE = 1_000;

/** @throws S3Error InvalidArgument unless it is 0 to 2147483647; more than 1000 counts as 1000 */
function readLimit(query: ReadonlyMap<string, string>, name: string): number {
  const text = query.get(name) ?? String(MAX_PAGE);
  if (!/^\d{1,10}$/.test(text) || Number(text) > 2 ** 31 - 1)
    throw new S3Error('InvalidArgument', `${name} must be a number of 0 to ${MAX_PAGE}.`);
  return Math.min(Number(text), MAX_PAGE);
}

/** ListObjectsV2, without delimiters. */
export const listObjects: Handler = async (operation) => {
  const { query } = operation.request;
  if (query.get('list-type') !== '2') throw new S3Error('NotImplemented', 'Only list-type=2 is implemented.');
  const prefix = query.get('prefix') ?? '';
  const token = query.get('continuation-token');
  const after = token === undefined ? '' : readToken(token);
  const limit = readLimit(query, 'max-keys');
  const objects = await operation.bucket.objects.list(prefix);
  const left = objects.filter(({ facts }) => compareKeys(facts.key, after) > 0);
  const page = left.slice(0, limit);
  const isTruncated = limit > 0 && left.length > limit;
  const document = root('ListBucketResult', [
    element('Name', operation.bucket.name),
    element('Prefix', prefix),
    element('MaxKeys', limit),
    element('KeyCount', page.length),
    element('IsTruncated', isTruncated),
    element('ContinuationToken', token),
    element('NextContinuationToken', isTruncated ? writeToken(page.at(-1)?.facts.key ?? '') : undefined),
    ...page.map(({ facts, size }) =>
      element('Contents', [
        element('Key', facts.key),
        element('LastModified', facts.modifiedAt),
        element('ETag', quoted(facts.etag)),
        element('Size', size),
        element('StorageClass', 'STANDARD'),
      ]),
    ),
  ]);
  answerXml(operation, document);
};

const writeToken = (key: string): string => Buffer.from(key).toString('base64url');

function readToken(token: string): string {
  const key = Buffer.from(token, 'base64url').toString('utf8');
  if (key === '' || writeToken(key) !== token)
    throw new S3Error('InvalidArgument', 'The continuation token is not valid.');
  return key;
}

/** ListMultipartUploads: by key, then by start time. */
export const listUploads: Handler = async (operation) => {
  const { request, bucket } = operation;
  const { query } = request;
  const prefix = query.get('prefix') ?? '';
  const limit = readLimit(query, 'max-uploads');
  const uploads = (await bucket.uploads.list()).filter(({ key }) => key.startsWith(prefix)).sort(inOrder);
  const left = uploads.slice(indexAfter(uploads, query.get('key-marker'), query.get('upload-id-marker')));
  const page = left.slice(0, limit);
  const isTruncated = limit > 0 && left.length > limit;
  const last = isTruncated ? page.at(-1) : undefined;
  const document = root('ListMultipartUploadsResult', [
    element('Bucket', bucket.name),
    element('KeyMarker', query.get('key-marker') ?? ''),
    element('UploadIdMarker', query.get('upload-id-marker') ?? ''),
    element('NextKeyMarker', last?.key),
    element('NextUploadIdMarker', last?.id),
    element('Prefix', prefix),
    element('MaxUploads', limit),
    element('IsTruncated', isTruncated),
    ...page.map(({ key, id, initiatedAt, checksumAlgorithm }) =>
      element('Upload', [
        element('Key', key),
        element('UploadId', id),
        element('Initiated', initiatedAt),
        element('StorageClass', 'STANDARD'),
        element('ChecksumAlgorithm', checksumAlgorithm?.toUpperCase()),
      ]),
    ),
  ]);
  answerXml(operation, document);
};

const inOrder = (a: Upload, b: Upload): number =>
  compareKeys(a.key, b.key) || compareKeys(a.initiatedAt + a.id, b.initiatedAt + b.id);

/** The id counts only together with the key, as at AWS. */
function indexAfter(uploads: readonly Upload[], key = '', id = ''): number {
  const marked = id === '' ? -1 : uploads.findIndex((upload) => upload.key === key && upload.id === id);
  if (marked >= 0) return marked + 1;
  const next = uploads.findIndex((upload) => compareKeys(upload.key, key) > 0);
  return next < 0 ? uploads.length : next;
}

export const listParts: Handler = async (operation) => {
  const { request, bucket } = operation;
  const { query } = request;
  const upload = await bucket.uploads.get(request.key, query.get('uploadId') ?? '');
  const limit = readLimit(query, 'max-parts');
  const after = query.get('part-number-marker') ?? '0';
  if (!/^\d{1,5}$/.test(after)) throw new S3Error('InvalidArgument', 'part-number-marker must be a number.');
  const left = (await bucket.uploads.parts(upload.id)).filter(({ number }) => number > Number(after));
  const page = left.slice(0, limit);
  const { checksumAlgorithm } = upload;
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
    element('ChecksumType', checksumAlgorithm === null ? undefined : 'COMPOSITE'),
    ...page.map(({ number, size, facts }) =>
      element('Part', [
        element('PartNumber', number),
        element('LastModified', facts.modifiedAt),
        element('ETag', quoted(facts.etag)),
        element('Size', size),
        ...checksumElements(facts.checksum),
      ]),
    ),
  ]);
  answerXml(operation, document);
};
