import { LONGEST_PACKET_SECONDS, PACKET_SECONDS, vorbisPacketSeconds } from './codecs.js';

const ID = { codec: 0x86, codecPrivate: 0x63a2, block: 0xa1, simpleBlock: 0xa3 };
/** Segment, Tracks, TrackEntry, Cluster and BlockGroup: their elements are read as if they had no parent. */
const PARENTS = new Set([0x18538067, 0x1654ae6b, 0xae, 0x1f43b675, 0xa0]);
const CLUSTER = Buffer.from([0x1f, 0x43, 0xb6, 0x75]);
const LACING = 6;
/** Damaged places, behind which reading goes on with the next cluster, as decoders do. */
const MOST_GAPS = 100;

interface Element {
  readonly id: number;
  readonly content: number;
  readonly end: number;
}

/**
 * The number of packets with the longest that the codec has (RFC 9559), of WebM too. Durations and times that the file states are not
 * used: they can be absent or wrong. 0: it has no packets of sound, or too many damaged places.
 */
export function matroskaSeconds(bytes: Buffer): number {
  let packets = 0;
  let longest = 0;
  let gaps = 0;
  let next: number;
  for (let at = 0; at >= 0 && at < bytes.length; at = next) {
    const element = elementAt(bytes, at);
    if (!element) {
      if (++gaps > MOST_GAPS) return 0;
      next = bytes.indexOf(CLUSTER, at + 1);
      continue;
    }
    next = PARENTS.has(element.id) ? element.content : element.end;
    if (element.id === ID.block || element.id === ID.simpleBlock) packets += packetsOf(bytes, element);
    if (element.id === ID.codec) longest = Math.max(longest, packetSeconds(bytes, element));
    if (element.id === ID.codecPrivate) longest = Math.max(longest, vorbisSeconds(bytes, element));
  }
  return packets * longest;
}

/** The bytes of a number of variable length, by the zeros at the beginning of its first byte (RFC 8794, 4). */
const lengthAt = (bytes: Buffer, at: number): number => Math.clz32(bytes[at] ?? 0) - 23;

/** null: no element, or one that ends behind the file. A parent may be of unknown length, so its end does not matter. */
function elementAt(bytes: Buffer, at: number): Element | null {
  const idLength = lengthAt(bytes, at);
  const sizeAt = at + idLength;
  const first = bytes[sizeAt] ?? 0;
  const sizeLength = lengthAt(bytes, sizeAt);
  const content = sizeAt + sizeLength;
  if (idLength > 4 || sizeLength > 8 || content > bytes.length) return null;
  const id = bytes.readUIntBE(at, idLength);
  let size = first & ((1 << (8 - sizeLength)) - 1);
  for (let byte = sizeAt + 1; byte < content; byte++) size = size * 256 + (bytes[byte] ?? 0);
  const end = content + size;
  return end <= bytes.length || PARENTS.has(id) ? { id, content, end } : null;
}

/** A block has the number of its track, two bytes of time and its flags; with lacing then the number of packets less one. */
function packetsOf(bytes: Buffer, { content }: Element): number {
  const flags = content + lengthAt(bytes, content) + 2;
  return (bytes[flags] ?? 0) & LACING ? (bytes[flags + 1] ?? 0) + 1 : 1;
}

function packetSeconds(bytes: Buffer, { content, end }: Element): number {
  const codec = bytes.toString('latin1', content, Math.min(end, content + 16));
  if (/^[VS]_/.test(codec) || codec.startsWith('A_VORBIS')) return 0;
  if (codec.startsWith('A_OPUS')) return PACKET_SECONDS.opus;
  return /^A_(AAC|MPEG\/L3)/.test(codec) ? PACKET_SECONDS.aac : LONGEST_PACKET_SECONDS;
}

/** Vorbis has its headers here. */
function vorbisSeconds(bytes: Buffer, { content, end }: Element): number {
  const at = bytes.subarray(content, end).indexOf('\x01vorbis');
  return at < 0 ? 0 : vorbisPacketSeconds(bytes, content + at);
}
