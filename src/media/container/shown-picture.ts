import type { InputVideoTrack } from 'mediabunny';
import { readH264Parameters } from './h264-parameters.js';
import { h265PixelAspectRatio } from './h265-parameters.js';

export interface ShownPicture {
  /** Pixels, after pixel aspect ratio and rotation. */
  readonly width: number;
  readonly height: number;
  /** Width of a pixel / its height. */
  readonly pixelAspectRatio: number;
  /** Whether pictures can be fields; null: not known. */
  readonly isInterlaced: boolean | null;
}

interface OfCodec {
  readonly pixelAspectRatio: number | null;
  readonly isInterlaced: boolean | null;
}

const UNKNOWN: OfCodec = { pixelAspectRatio: null, isInterlaced: null };
const RATIO_DIGITS = 4;

/** How a track is shown: by its container, and by its codec where the container states no pixel aspect ratio. */
export async function shownPicture(track: InputVideoTrack): Promise<ShownPicture> {
  const ofCodec = await statedByCodec(track);
  const { num, den } = await track.getPixelAspectRatio();
  const stated = num === den ? (ofCodec.pixelAspectRatio ?? 1) : num / den;
  const [codedWidth, codedHeight] = [await track.getCodedWidth(), await track.getCodedHeight()];
  // The longer side of a pixel grows, as players do it.
  const width = Math.round(codedWidth * Math.max(stated, 1));
  const height = Math.round(codedHeight / Math.min(stated, 1));
  const isTurned = (await track.getRotation()) % 180 !== 0;
  return {
    ...(isTurned ? { width: height, height: width } : { width, height }),
    pixelAspectRatio: Number(stated.toFixed(RATIO_DIGITS)),
    isInterlaced: ofCodec.isInterlaced,
  };
}

async function statedByCodec(track: InputVideoTrack): Promise<OfCodec> {
  const codec = await track.getCodec();
  const description = (await track.getDecoderConfig())?.description as
    ArrayBufferView | ArrayBufferLike | undefined;
  const bytes = description && bytesOf(description);
  if (codec === 'avc' && bytes) {
    const parameters = readH264Parameters(bytes);
    return parameters
      ? { pixelAspectRatio: parameters.pixelAspectRatio, isInterlaced: parameters.hasFields }
      : UNKNOWN;
  }
  if (codec === 'hevc' && bytes)
    return { pixelAspectRatio: h265PixelAspectRatio(bytes), isInterlaced: isHevcInterlaced(bytes) };
  // These have no fields.
  return codec === 'vp8' || codec === 'vp9' || codec === 'av1'
    ? { ...UNKNOWN, isInterlaced: false }
    : UNKNOWN;
}

/** The first flags of constraints in the HEVCDecoderConfigurationRecord (ISO/IEC 14496-15, section 8.3.3.1). Both or none: not known. */
function isHevcInterlaced(description: Uint8Array): boolean | null {
  const flags = (description[6] ?? 0) >> 6;
  return flags === 0b10 ? false : flags === 0b01 ? true : null;
}

const bytesOf = (source: ArrayBufferView | ArrayBufferLike): Uint8Array =>
  ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
