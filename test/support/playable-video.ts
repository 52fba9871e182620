import { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Mp4OutputFormat, Output } from 'mediabunny';

const FRAMES_PER_SECOND = 30;
const MACROBLOCK = 16;
/** Samples of one macroblock, 4:2:0. */
const [LUMA, CHROMA] = [256, 64];

export interface PlayableVideo {
  /** Pixels, multiples of 16. */
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
}

/**
 * An MP4 that every player decodes, unlike those of video-files.ts: one picture of raw samples (I_PCM), which the following ones repeat.
 * Baseline profile of H.264 (ITU-T H.264, sections 7.3 and 7.4), without sound.
 */
export async function makePlayableVideo({ width, height, seconds }: PlayableVideo): Promise<Buffer> {
  const [columns, rows] = [width / MACROBLOCK, height / MACROBLOCK];
  const [sps, pps] = [sequenceParameters(columns, rows), pictureParameters()];
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target });
  const video = new EncodedVideoPacketSource('avc');
  output.addVideoTrack(video, { frameRate: FRAMES_PER_SECOND });
  await output.start();
  const description = configurationRecord(sps, pps);
  const decoderConfig = { codec: 'avc1.420028', codedWidth: width, codedHeight: height, description };
  for (let index = 0; index < seconds * FRAMES_PER_SECOND; index += 1) {
    const isKey = index === 0;
    const slice = isKey ? rawPicture(columns, rows) : repeatedPicture(columns * rows, index);
    const at = index / FRAMES_PER_SECOND;
    const packet = new EncodedPacket(withLength(slice), isKey ? 'key' : 'delta', at, 1 / FRAMES_PER_SECOND);
    await video.add(packet, { decoderConfig });
  }
  await output.finalize();
  return Buffer.from(target.buffer as ArrayBuffer);
}

/** Writes bits, the most significant first. */
class Bits {
  private readonly bytes: number[] = [];
  private filled = 0;

  bits(value: number, count: number): this {
    for (let bit = count - 1; bit >= 0; bit -= 1) {
      if (this.filled === 0) this.bytes.push(0);
      const last = this.bytes.length - 1;
      this.bytes[last] = (this.bytes[last] as number) | (((value >>> bit) & 1) << (7 - this.filled));
      this.filled = (this.filled + 1) % 8;
    }
    return this;
  }

  /** Unsigned Exp-Golomb codes, section 9.1. */
  ue(...values: readonly number[]): this {
    for (const value of values) {
      const length = Math.floor(Math.log2(value + 1));
      this.bits(0, length).bits(value + 1, length + 1);
    }
    return this;
  }

  align(): this {
    this.filled = 0;
    return this;
  }

  fill(sample: number, count: number): this {
    for (let index = 0; index < count; index += 1) this.bytes.push(sample);
    return this;
  }

  /** A NAL unit with this header: ends with the stop bit, and with emulation prevention (section 7.4.1). */
  unit(header: number): Buffer {
    this.bits(1, 1).align();
    const escaped: number[] = [header];
    let zeros = 0;
    for (const byte of this.bytes) {
      if (zeros >= 2 && byte <= 3) {
        escaped.push(3);
        zeros = 0;
      }
      escaped.push(byte);
      zeros = byte === 0 ? zeros + 1 : 0;
    }
    return Buffer.from(escaped);
  }
}

/** Baseline profile, level 4, frame numbers of 4 bits, output order as decoded, one reference frame. */
const sequenceParameters = (columns: number, rows: number): Buffer =>
  new Bits()
    .bits(66, 8)
    .bits(0xc0, 8)
    .bits(40, 8)
    .ue(0, 0, 2, 1)
    .bits(0, 1)
    .ue(columns - 1, rows - 1)
    // Frames only, direct inference, neither cropping nor usability information.
    .bits(0b1100, 4)
    .unit(0x67);

/** CAVLC, one slice group, one reference, quantiser 26, without prediction weights and deblocking control. */
const pictureParameters = (): Buffer =>
  new Bits().ue(0, 0).bits(0, 2).ue(0, 0, 0).bits(0, 3).ue(0, 0, 0).bits(0b000, 3).unit(0x68);

/** Stripes of colour. */
function rawPicture(columns: number, rows: number): Buffer {
  const I_SLICE = 7;
  const I_PCM = 25;
  const slice = new Bits().ue(0, I_SLICE, 0).bits(0, 4).ue(0).bits(0, 2).ue(0);
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1)
      slice
        .ue(I_PCM)
        .align()
        .fill(60 + ((row * 8) % 150), LUMA)
        .fill(90 + ((column * 5) % 80), CHROMA)
        .fill(160, CHROMA);
  return slice.unit(0x65);
}

function repeatedPicture(macroblocks: number, index: number): Buffer {
  const P_SLICE = 5;
  const slice = new Bits()
    .ue(0, P_SLICE, 0)
    .bits(index % 16, 4)
    .bits(0, 3)
    .ue(0);
  return slice.ue(macroblocks).unit(0x41);
}

const withLength = (unit: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(unit.length);
  return Buffer.concat([length, unit]);
};

/** AVCDecoderConfigurationRecord (ISO/IEC 14496-15, section 5.3.3.1). */
const configurationRecord = (sps: Buffer, pps: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from([1, 66, 0xc0, 40, 0xff, 0xe1, 0, sps.length]),
    sps,
    Buffer.from([1, 0, pps.length]),
    pps,
  ]);
