import { completeUpload } from './operations/complete-upload.js';
import { listObjects, listParts, listUploads } from './operations/lists.js';
import { deleteObject, getObject, putObject } from './operations/objects.js';
import { answer, type Handler } from './operations/operation.js';
import { abortUpload, createUpload, uploadPart } from './operations/uploads.js';
import { S3Error } from './wire/s3-error.js';
import type { S3Request } from './wire/s3-request.js';

interface Route {
  readonly handler: Handler;
  /** The query parameter that selects this operation. */
  readonly marker?: string;
  readonly parameters?: readonly string[];
}

const RESPONSE_HEADERS = ['type', 'disposition', 'encoding', 'language'].map(
  (name) => `response-content-${name}`,
);
const OVERRIDES = [...RESPONSE_HEADERS, 'response-cache-control', 'response-expires'];
const LIST = ['prefix', 'max-keys', 'continuation-token'];
const UPLOADS = ['prefix', 'key-marker', 'upload-id-marker', 'max-uploads'];

/** By method and bucket or object. The first route whose marker is present applies. */
const ROUTES: Readonly<Record<string, readonly Route[] | undefined>> = {
  'HEAD bucket': [{ handler: (operation) => Promise.resolve(answer(operation, 200)) }],
  'GET bucket': [
    { handler: listObjects, marker: 'list-type', parameters: LIST },
    { handler: listUploads, marker: 'uploads', parameters: UPLOADS },
  ],
  'HEAD object': [{ handler: getObject, parameters: OVERRIDES }],
  'GET object': [
    { handler: listParts, marker: 'uploadId', parameters: ['max-parts', 'part-number-marker'] },
    { handler: getObject, parameters: OVERRIDES },
  ],
  'PUT object': [
    { handler: uploadPart, marker: 'uploadId', parameters: ['partNumber'] },
    { handler: putObject },
  ],
  'POST object': [
    { handler: createUpload, marker: 'uploads' },
    { handler: completeUpload, marker: 'uploadId' },
  ],
  'DELETE object': [{ handler: abortUpload, marker: 'uploadId' }, { handler: deleteObject }],
};

/** Supported S3 headers. Others are refused instead of silently ignored. */
const HEADERS = new Set(
  ['date', 'content-sha256', 'user-agent', 'sdk-checksum-algorithm', 'mp-object-size', 'storage-class'].map(
    (name) => `x-amz-${name}`,
  ),
);
const isHonoured = (name: string): boolean => HEADERS.has(name) || /^x-amz-(meta|checksum)-/.test(name);
const OF_SIGNATURE = new Set(
  ['Algorithm', 'Credential', 'Date', 'Expires', 'SignedHeaders', 'Signature', 'Content-Sha256'].map(
    (name) => `X-Amz-${name}`,
  ),
);
/** The SDK adds `x-id` for its own use. */
const isOfSignature = (name: string): boolean => name === 'x-id' || OF_SIGNATURE.has(name);

/** @throws S3Error NotImplemented for operations of S3 that this server lacks, MethodNotAllowed */
export function routeOf({ method, key, query, headers }: S3Request): Handler {
  const routes = ROUTES[`${method} ${key === '' ? 'bucket' : 'object'}`];
  if (!routes) throw new S3Error('MethodNotAllowed');
  const route = routes.find(({ marker }) => marker === undefined || query.has(marker));
  if (!route) throw new S3Error('NotImplemented');
  const names = [...query.keys()].filter((name) => name !== route.marker && !isOfSignature(name));
  const unknown = [
    ...names.filter((name) => !isHonoured(name) && !route.parameters?.includes(name)),
    ...[...headers.keys()].filter((name) => name.startsWith('x-amz-') && !isHonoured(name)),
  ];
  if (unknown.length > 0) throw new S3Error('NotImplemented', `Not implemented here: ${unknown.join(', ')}.`);
  if ((headers.get('x-amz-storage-class') ?? query.get('x-amz-storage-class') ?? 'STANDARD') !== 'STANDARD')
    throw new S3Error('NotImplemented', 'The only storage class here is STANDARD.');
  return route.handler;
}
