import type { InputVideoTrack } from 'mediabunny';
import { h264Picture } from './h264-parameters.js';
import { h265Picture } from './h265-parameters.js';
import type { StatedPicture } from './nal-bits.js';

export interface ShownPicture extends StatedPicture {
  /** Pixels, after pixel aspect ratio and rotation. */
  readonly width: number;
  readonly height: number;
  readonly pixelAspectRatio: number;
}

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

async function statedByCodec(track: InputVideoTrack): Promise<StatedPicture> {
  const codec = await track.getCodec();
  const description = (await track.getDecoderConfig())?.description as
    ArrayBufferView | ArrayBufferLike | undefined;
  if (codec === 'avc' && description) return h264Picture(bufferOf(description));
  if (codec === 'hevc' && description) return h265Picture(bufferOf(description));
  const hasNoFields = codec === 'vp8' || codec === 'vp9' || codec === 'av1';
  return { pixelAspectRatio: null, isInterlaced: hasNoFields ? false : null };
}

const bufferOf = (source: ArrayBufferView | ArrayBufferLike): Buffer =>
  ArrayBuffer.isView(source)
    ? Buffer.from(source.buffer, source.byteOffset, source.byteLength)
    : Buffer.from(source);
