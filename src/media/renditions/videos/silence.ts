/** A packet that decodes to silence. */
export interface SilentPacket {
  readonly data: Uint8Array;
  /** Seconds. */
  readonly duration: number;
}

interface Sound {
  /** Codec parameter string of RFC 6381. */
  readonly codec: string;
  readonly channels: number;
  readonly sampleRate: number;
}

/** Frames of AAC-LC without spectral data, for any sampling rate, by the number of channels. Source: hls.js, `aac-helper.ts`. */
const AAC: Readonly<Record<number, readonly number[]>> = {
  1: [0x00, 0xc8, 0x00, 0x80, 0x23, 0x80],
  2: [0x21, 0x00, 0x49, 0x90, 0x02, 0x19, 0x00, 0x23, 0x80],
};
const AAC_LC = 'mp4a.40.2';
const AAC_SAMPLES = 1024;
/** A CELT frame of 20 ms of the whole band, stereo flag set: the packet that libopus sends for silence (RFC 6716, section 3.1). */
const OPUS = [0xfc, 0xff, 0xfe];

/** @returns null when no silent packet of the codec is known */
export function silentPacket({ codec, channels, sampleRate }: Sound): SilentPacket | null {
  if (codec === 'opus' && channels <= 2) return { data: Uint8Array.from(OPUS), duration: 0.02 };
  const frame = codec === AAC_LC ? AAC[channels] : undefined;
  return frame ? { data: Uint8Array.from(frame), duration: AAC_SAMPLES / sampleRate } : null;
}
