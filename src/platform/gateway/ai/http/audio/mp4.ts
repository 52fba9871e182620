import { LONGEST_PACKET_SECONDS, PACKET_SECONDS } from './codecs.js';

const CONTAINERS = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'moof', 'traf']);
const PICTURES_AND_TEXT = /^(avc|hev|hvc|vp0|av01|mp4v|tx3g|text|wvtt|tmcd)/;
const CODECS = new Map([
  ['mp4a', PACKET_SECONDS.aac],
  ['Opus', PACKET_SECONDS.opus],
  ['alac', PACKET_SECONDS.alac],
]);

/**
 * The number of packets, whole or in fragments, with the longest that the codec has (ISO/IEC 14496-12). The durations that the file
 * states are not used: they can be absent or wrong. 0: it has no packets of sound.
 */
export function mp4Seconds(bytes: Buffer): number {
  let packets = 0;
  let longest = 0;
  let next: number;
  for (let at = 0; at + 16 <= bytes.length; at = next) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    const box = sizeOf(bytes, at);
    next = at + (CONTAINERS.has(type) ? box.header : box.size);
    const content = at + box.header;
    if (content + 16 > bytes.length) continue;
    if (type === 'stsz' || type === 'stz2') packets += bytes.readUInt32BE(content + 8);
    if (type === 'trun') packets += bytes.readUInt32BE(content + 4);
    if (type === 'stsd') longest = Math.max(longest, packetSeconds(bytes, content + 12));
  }
  return packets * longest;
}

function sizeOf(bytes: Buffer, at: number): { header: number; size: number } {
  const size = bytes.readUInt32BE(at);
  if (size === 1) return { header: 16, size: Math.max(16, Number(bytes.readBigUInt64BE(at + 8))) };
  return { header: 8, size: size === 0 ? bytes.length : Math.max(8, size) };
}

function packetSeconds(bytes: Buffer, at: number): number {
  const codec = bytes.toString('latin1', at, at + 4);
  return PICTURES_AND_TEXT.test(codec) ? 0 : (CODECS.get(codec) ?? LONGEST_PACKET_SECONDS);
}
