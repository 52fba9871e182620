import { isManifestStore } from './mp4.js';

/** Flags of VP8X (https://developers.google.com/speed/webp/docs/riff_container, "Extended File Format"). */
const HAS_XMP = 0x04;
const HAS_ALPHA = 0x10;
const FEATURES_BYTES = 10;

interface Chunk {
  readonly type: string;
  /** Without the byte that makes its length even. */
  readonly content: Buffer;
}

/** In a chunk `C2PA`. */
export function manifestsInWebp(bytes: Buffer): Buffer[] | null {
  const chunks = isWebp(bytes) ? chunksOf(bytes) : null;
  if (chunks === null) return null;
  return chunks
    .filter(({ type }) => type === 'C2PA')
    .map(({ content }) => content)
    .filter(isManifestStore);
}

/** In a chunk `XMP ` at the end. A file in the simple format gets the header of the extended one. */
export function withXmpInWebp(bytes: Buffer, packet: Buffer): Buffer | null {
  if (!isWebp(bytes)) return null;
  const chunks = chunksOf(bytes)?.filter(({ type }) => type !== 'XMP ');
  const [first, ...others] = chunks ?? [];
  const features = first && featuresOf(first);
  if (!features) return null;
  const pictures = first.type === 'VP8X' ? others : [first, ...others];
  const content = Buffer.concat(
    [{ type: 'VP8X', content: features }, ...pictures, { type: 'XMP ', content: packet }].map(serialize),
  );
  return serialize({ type: 'RIFF', content: Buffer.concat([Buffer.from('WEBP', 'latin1'), content]) });
}

const isWebp = (bytes: Buffer): boolean =>
  bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';

/** @returns null when the last one is not there in whole */
function chunksOf(bytes: Buffer): Chunk[] | null {
  const end = Math.min(bytes.length, 8 + bytes.readUInt32LE(4));
  const chunks: Chunk[] = [];
  for (let at = 12; at + 8 <= end;) {
    const content = bytes.subarray(at + 8, at + 8 + bytes.readUInt32LE(at + 4));
    if (content.length < bytes.readUInt32LE(at + 4)) return null;
    chunks.push({ type: bytes.toString('latin1', at, at + 4), content });
    at += 8 + content.length + (content.length % 2);
  }
  return chunks;
}

function serialize({ type, content }: Chunk): Buffer {
  const header = Buffer.alloc(8);
  header.write(type, 'latin1');
  header.writeUInt32LE(content.length, 4);
  return Buffer.concat([header, content, Buffer.alloc(content.length % 2)]);
}

/** The content of VP8X: flags, three bytes, and both sides less one in three bytes each. */
function featuresOf({ type, content }: Chunk): Buffer | null {
  if (type === 'VP8X') return content.length === FEATURES_BYTES ? withFlag(content) : null;
  const picture = type === 'VP8 ' ? lossyPicture(content) : type === 'VP8L' ? losslessPicture(content) : null;
  if (picture === null) return null;
  const features = Buffer.alloc(FEATURES_BYTES);
  features.writeUInt8(HAS_XMP | (picture.hasAlpha ? HAS_ALPHA : 0));
  features.writeUIntLE(picture.width - 1, 4, 3);
  features.writeUIntLE(picture.height - 1, 7, 3);
  return features;
}

function withFlag(features: Buffer): Buffer {
  const changed = Buffer.from(features);
  changed.writeUInt8(changed.readUInt8() | HAS_XMP);
  return changed;
}

/** RFC 6386, section 9.1: a frame tag of 3 bytes, a start code of 3 bytes, then 14 bits for each side. */
function lossyPicture(content: Buffer) {
  if (content.length < 10 || content.readUIntBE(3, 3) !== 0x9d012a) return null;
  const [width, height] = [content.readUInt16LE(6) & 0x3fff, content.readUInt16LE(8) & 0x3fff];
  return width > 0 && height > 0 ? { width, height, hasAlpha: false } : null;
}

/** https://developers.google.com/speed/webp/docs/webp_lossless_bitstream_specification, section 3: 14 bits for each side less one, then one for alpha. */
function losslessPicture(content: Buffer) {
  if (content.length < 5 || content[0] !== 0x2f) return null;
  const bits = content.readUInt32LE(1);
  return {
    width: (bits & 0x3fff) + 1,
    height: ((bits >>> 14) & 0x3fff) + 1,
    hasAlpha: ((bits >>> 28) & 1) === 1,
  };
}
