const LINEAR = new Set([1, 3]);
const G711 = new Set([6, 7]);
/** ADPCM, GSM and MP3, which have at least 8 kbit/s. */
const COMPRESSED = new Set([0x02, 0x11, 0x31, 0x55]);
const EXTENSIBLE = 0xfffe;
const LOWEST_RATE = 8_000;
const LEAST_COMPRESSED_BYTES = 750;

/** By the rate and the width of its samples. 0: not readable. */
export function wavSeconds(bytes: Buffer): number {
  const format = formatAt(bytes);
  if (format === null || format + 16 > bytes.length) return 0;
  const stated = bytes.readUInt16LE(format);
  const code =
    stated === EXTENSIBLE && format + 26 <= bytes.length ? bytes.readUInt16LE(format + 24) : stated;
  const rate = bytes.readUInt32LE(format + 4);
  if (COMPRESSED.has(code)) return rate < LOWEST_RATE ? 0 : bytes.length / LEAST_COMPRESSED_BYTES;
  if (!LINEAR.has(code) && !G711.has(code)) return 0;
  const channels = bytes.readUInt16LE(format + 2);
  const width = G711.has(code) ? 1 : Math.ceil(bytes.readUInt16LE(format + 14) / 8);
  const bytesPerSecond = rate * channels * width;
  return bytesPerSecond && bytes.length / bytesPerSecond;
}

/** The content of the chunk `fmt `; null: none. */
function formatAt(bytes: Buffer): number | null {
  for (let at = 12; at + 8 <= bytes.length;) {
    if (bytes.toString('latin1', at, at + 4) === 'fmt ') return at + 8;
    const size = bytes.readUInt32LE(at + 4);
    at += 8 + size + (size % 2);
  }
  return null;
}
