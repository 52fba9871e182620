/** Table E-1 of ITU-T H.264 and H.265, from aspect_ratio_idc 1 on. */
const RATIOS = [
  1,
  12 / 11,
  10 / 11,
  16 / 11,
  40 / 33,
  24 / 11,
  20 / 11,
  32 / 11,
  80 / 33,
  18 / 11,
  15 / 11,
  64 / 33,
  160 / 99,
  4 / 3,
  3 / 2,
  2,
];
const STATED_RATIO = 255;

/** Width of a pixel / its height at the beginning of the usability information, if there is any; null: not stated. */
export function pixelAspectRatioIn(bits: NalBits): number | null {
  if (bits.take(1) === 0 || bits.take(1) === 0) return null;
  const number = bits.take(8);
  if (number !== STATED_RATIO) return RATIOS[number - 1] ?? null;
  const [width, height] = [bits.take(16), bits.take(16)];
  return width > 0 && height > 0 ? width / height : null;
}

export interface StatedPicture {
  /** Width of a pixel / its height; null: not stated. */
  readonly pixelAspectRatio: number | null;
  /** Whether pictures can be fields; null: not known. */
  readonly isInterlaced: boolean | null;
}

/** @returns null for parameters that are cut */
export function unlessCut<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Bits of a NAL unit, first the highest. Reads throw a RangeError behind its end. */
export class NalBits {
  private readonly bytes: Buffer;
  private at = 0;

  constructor(unit: Buffer) {
    // After two zeros, a byte 3 is no content (section 7.4.1 of ITU-T H.264, 7.4.2 of H.265).
    this.bytes = Buffer.from(
      unit.filter((byte, at) => byte !== 3 || at < 2 || unit[at - 1] !== 0 || unit[at - 2] !== 0),
    );
  }

  take(count: number): number {
    let value = 0;
    for (let left = count; left > 0; left -= 1, this.at += 1)
      value = value * 2 + ((this.bytes.readUInt8(this.at >> 3) >> (7 - (this.at & 7))) & 1);
    return value;
  }

  /** ue(v) of section 9.1 of ITU-T H.264. */
  number(): number {
    let zeros = 0;
    while (this.take(1) === 0) zeros += 1;
    return 2 ** zeros - 1 + this.take(zeros);
  }

  /** se(v). */
  signedNumber(): number {
    const value = this.number();
    return value % 2 === 1 ? (value + 1) / 2 : -value / 2;
  }
}
