/** The longest block of FLAC at the lowest usual rate. Codecs that are not known have none longer. */
export const LONGEST_PACKET_SECONDS = 65_535 / 8_000;

/** The longest packets in seconds, at 8 kHz where the codec has a rate. AAC includes MP3, which has 1 152 samples instead of 1 024. */
export const PACKET_SECONDS = { opus: 0.12, aac: 1_152 / 8_000, alac: 4_096 / 8_000 };

const FRAMES_OF_SILK = [0.01, 0.02, 0.04, 0.06];
const FRAMES_OF_HYBRID = [0.01, 0.02];
const FRAMES_OF_CELT = [0.0025, 0.005, 0.01, 0.02];

/** What the first two bytes of an Opus packet say (RFC 6716, 3.1 and 3.2). */
export function opusSeconds(bytes: Buffer, at: number): number {
  const toc = bytes[at] ?? 0;
  const config = toc >> 3;
  const frames = config < 12 ? FRAMES_OF_SILK : config < 16 ? FRAMES_OF_HYBRID : FRAMES_OF_CELT;
  const frame = frames[config % frames.length] ?? PACKET_SECONDS.opus;
  const count = [1, 2, 2][toc & 3] ?? (bytes[at + 1] ?? 0) & 63;
  return Math.min(frame * count, PACKET_SECONDS.opus);
}

const VORBIS_HEADER_BYTES = 30;

/** The longest packet by the identification header of Vorbis, which starts at the offset: half of its long block. */
export function vorbisPacketSeconds(bytes: Buffer, at: number): number {
  if (at + VORBIS_HEADER_BYTES > bytes.length) return LONGEST_PACKET_SECONDS;
  const rate = bytes.readUInt32LE(at + 12);
  const longBlock = 1 << (bytes.readUInt8(at + 28) >> 4);
  return rate > 0 ? longBlock / 2 / rate : LONGEST_PACKET_SECONDS;
}
