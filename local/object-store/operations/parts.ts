import { createHash } from 'node:crypto';
import { type Checksum, hasherFor } from '../body/checksums.js';
import { type NewObjectFile, type ObjectFacts, openObjectFile } from '../store/object-file.js';
import type { StoredPart, Upload } from '../store/upload-store.js';
import { S3Error } from '../wire/s3-error.js';
import { childText, type XmlElement } from '../wire/xml.js';
import { checksumElementName, unquoted } from './object-headers.js';
import { MAX_PARTS } from './uploads.js';

/** Every part but the last one, as at AWS: 5 MiB. */
const MIN_PART_BYTES = 5 * 1_024 ** 2;

interface ListedPart {
  readonly number: number;
  readonly etag: string;
  readonly element: XmlElement;
}

/** The parts that a CompleteMultipartUpload names. */
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

/** The facts of the assembled object. Its ETag is the MD5 of the parts' MD5s, followed by their number. */
export function factsOfUpload(
  { key, headers, id: uploadId }: Upload,
  parts: readonly StoredPart[],
  modifiedAt: string,
): Omit<ObjectFacts, 'checksum'> {
  const md5s = Buffer.concat(parts.map(({ facts }) => Buffer.from(facts.etag, 'hex')));
  const etag = `${createHash('md5').update(md5s).digest('hex')}-${parts.length}`;
  return { key, etag, modifiedAt, headers, uploadId };
}

/** Copies the bytes of the parts into the object. @returns the checksum of their checksums, null when the upload asked for none */
export async function assemble(
  { checksumAlgorithm }: Upload,
  parts: readonly StoredPart[],
  object: NewObjectFile,
): Promise<Checksum | null> {
  for (const { path } of parts) await copyBytes(path, object);
  if (checksumAlgorithm === null) return null;
  const hasher = hasherFor(checksumAlgorithm);
  for (const { facts } of parts) hasher.update(Buffer.from(facts.checksum?.value ?? '', 'base64'));
  return { algorithm: checksumAlgorithm, value: `${hasher.digest().toString('base64')}-${parts.length}` };
}

async function copyBytes(path: string, object: NewObjectFile): Promise<void> {
  const part = await openObjectFile(path);
  if (!part) throw new Error(`${path} disappeared while its upload was completed.`);
  try {
    if (part.size === 0) return;
    const bytes = part.file.createReadStream({ start: 0, end: part.size - 1, autoClose: false });
    for await (const piece of bytes) await object.write(piece as Buffer);
  } finally {
    await part.file.close();
  }
}
