import { S3Error } from '../wire/s3-error.js';
import { compareKeys, type StoredFacts } from '../store/object-store.js';
import { element, root } from '../wire/xml.js';
import { keyWriter, readLimit } from './list-parameters.js';
import { quoted } from './object-headers.js';
import { answerXml, type Handler } from './operation.js';

/** An object, or all objects whose keys go on alike up to the delimiter. */
interface Entry {
  readonly name: string;
  readonly object?: StoredFacts;
}

/** ListObjectsV2. */
export const listObjects: Handler = async (operation) => {
  const { query } = operation.request;
  if (query.get('list-type') !== '2') throw new S3Error('NotImplemented', 'Only list-type=2 is implemented.');
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  const token = query.get('continuation-token');
  const after = token === undefined ? (query.get('start-after') ?? '') : readToken(token);
  const limit = readLimit(query, 'max-keys');
  const write = keyWriter(query);
  const all = entriesAfter(await operation.bucket.objects.list(prefix), prefix, delimiter, after);
  const page = all.slice(0, limit);
  const isTruncated = limit > 0 && all.length > limit;
  const next = isTruncated ? writeToken(page.at(-1)?.name ?? '') : undefined;
  const document = root('ListBucketResult', [
    element('Name', operation.bucket.name),
    element('Prefix', write(prefix)),
    element('Delimiter', delimiter === '' ? undefined : write(delimiter)),
    element('StartAfter', query.has('start-after') ? write(query.get('start-after') ?? '') : undefined),
    element('EncodingType', query.get('encoding-type')),
    element('MaxKeys', limit),
    element('KeyCount', page.length),
    element('IsTruncated', isTruncated),
    element('ContinuationToken', token),
    element('NextContinuationToken', next),
    ...page.map((entry) => entryElement(entry, write)),
  ]);
  answerXml(operation, document);
};

function entriesAfter(
  objects: readonly StoredFacts[],
  prefix: string,
  delimiter: string,
  after: string,
): Entry[] {
  const entries: Entry[] = [];
  for (const object of objects) {
    const { key } = object.facts;
    const cut = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
    const name = cut < 0 ? key : key.slice(0, cut + delimiter.length);
    if (compareKeys(name, after) <= 0 || entries.at(-1)?.name === name) continue;
    entries.push(cut < 0 ? { name, object } : { name });
  }
  return entries;
}

function entryElement({ name, object }: Entry, write: (key: string) => string): string {
  if (!object) return element('CommonPrefixes', [element('Prefix', write(name))]);
  const { facts, size } = object;
  return element('Contents', [
    element('Key', write(name)),
    element('LastModified', facts.modifiedAt),
    element('ETag', quoted(facts.etag)),
    element('Size', size),
    element('StorageClass', 'STANDARD'),
  ]);
}

const writeToken = (name: string): string => Buffer.from(name).toString('base64url');

function readToken(token: string): string {
  const name = Buffer.from(token, 'base64url').toString('utf8');
  if (name === '' || writeToken(name) !== token)
    throw new S3Error('InvalidArgument', 'The continuation token is not valid.');
  return name;
}
