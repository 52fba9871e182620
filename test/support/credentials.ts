import { pngChunk } from './hostile-files/pictures.js';

const BASE = 'http://cv.iptc.org/newscodes/digitalsourcetype/';
const TYPE_OF_STORE = '6332706100110010800000aa00389b71';
const TYPE_OF_ASSERTION = '63326173' + TYPE_OF_STORE.slice(8);
const TYPE_OF_CBOR = '63626f72' + TYPE_OF_STORE.slice(8);

function box(type: string, ...content: readonly Buffer[]): Buffer {
  const all = Buffer.concat([Buffer.alloc(8), ...content]);
  all.writeUInt32BE(all.length);
  all.write(type, 4, 'latin1');
  return all;
}

const described = (uuid: string, label: string): Buffer =>
  box('jumd', Buffer.from(`${uuid}03`, 'hex'), Buffer.from(`${label}\0`));

/** RFC 8949: a text of up to 255 bytes. */
const cborText = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0x78, Buffer.byteLength(text)]), Buffer.from(text)]);

/** A C2PA manifest store with one assertion: an action of this IPTC digital source type. Without a claim and a signature. */
export function manifestStore(term: string, { uuid = TYPE_OF_STORE, padding = 0 } = {}): Buffer {
  const action = Buffer.concat([
    ...[Buffer.from([0xa2]), cborText('action'), cborText('c2pa.created')],
    ...[cborText('digitalSourceType'), cborText(BASE + term), cborText('softwareAgent')],
  ]);
  const actions = box('jumb', described(TYPE_OF_CBOR, 'c2pa.actions'), box('cbor', action));
  const assertions = box('jumb', described(TYPE_OF_ASSERTION, 'c2pa.assertions'), actions);
  return box('jumb', described(uuid, 'c2pa'), box('free', Buffer.alloc(padding)), assertions);
}

/** In chunk `caBX` before the pixels. */
export const signedPng = (png: Buffer, store: Buffer): Buffer =>
  Buffer.concat([png.subarray(0, 33), pngChunk('caBX', store), png.subarray(33)]);

/** In segments APP11 of `partBytes` each, at the begin. */
export function signedJpeg(jpeg: Buffer, store: Buffer, partBytes = 60): Buffer {
  const segments: Buffer[] = [];
  for (let at = 8; at < store.length; at += partBytes) {
    const header = Buffer.alloc(12);
    header.writeUInt16BE(0xffeb);
    header.write('JP', 4, 'latin1');
    header.writeUInt16BE(0x211, 6);
    header.writeUInt32BE(segments.length + 1, 8);
    const segment = Buffer.concat([header, store.subarray(0, 8), store.subarray(at, at + partBytes)]);
    segment.writeUInt16BE(segment.length - 2, 2);
    segments.push(segment);
  }
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
}

/** In chunk `C2PA` at the end. */
export function signedWebp(webp: Buffer, store: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.write('C2PA', 'latin1');
  header.writeUInt32LE(store.length, 4);
  const signed = Buffer.concat([webp, header, store, Buffer.alloc(store.length % 2)]);
  signed.writeUInt32LE(signed.length - 8, 4);
  return signed;
}

const PURPOSE = Buffer.concat([Buffer.alloc(4), Buffer.from('manifest\0'), Buffer.alloc(8)]);

/** The box of ISO files. */
export const manifestBox = (store: Buffer): Buffer =>
  box('uuid', Buffer.from('d8fec3d61b0e483c92975828877ec481', 'hex'), PURPOSE, store);

/** In a box at the end, so that no offset of the index changes. */
export const signedIso = (file: Buffer, store: Buffer): Buffer => Buffer.concat([file, manifestBox(store)]);
