/** Used where the header of the file has no rate. */
const LOWEST_RATE = 8_000;
const RATES = [0, 88_200, 176_400, 192_000, 8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000];
const MOST_HEADER_BYTES = 16;

/**
 * The seconds of all frames of FLAC (RFC 9639, 9.1), also within another container. The number of samples that the header of the file
 * states is not used: it can be absent or wrong.
 */
export function flacSeconds(bytes: Buffer): number {
  const rate = rateOf(bytes);
  let seconds = 0;
  for (let at = bytes.indexOf(0xff); at >= 0 && at + 6 <= bytes.length; at++) {
    if (bytes[at] !== 0xff) continue;
    const second = bytes[at + 1];
    if (second === 0xf8 || second === 0xf9) seconds += frameSeconds(bytes, at, rate);
  }
  return seconds;
}

/** By STREAMINFO, which is the first block of a native file. */
function rateOf(bytes: Buffer): number {
  if (bytes.toString('latin1', 0, 4) !== 'fLaC' || bytes.length < 22) return LOWEST_RATE;
  return bytes.readUIntBE(18, 3) >> 4 || LOWEST_RATE;
}

/** 0 where no frame starts. */
function frameSeconds(bytes: Buffer, at: number, rateOfFile: number): number {
  const sizes = bytes[at + 2] ?? 0;
  const format = bytes[at + 3] ?? 0;
  const [blockCode, rateCode] = [sizes >> 4, sizes & 15];
  if (blockCode === 0 || rateCode === 15 || format >> 4 > 10 || (format & 1) === 1) return 0;
  const blockAt = at + 4 + numberBytes(bytes[at + 4] ?? 0);
  const rateAt = blockAt + (blockCode === 6 ? 1 : blockCode === 7 ? 2 : 0);
  const end = rateAt + (rateCode === 12 ? 1 : rateCode > 12 ? 2 : 0);
  if (end >= bytes.length || end - at >= MOST_HEADER_BYTES || checksum(bytes, at, end) !== bytes[end])
    return 0;
  return blockSize(bytes, blockCode, blockAt) / (frameRate(bytes, rateCode, rateAt) || rateOfFile);
}

/** The number of a frame is written as UTF-8 writes a character, in up to seven bytes. */
const numberBytes = (first: number): number => (first < 0x80 ? 1 : Math.clz32(~first << 24));

function blockSize(bytes: Buffer, code: number, at: number): number {
  if (code === 6) return bytes.readUInt8(at) + 1;
  if (code === 7) return bytes.readUInt16BE(at) + 1;
  return code === 1 ? 192 : code < 6 ? 576 << (code - 2) : 256 << (code - 8);
}

function frameRate(bytes: Buffer, code: number, at: number): number {
  if (code === 12) return bytes.readUInt8(at) * 1_000;
  if (code > 12) return bytes.readUInt16BE(at) * (code === 14 ? 10 : 1);
  return RATES[code] ?? 0;
}

/** CRC-8 with the polynomial x⁸ + x² + x + 1. */
function checksum(bytes: Buffer, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at++) {
    sum ^= bytes[at] ?? 0;
    for (let bit = 0; bit < 8; bit++) sum = (sum & 0x80 ? (sum << 1) ^ 0x07 : sum << 1) & 0xff;
  }
  return sum;
}
