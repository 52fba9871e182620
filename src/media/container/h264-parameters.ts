/** What a sequence parameter set of H.264 (ITU-T H.264, sections 7.3.2.1.1 and E.1.1) says of the shown picture. */
export interface H264Parameters {
  /** Width of a pixel / its height; null: not stated. */
  readonly pixelAspectRatio: number | null;
  /** Pictures can be fields. */
  readonly hasFields: boolean;
}

/** Profiles that state their chroma format. */
const WITH_CHROMA = [100, 110, 122, 244, 44, 83, 86, 118, 128];
const CHROMA_444 = 3;
/** Table E-1, from aspect_ratio_idc 1 on. */
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

/** @param description AVCDecoderConfigurationRecord (ISO/IEC 14496-15, section 5.3.3.1) @returns null when it has no set that can be read */
export function readH264Parameters(description: Uint8Array): H264Parameters | null {
  const bytes = Buffer.from(description.buffer, description.byteOffset, description.byteLength);
  if (bytes.length < 8 || ((bytes[5] ?? 0) & 0x1f) === 0) return null;
  try {
    return parametersIn(new Bits(bytes.subarray(8, 8 + bytes.readUInt16BE(6))));
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function parametersIn(bits: Bits): H264Parameters {
  bits.take(8); // NAL unit header
  const profile = bits.take(8);
  bits.take(16); // constraints and level
  bits.number();
  if (WITH_CHROMA.includes(profile)) skipChroma(bits);
  bits.number(); // log2_max_frame_num_minus4
  skipOrder(bits);
  bits.number(); // max_num_ref_frames
  bits.take(1);
  bits.number(); // width
  bits.number(); // height
  const hasFields = bits.take(1) === 0;
  if (hasFields) bits.take(1);
  bits.take(1); // direct_8x8_inference_flag
  if (bits.take(1)) for (let side = 0; side < 4; side += 1) bits.number();
  const isStated = bits.take(1) === 1 && bits.take(1) === 1;
  return { hasFields, pixelAspectRatio: isStated ? ratioIn(bits) : null };
}

function ratioIn(bits: Bits): number | null {
  const number = bits.take(8);
  if (number !== STATED_RATIO) return RATIOS[number - 1] ?? null;
  const [width, height] = [bits.take(16), bits.take(16)];
  return width > 0 && height > 0 ? width / height : null;
}

function skipChroma(bits: Bits): void {
  const chroma = bits.number();
  if (chroma === CHROMA_444) bits.take(1);
  bits.number(); // depth of luma
  bits.number(); // depth of chroma
  bits.take(1);
  if (bits.take(1) === 0) return;
  for (let list = 0; list < (chroma === CHROMA_444 ? 12 : 8); list += 1)
    if (bits.take(1)) skipScalingList(bits, list < 6 ? 16 : 64);
}

function skipScalingList(bits: Bits, size: number): void {
  let [last, next] = [8, 8];
  for (let at = 0; at < size && next !== 0; at += 1) {
    next = (last + bits.signedNumber()) & 255;
    if (next !== 0) last = next;
  }
}

/** Of the order of pictures. */
function skipOrder(bits: Bits): void {
  const type = bits.number();
  if (type === 0) bits.number();
  if (type !== 1) return;
  bits.take(1);
  bits.number();
  bits.number();
  for (let left = bits.number(); left > 0; left -= 1) bits.number();
}

/** Bits of a NAL unit, first the highest. Reads throw a RangeError behind its end. */
class Bits {
  private readonly bytes: Buffer;
  private at = 0;

  constructor(unit: Buffer) {
    // After two zeros, a byte 3 is no content (section 7.4.1).
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

  /** ue(v) of section 9.1. */
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
