import { crc32 } from 'node:zlib';
import { isManifestStore } from './mp4.js';

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Length and type before the content, checksum after it. */
const AROUND = 12;
const KEYWORD = Buffer.from('XML:com.adobe.xmp\0', 'latin1');
/** Some programs write XMP into other chunks of text: libvips compressed, ImageMagick under a keyword of its own. */
const TEXTS = ['iTXt', 'zTXt', 'tEXt'];
const KEYWORDS = [KEYWORD, Buffer.from('Raw profile type xmp\0', 'latin1')];

/** In a chunk `iTXt` after the header, not compressed (XMP part 3, section 1.1.5). */
export function withXmpInPng(bytes: Buffer, packet: Buffer): Buffer | null {
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return null;
  const [header, ...others] = chunksOf(bytes);
  if (header?.toString('latin1', 4, 8) !== 'IHDR' || others.at(-1)?.toString('latin1', 4, 8) !== 'IEND')
    return null;
  return Buffer.concat([SIGNATURE, header, xmpChunk(packet), ...others.filter((chunk) => !isXmp(chunk))]);
}

/** In a chunk `caBX`. */
export function manifestsInPng(bytes: Buffer): Buffer[] | null {
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return null;
  return chunksOf(bytes)
    .filter((chunk) => chunk.toString('latin1', 4, 8) === 'caBX')
    .map((chunk) => chunk.subarray(8, -4))
    .filter(isManifestStore);
}

/** Whole chunks up to the end of the picture; what follows is left out. */
function chunksOf(bytes: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = SIGNATURE.length; at + AROUND <= bytes.length;) {
    const end = at + AROUND + bytes.readUInt32BE(at);
    if (end > bytes.length) break;
    chunks.push(bytes.subarray(at, end));
    if (bytes.toString('latin1', at + 4, at + 8) === 'IEND') break;
    at = end;
  }
  return chunks;
}

const isXmp = (chunk: Buffer): boolean =>
  TEXTS.includes(chunk.toString('latin1', 4, 8)) &&
  KEYWORDS.some((keyword) => chunk.subarray(8, 8 + keyword.length).equals(keyword));

/** After the keyword: not compressed, and neither a language nor a translated keyword. */
function xmpChunk(packet: Buffer): Buffer {
  const checked = Buffer.concat([Buffer.from('iTXt', 'latin1'), KEYWORD, Buffer.alloc(4), packet]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(checked.length - 4);
  checksum.writeUInt32BE(crc32(checked));
  return Buffer.concat([length, checked, checksum]);
}
