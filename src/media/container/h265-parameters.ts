import { NalBits, pixelAspectRatioIn, type StatedPicture, unlessCut } from './nal-bits.js';

/** Of the decoder configuration record (ISO/IEC 14496-15, section 8.3.3.1), before its arrays of NAL units. */
const RECORD_HEAD_BYTES = 23;
const SEQUENCE_PARAMETERS = 33;
const CHROMA_444 = 3;

/** @param record HEVCDecoderConfigurationRecord (ISO/IEC 14496-15, section 8.3.3.1) */
export const h265Picture = (record: Buffer): StatedPicture => ({
  pixelAspectRatio: h265PixelAspectRatio(record),
  isInterlaced: isInterlaced(record),
});

/** Width of a pixel / its height by the first sequence parameter set (ITU-T H.265, sections 7.3.2.2.1 and E.2.1); null: not stated. */
export const h265PixelAspectRatio = (record: Buffer): number | null =>
  unlessCut(() => ratioIn(new NalBits(sequenceParameters(record))));

/** The first flags of constraints. Both or none: not known. */
function isInterlaced(record: Buffer): boolean | null {
  const flags = (record[6] ?? 0) >> 6;
  return flags === 0b10 ? false : flags === 0b01 ? true : null;
}

/** An array is its type, the number of its units, and each unit after its length. @throws RangeError when there is none */
function sequenceParameters(record: Buffer): Buffer {
  for (let at = RECORD_HEAD_BYTES; ;) {
    const type = record.readUInt8(at) & 0x3f;
    let units = record.readUInt16BE(at + 1);
    for (at += 3; units > 0; units -= 1) {
      const start = at + 2;
      at = start + record.readUInt16BE(at);
      if (type === SEQUENCE_PARAMETERS) return record.subarray(start, at);
    }
  }
}

function ratioIn(bits: NalBits): number | null {
  bits.take(16 + 4); // NAL unit header, number of the video parameter set
  const moreLayers = bits.take(3);
  bits.take(1 + 88 + 8); // nesting; general profile and level
  skipLayers(bits, moreLayers);
  bits.number(); // number of this set
  if (bits.number() === CHROMA_444) bits.take(1);
  skipNumbers(bits, 2); // width, height
  if (bits.take(1)) skipNumbers(bits, 4); // cropping
  skipNumbers(bits, 2); // depths
  const orderBits = bits.number() + 4;
  skipNumbers(bits, 3 * (bits.take(1) ? moreLayers + 1 : 1));
  skipNumbers(bits, 6); // sizes of blocks
  if (bits.take(1) && bits.take(1)) skipScalingLists(bits);
  bits.take(2);
  if (bits.take(1)) {
    bits.take(8);
    skipNumbers(bits, 2);
    bits.take(1);
  }
  skipPictureSets(bits);
  if (bits.take(1)) for (let left = bits.number(); left > 0; left -= 1) bits.take(orderBits + 1);
  bits.take(2);
  return pixelAspectRatioIn(bits);
}

function skipNumbers(bits: NalBits, count: number): void {
  for (let left = count; left > 0; left -= 1) bits.number();
}

/** Profiles and levels of the layers: first which are stated, as flags of eight layers if there is more than one. */
function skipLayers(bits: NalBits, count: number): void {
  const stated = Array.from({ length: count }, () => 88 * bits.take(1) + 8 * bits.take(1));
  if (count > 0) bits.take(2 * (8 - count));
  for (const length of stated) bits.take(length);
}

function skipScalingLists(bits: NalBits): void {
  for (let size = 0; size < 4; size += 1)
    for (let list = 0; list < (size === 3 ? 2 : 6); list += 1)
      skipNumbers(bits, bits.take(1) ? Math.min(64, 16 << (2 * size)) + (size > 1 ? 1 : 0) : 1);
}

/** Each has its pictures, or says of each picture of the set before, and of one more, whether it is kept (section 7.3.7). */
function skipPictureSets(bits: NalBits): void {
  let pictures = 0;
  for (let set = 0, sets = bits.number(); set < sets; set += 1) {
    if (set > 0 && bits.take(1)) {
      bits.take(1);
      bits.number();
      let kept = 0;
      for (let left = pictures + 1; left > 0; left -= 1) if (bits.take(1) || bits.take(1)) kept += 1;
      pictures = kept;
    } else {
      pictures = bits.number() + bits.number();
      for (let left = pictures; left > 0; left -= 1) {
        bits.number();
        bits.take(1);
      }
    }
  }
}
