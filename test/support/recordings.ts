/** Recordings in the formats of the gateway's transcriptions, by hand: with packets of silence, and with headers that tell nothing. */

const text = (content: string): Buffer => Buffer.from(content, 'latin1');
const numbers = (...values: readonly number[]): Buffer => Buffer.from(values);
const times = (count: number, part: (index: number) => Buffer): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, index) => part(index)));
const bits32 = (value: number): Buffer => numbers(value >>> 24, value >>> 16, value >>> 8, value);
const littleBits32 = (value: number): Buffer => bits32(value).reverse();

export interface FlacOptions {
  readonly frames: number;
  readonly rate?: number;
  /** What STREAMINFO states; 0: not known. */
  readonly statedSamples?: number;
}

/** Native FLAC: each frame has 4 096 samples of silence, and its rate from STREAMINFO. */
export function flac({ frames, rate = 8_192, statedSamples = 0 }: FlacOptions): Buffer {
  const format = numbers(rate >> 12, (rate >> 4) & 255, (rate & 15) << 4, 0);
  const info = Buffer.concat([numbers(16, 0, 16, 0, 0, 0, 0, 0, 0, 0), format, bits32(statedSamples)]);
  const header = Buffer.concat([text('fLaC'), numbers(0x80, 0, 0, 34), info, Buffer.alloc(16)]);
  return Buffer.concat([header, times(frames, (index) => flacFrame(0xc0, index & 127))]);
}

/** A frame with the codes of block size and rate, then the bytes of both where the codes say so. */
export function flacFrame(codes: number, number = 0, sizes: readonly number[] = []): Buffer {
  const header = numbers(0xff, 0xf8, codes, 0x08, number, ...sizes);
  return Buffer.concat([header, numbers(crc8(header), 0, 0, 0, 0, 0)]);
}

function crc8(bytes: Buffer): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum & 0x80 ? (sum << 1) ^ 0x107 : sum << 1) & 0x1ff;
  }
  return sum;
}

/** A page of a stream, which states the position 0. */
export function oggPage(packets: readonly Buffer[], flags = 0): Buffer {
  const head = Buffer.concat([text('OggS'), numbers(0, flags), Buffer.alloc(20)]);
  const table = numbers(packets.length, ...packets.map(({ length }) => length));
  return Buffer.concat([head, table, ...packets]);
}

const FIRST_PAGE = 2;
const opusHead = Buffer.concat([
  text('OpusHead'),
  numbers(1, 1, 0, 0),
  littleBits32(48_000),
  Buffer.alloc(3),
]);
/** At 16 kHz, with a long block of 1 024 samples. */
export const vorbisHead = Buffer.concat([
  text('\x01vorbis'),
  ...[Buffer.alloc(4), numbers(1), littleBits32(16_000), Buffer.alloc(12), numbers(0xa8, 1)],
]);

const page = (packets: number, packet: Buffer) => oggPage(Array.from({ length: packets }, () => packet));

/** Opus without speech: packets of one byte with 60 ms. */
export const oggOpus = (pages: number): Buffer =>
  Buffer.concat([oggPage([opusHead], FIRST_PAGE), times(pages, () => page(250, numbers(0x18)))]);

export const oggVorbis = (pages: number): Buffer =>
  Buffer.concat([oggPage([vorbisHead], FIRST_PAGE), times(pages, () => page(250, numbers(0)))]);

const box = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([bits32(content.length + 8), text(type), content]);
};
const track = (codec: string, packets: number) => {
  const description = box('stsd', bits32(0), bits32(1), box(codec, Buffer.alloc(28)));
  const sizes = box('stsz', bits32(0), bits32(6), bits32(packets));
  return box('trak', box('mdia', box('minf', box('stbl', description, sizes))));
};
const fileType = box('ftyp', text('M4A \0\0\0\0'));

/** With the description at the end, as recorders write it. */
export const mp4 = (codec: string, packets: number): Buffer =>
  Buffer.concat([
    fileType,
    box('mdat', Buffer.alloc(64)),
    box('moov', track(codec, packets)),
    box('free', Buffer.alloc(16)),
  ]);

export const fragmentedMp4 = (codec: string, fragments: number, packets: number): Buffer =>
  Buffer.concat([
    ...[fileType, box('moov', track(codec, 0))],
    times(fragments, () =>
      Buffer.concat([
        box('moof', box('traf', box('trun', bits32(0), bits32(packets), Buffer.alloc(16)))),
        box('mdat', Buffer.alloc(16)),
      ]),
    ),
  ]);

const element = (id: readonly number[], content: Buffer): Buffer =>
  Buffer.concat([numbers(...id, 0x40 | (content.length >> 8), content.length & 255), content]);
const UNKNOWN_LENGTH = numbers(0x01, 255, 255, 255, 255, 255, 255, 255);

/** As browsers write it while they record: without duration, and with a segment and clusters of unknown length. */
export function webm(codec: string, blocks: number, codecPrivate = Buffer.alloc(0), flags = 0x80): Buffer {
  const entry = Buffer.concat([element([0x86], text(codec)), element([0x63, 0xa2], codecPrivate)]);
  return Buffer.concat([
    element([0x1a, 0x45, 0xdf, 0xa3], Buffer.alloc(20)),
    ...[numbers(0x18, 0x53, 0x80, 0x67), UNKNOWN_LENGTH],
    element([0x16, 0x54, 0xae, 0x6b], element([0xae], entry)),
    ...[numbers(0x1f, 0x43, 0xb6, 0x75), UNKNOWN_LENGTH],
    times(blocks, () => element([0xa3], numbers(0x81, 0, 0, flags, 3, 0))),
  ]);
}

/** With `bytes` of samples. */
export function wav(code: number, rate: number, channels: number, bits: number, bytes: number): Buffer {
  const format = Buffer.alloc(16);
  format.writeUInt16LE(code, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(rate, 4);
  format.writeUInt16LE(bits, 14);
  const head = Buffer.concat([text('RIFF\0\0\0\0WAVEfmt '), littleBits32(16), format, text('data\0\0\0\0')]);
  return Buffer.concat([head, Buffer.alloc(bytes)]);
}
