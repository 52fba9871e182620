import { isMatroskaTruncated } from './matroska.js';

const HEADER = Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x80]);

/** A file with a segment of so many bytes, whose size is written in `sizeBytes`; `missing` bytes are cut off. */
function fileOf(bytes: number, sizeBytes: number, missing = 0): Buffer {
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(bytes) | (1n << BigInt(7 * sizeBytes)));
  const head = Buffer.concat([HEADER, Buffer.from([0x18, 0x53, 0x80, 0x67]), size.subarray(8 - sizeBytes)]);
  return Buffer.concat([head, Buffer.alloc(bytes - missing)]);
}

const isTruncated = (file: Buffer) =>
  isMatroskaTruncated({
    bytes: file.length,
    read: (start, end) => Promise.resolve(file.subarray(start, end)),
  });

describe('the end of a Matroska file', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('is exact for sizes of %i bytes', async (sizeBytes) => {
    for (let bytes = 40; bytes < 72; bytes += 1) {
      expect(await isTruncated(fileOf(bytes, sizeBytes))).toBe(false);
      expect(await isTruncated(fileOf(bytes, sizeBytes, 1))).toBe(true);
    }
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'is open when all bits of a size of %i bytes are set',
    async (sizeBytes) => {
      const file = fileOf(40, sizeBytes);
      const at = HEADER.length + 4;
      file.fill(0xff, at, at + sizeBytes).writeUInt8(0xff >> (sizeBytes - 1), at);
      expect(await isTruncated(file)).toBe(false);
    },
  );
});
