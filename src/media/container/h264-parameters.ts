import { NalBits, pixelAspectRatioIn, type StatedPicture, unlessCut } from './nal-bits.js';

/** Profiles that state their chroma format. */
const WITH_CHROMA = [100, 110, 122, 244, 44, 83, 86, 118, 128];
const CHROMA_444 = 3;

/**
 * What the first sequence parameter set says (ITU-T H.264, sections 7.3.2.1.1 and E.1.1).
 * @param record AVCDecoderConfigurationRecord (ISO/IEC 14496-15, section 5.3.3.1)
 */
export function h264Picture(record: Buffer): StatedPicture {
  const hasSet = record.length >= 8 && (record.readUInt8(5) & 0x1f) > 0;
  const stated =
    hasSet && unlessCut(() => parametersIn(new NalBits(record.subarray(8, 8 + record.readUInt16BE(6)))));
  return stated || { pixelAspectRatio: null, isInterlaced: null };
}

function parametersIn(bits: NalBits): StatedPicture {
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
  const isInterlaced = bits.take(1) === 0;
  if (isInterlaced) bits.take(1);
  bits.take(1); // direct_8x8_inference_flag
  if (bits.take(1)) for (let side = 0; side < 4; side += 1) bits.number();
  return { isInterlaced, pixelAspectRatio: pixelAspectRatioIn(bits) };
}

function skipChroma(bits: NalBits): void {
  const chroma = bits.number();
  if (chroma === CHROMA_444) bits.take(1);
  bits.number(); // depth of luma
  bits.number(); // depth of chroma
  bits.take(1);
  if (bits.take(1) === 0) return;
  for (let list = 0; list < (chroma === CHROMA_444 ? 12 : 8); list += 1)
    if (bits.take(1)) skipScalingList(bits, list < 6 ? 16 : 64);
}

function skipScalingList(bits: NalBits, size: number): void {
  let [last, next] = [8, 8];
  for (let at = 0; at < size && next !== 0; at += 1) {
    next = (last + bits.signedNumber()) & 255;
    if (next !== 0) last = next;
  }
}

/** Of the order of pictures. */
function skipOrder(bits: NalBits): void {
  const type = bits.number();
  if (type === 0) bits.number();
  if (type !== 1) return;
  bits.take(1);
  bits.number();
  bits.number();
  for (let left = bits.number(); left > 0; left -= 1) bits.number();
}
