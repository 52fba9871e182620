/** The table of a reflected CRC-32 polynomial. */
const table32 = (polynomial: number): Uint32Array =>
  Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ polynomial : value >>> 1;
    return value >>> 0;
  });

const CASTAGNOLI = table32(0x82f63b78);

/** CRC-32C (RFC 3720). @param crc of what came before, 0 at the start */
export function crc32c(chunk: Buffer, crc: number): number {
  let value = ~crc;
  for (const byte of chunk) value = (value >>> 8) ^ (CASTAGNOLI[(value ^ byte) & 0xff] ?? 0);
  return ~value >>> 0;
}

/** The high and low halves of the table of CRC-64/NVME, reflected polynomial 9a6c9329ac4bc9b5. */
const NVME = Array.from({ length: 256 }, (_, byte) => {
  let [high, low] = [0, byte];
  for (let bit = 0; bit < 8; bit++) {
    const isOdd = low & 1;
    low = (low >>> 1) | (high << 31);
    high >>>= 1;
    if (isOdd) [high, low] = [high ^ 0x9a6c9329, low ^ 0xac4bc9b5];
  }
  return [high >>> 0, low >>> 0] as const;
});
const NVME_HIGH = Uint32Array.from(NVME, ([high]) => high);
const NVME_LOW = Uint32Array.from(NVME, ([, low]) => low);

/** CRC-64/NVME as two halves. @param crc of what came before, [0, 0] at the start */
export function crc64nvme(chunk: Buffer, crc: readonly [high: number, low: number]): [number, number] {
  let [high, low] = [~crc[0], ~crc[1]];
  for (const byte of chunk) {
    const at = (low ^ byte) & 0xff;
    low = ((low >>> 8) | (high << 24)) ^ (NVME_LOW[at] ?? 0);
    high = (high >>> 8) ^ (NVME_HIGH[at] ?? 0);
  }
  return [~high >>> 0, ~low >>> 0];
}
