import { compareKeys } from '../store/object-store.js';
import type { Upload } from '../store/upload-store.js';
import { element, root } from '../wire/xml.js';
import { keyWriter, readLimit } from './list-parameters.js';
import { answerXml, type Handler } from './operation.js';

/** ListMultipartUploads: by key, then by start time. */
export const listUploads: Handler = async (operation) => {
  const { request, bucket } = operation;
  const { query } = request;
  const prefix = query.get('prefix') ?? '';
  const limit = readLimit(query, 'max-uploads');
  const write = keyWriter(query);
  const uploads = (await bucket.uploads.list()).filter(({ key }) => key.startsWith(prefix)).sort(inOrder);
  const left = uploads.slice(indexAfter(uploads, query.get('key-marker'), query.get('upload-id-marker')));
  const page = left.slice(0, limit);
  const isTruncated = limit > 0 && left.length > limit;
  const last = isTruncated ? page.at(-1) : undefined;
  const document = root('ListMultipartUploadsResult', [
    element('Bucket', bucket.name),
    element('KeyMarker', write(query.get('key-marker') ?? '')),
    element('UploadIdMarker', query.get('upload-id-marker') ?? ''),
    element('NextKeyMarker', last && write(last.key)),
    element('NextUploadIdMarker', last?.id),
    element('Prefix', write(prefix)),
    element('EncodingType', query.get('encoding-type')),
    element('MaxUploads', limit),
    element('IsTruncated', isTruncated),
    ...page.map((upload) => uploadElement(upload, write)),
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

const uploadElement = ({ key, id, initiatedAt, checksumAlgorithm }: Upload, write: (key: string) => string) =>
  element('Upload', [
    element('Key', write(key)),
    element('UploadId', id),
    element('Initiated', initiatedAt),
    element('StorageClass', 'STANDARD'),
    element('ChecksumAlgorithm', checksumAlgorithm?.toUpperCase()),
  ]);
