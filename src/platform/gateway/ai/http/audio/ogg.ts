import { LONGEST_PACKET_SECONDS, opusSeconds, vorbisPacketSeconds } from './codecs.js';

type PacketSeconds = (bytes: Buffer, at: number) => number;

const PAGE_HEADER_BYTES = 27;
const CONTINUED = 1;
const FIRST_PAGE = 2;

/**
 * The seconds of all packets (RFC 3533, 6). The positions that pages state are not used: they can be wrong. A page within the bytes of
 * another counts too, because a decoder finds it if the checksum of the outer page is wrong. 0: more packets than such a file can have.
 */
export function oggSeconds(bytes: Buffer): number {
  const streams = new Map<number, PacketSeconds>();
  let seconds = 0;
  let segments = 0;
  for (let page = bytes.indexOf('OggS'); page >= 0; page = bytes.indexOf('OggS', page + 4)) {
    if (page + PAGE_HEADER_BYTES > bytes.length) break;
    const stream = bytes.readUInt32LE(page + 14);
    const count = bytes.readUInt8(page + 26);
    segments += count;
    if (segments > bytes.length) return 0;
    const flags = bytes.readUInt8(page + 5);
    if (flags & FIRST_PAGE) streams.set(stream, packetSeconds(bytes, page + PAGE_HEADER_BYTES + count));
    seconds += secondsOfPage(bytes, page, streams.get(stream) ?? longest);
  }
  return seconds;
}

/** Of the packets that start on the page. A segment shorter than 255 bytes ends a packet. */
function secondsOfPage(bytes: Buffer, page: number, secondsOf: PacketSeconds): number {
  const table = page + PAGE_HEADER_BYTES;
  const count = bytes.readUInt8(page + 26);
  let starts = (bytes.readUInt8(page + 5) & CONTINUED) === 0;
  let at = table + count;
  let seconds = 0;
  for (let segment = 0; segment < count; segment++) {
    if (starts) seconds += secondsOf(bytes, at);
    const length = bytes[table + segment] ?? 0;
    at += length;
    starts = length < 255;
  }
  return seconds;
}

const longest: PacketSeconds = () => LONGEST_PACKET_SECONDS;

/** By the first packet of a stream. */
function packetSeconds(bytes: Buffer, at: number): PacketSeconds {
  const head = bytes.toString('latin1', at, at + 8);
  if (head === 'OpusHead') return opusSeconds;
  if (!head.startsWith('\x01vorbis')) return longest;
  const seconds = vorbisPacketSeconds(bytes, at);
  return () => seconds;
}
