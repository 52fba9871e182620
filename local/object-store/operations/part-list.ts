import { S3Error } from '../wire/s3-error.js';
import type { StoredPart } from '../store/upload-store.js';
import { childText, type XmlElement } from '../wire/xml.js';
import { checksumElementName } from './checksum-headers.js';
import { unquoted } from './object-headers.js';
import { MAX_PARTS } from './upload-part.js';

/** Every part but the last one, as at AWS: 5 MiB. */
const MIN_PART_BYTES = 5 * 1_024 ** 2;

export interface ListedPart {
  readonly number: number;
  readonly etag: string;
  readonly element: XmlElement;
}

/** The parts that a CompleteMultipartUpload names. @throws S3Error MalformedXML, InvalidPartOrder */
export function readPartList(document: XmlElement): ListedPart[] {
  const { name, children } = document;
  const isList = name === 'CompleteMultipartUpload' && children.every((child) => child.name === 'Part');
  if (!isList || children.length === 0 || children.length > MAX_PARTS) throw new S3Error('MalformedXML');
  const listed = children.map((element) => {
    const number = childText(element, 'PartNumber') ?? '';
    const etag = unquoted(childText(element, 'ETag') ?? '');
    if (!/^[1-9]\d{0,4}$/.test(number) || etag === '') throw new S3Error('MalformedXML');
    return { number: Number(number), etag, element };
  });
  if (listed.some(({ number }, at) => number <= (listed[at - 1]?.number ?? 0)))
    throw new S3Error('InvalidPartOrder');
  return listed;
}

/** @throws S3Error InvalidPart, EntityTooSmall */
export function chooseParts(listed: readonly ListedPart[], stored: readonly StoredPart[]): StoredPart[] {
  const byNumber = new Map(stored.map((part) => [part.number, part]));
  const chosen = listed.map(({ number, etag, element }) => {
    const part = byNumber.get(number);
    if (!part || part.facts.etag !== etag) throw new S3Error('InvalidPart');
    const { checksum } = part.facts;
    const said = checksum && childText(element, checksumElementName(checksum.algorithm));
    if (checksum && said && said !== checksum.value) throw new S3Error('InvalidPart');
    return part;
  });
  if (chosen.slice(0, -1).some(({ size }) => size < MIN_PART_BYTES)) throw new S3Error('EntityTooSmall');
  return chosen;
}
