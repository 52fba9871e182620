import { readHeader } from '../container/iso-boxes.js';
import { isManifestStore } from './mp4.js';

const START = 0xffd8;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP11 = 0xeb;
const START_OF_SCAN = 0xda;
const EXIF = Buffer.from('Exif\0', 'latin1');
const XMP = Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1');
/** Of a part of a JUMBF box (ISO/IEC 19566-5, annex D): 2 bytes, 2 of the number of the box, 4 of the number of the part. */
const JUMBF = Buffer.from('JP', 'latin1');
const JUMBF_HEADER_BYTES = 8;
/** Further parts of a packet that is too large for one segment. */
const MORE_XMP = Buffer.from('http://ns.adobe.com/xmp/extension/\0', 'latin1');

interface Segment {
  readonly marker: number;
  readonly start: number;
  readonly end: number;
  readonly content: Buffer;
}

/** In a segment APP1, after those of JFIF and EXIF, which come first (XMP part 3, section 1.1.3). */
export function withXmpInJpeg(bytes: Buffer, packet: Buffer): Buffer | null {
  const segments = segmentsBeforeTheScan(bytes);
  if (segments === null) return null;
  const kept = segments.filter((segment) => !isXmp(segment));
  const at = kept.findIndex((segment) => segment.marker !== APP0 && !isExif(segment));
  const parts = kept.map(({ start, end }) => bytes.subarray(start, end));
  const size = Buffer.alloc(2);
  size.writeUInt16BE(2 + XMP.length + packet.length);
  parts.splice(at === -1 ? parts.length : at, 0, Buffer.from([0xff, APP1]), size, XMP, packet);
  return Buffer.concat([bytes.subarray(0, 2), ...parts, bytes.subarray(segments.at(-1)?.end ?? 2)]);
}

/** In segments APP11: each begins with the header of the box, of which the first one's is kept. */
export function manifestsInJpeg(bytes: Buffer): Buffer[] | null {
  const segments = segmentsBeforeTheScan(bytes);
  if (segments === null) return null;
  const boxes = new Map<number, Buffer[]>();
  for (const { marker, content } of segments) {
    const header = readHeader(content, JUMBF_HEADER_BYTES);
    if (marker !== APP11 || !startsWith(content, JUMBF) || header === null) continue;
    const number = content.readUInt16BE(JUMBF.length);
    const parts = boxes.get(number) ?? [];
    const skipped = JUMBF_HEADER_BYTES + (parts.length > 0 ? header.headerBytes : 0);
    parts.push(content.subarray(skipped));
    boxes.set(number, parts);
  }
  return [...boxes.values()].map((parts) => Buffer.concat(parts)).filter(isManifestStore);
}

/** @returns null: no JPEG, or damaged before its first scan */
function segmentsBeforeTheScan(bytes: Buffer): Segment[] | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== START) return null;
  const segments: Segment[] = [];
  for (let at = 2; at + 4 <= bytes.length;) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes.readUInt8(at + 1);
    if (marker === START_OF_SCAN) return segments;
    // Any number of 0xff may come before a marker.
    const end = marker === 0xff ? at + 1 : at + 2 + bytes.readUInt16BE(at + 2);
    if (marker !== 0xff) segments.push({ marker, start: at, end, content: bytes.subarray(at + 4, end) });
    at = end;
  }
  return null;
}

const isExif = ({ marker, content }: Segment): boolean => marker === APP1 && startsWith(content, EXIF);

const isXmp = ({ marker, content }: Segment): boolean =>
  marker === APP1 && [XMP, MORE_XMP].some((name) => startsWith(content, name));

const startsWith = (bytes: Buffer, start: Buffer): boolean => bytes.subarray(0, start.length).equals(start);
