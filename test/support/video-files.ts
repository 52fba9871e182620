import {
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  type InputTrack,
  MATROSKA,
  MkvOutputFormat,
  MovOutputFormat,
  MP4,
  Mp4OutputFormat,
  Output,
  type OutputFormat,
  QTFF,
  WEBM,
} from 'mediabunny';
import { createHash } from 'node:crypto';
import { type Box, parseBoxes, serialize } from '../../src/media/renditions/videos/index-boxes.js';

/** Sequence and picture parameters of a 1920 × 1080 High profile stream. They are real; the pictures of these files are noise. */
const SPS = Buffer.from('67640028acd940780227e5c044000003000400000300c83c60c658', 'hex');
const PPS = Buffer.from('68ebe3cb22c0', 'hex');
/** AVCDecoderConfigurationRecord (ISO/IEC 14496-15, section 5.3.3.1). */
const AVC_CONFIG = Buffer.concat([
  Buffer.from([1, 0x64, 0, 0x28, 0xff, 0xe1, 0, SPS.length]),
  SPS,
  Buffer.from([1, 0, PPS.length]),
  PPS,
  Buffer.from([0xfd, 0xf8, 0xf8, 0]),
]);
/** AudioSpecificConfig of AAC-LC, 48 kHz, stereo. */
const AAC_CONFIG = Uint8Array.from([0x11, 0x90]);
/** The same with 96 kHz. */
const FAST_AAC_CONFIG = Uint8Array.from([0x10, 0x10]);
const FRAMES_PER_SECOND = 25;
const AAC_FRAME_S = 1024 / 48_000;

export interface VideoFile {
  readonly format?: 'mp4' | 'mov' | 'mkv' | 'mp4-fragmented';
  readonly fastStart?: boolean;
  /** Times of the pictures in decode order, in seconds; key packets are marked. Default: two seconds, a key picture each second. */
  readonly pictures?: readonly { readonly at: number; readonly isKey: boolean }[];
  /** Time of the first sound packet, in seconds; a negative one is hidden by an edit list. null: no sound. Default 0. */
  readonly soundFrom?: number | null;
  readonly soundPackets?: number;
  readonly soundCodec?: 'aac' | 'mp3';
  /** AAC of 96 kHz instead of 48. */
  readonly hasFastSound?: boolean;
  readonly picture?: VideoDecoderConfig;
  readonly rotation?: 0 | 90 | 180 | 270;
  /** Of each picture. */
  readonly bytes?: number;
}

const FORMATS: Readonly<Record<NonNullable<VideoFile['format']>, (fastStart: boolean) => OutputFormat>> = {
  mp4: (fastStart) => new Mp4OutputFormat({ fastStart: fastStart ? 'in-memory' : false }),
  'mp4-fragmented': () => new Mp4OutputFormat({ fastStart: 'fragmented' }),
  mov: (fastStart) => new MovOutputFormat({ fastStart: fastStart ? 'in-memory' : false }),
  mkv: () => new MkvOutputFormat(),
};

/** Pictures from `from`, `seconds` long, with a key picture each second. */
export const steadyPictures = (from: number, seconds: number) =>
  Array.from({ length: seconds * FRAMES_PER_SECOND }, (_, index) => ({
    at: from + index / FRAMES_PER_SECOND,
    isKey: index % FRAMES_PER_SECOND === 0,
  }));

/** As an encoder with B pictures sends them: each group of four begins with its last picture. */
export const reorderedPictures = (seconds: number) =>
  Array.from({ length: seconds }, (_, second) => {
    const at = (index: number) => ({ at: second + index / FRAMES_PER_SECOND, isKey: index === 0 });
    const groups = Array.from({ length: 6 }, (__, group) =>
      [4, 2, 1, 3].map((index) => at(group * 4 + index)),
    );
    return [at(0), ...groups.flat()];
  }).flat();

/** A video whose packets are noise, and whose index and codec descriptions are right. */
export async function makeVideo(file: VideoFile = {}): Promise<Buffer> {
  const { format = 'mp4', fastStart = true, soundFrom = 0, rotation = 0 } = file;
  const target = new BufferTarget();
  const output = new Output({ format: FORMATS[format](fastStart), target });
  const video = new EncodedVideoPacketSource('avc');
  output.addVideoTrack(video, { rotation, frameRate: 12_800 });
  const audio = new EncodedAudioPacketSource(file.soundCodec ?? 'aac');
  if (soundFrom !== null) output.addAudioTrack(audio);
  await output.start();
  const pictures = file.pictures ?? steadyPictures(0, 2);
  let sound = 0;
  const soundPackets = soundFrom === null ? 0 : (file.soundPackets ?? 80);
  const addSound = async (until: number) => {
    for (; sound < soundPackets && (soundFrom ?? 0) + sound * AAC_FRAME_S <= until; sound += 1) {
      const packet = new EncodedPacket(
        noise(100, sound),
        'key',
        (soundFrom ?? 0) + sound * AAC_FRAME_S,
        AAC_FRAME_S,
      );
      await audio.add(packet, { decoderConfig: soundConfig(file) });
    }
  };
  for (const [index, { at, isKey }] of pictures.entries()) {
    await addSound(at);
    const data = noise(file.bytes ?? 500, index + 10_000);
    const packet = new EncodedPacket(data, isKey ? 'key' : 'delta', at, 1 / FRAMES_PER_SECOND);
    await video.add(packet, { decoderConfig: file.picture ?? PICTURE_CONFIG });
  }
  await addSound(Infinity);
  await output.finalize();
  return Buffer.from(target.buffer as ArrayBuffer);
}

const PICTURE_CONFIG = { codec: 'avc1.640028', codedWidth: 1920, codedHeight: 1080, description: AVC_CONFIG };
function soundConfig({ soundCodec, hasFastSound }: VideoFile): AudioDecoderConfig {
  if (soundCodec === 'mp3') return { codec: 'mp3', numberOfChannels: 2, sampleRate: 48_000 };
  const [sampleRate, description] = hasFastSound ? [96_000, FAST_AAC_CONFIG] : [48_000, AAC_CONFIG];
  return { codec: 'mp4a.40.2', numberOfChannels: 2, sampleRate, description };
}

/** Of a parameter set of H.264, as text of bits. */
const number = (value: number): string => {
  const bits = (value + 1).toString(2);
  return '0'.repeat(bits.length - 1) + bits;
};

/** A picture of H.264, Main profile, 720 × 576. @param ratio sixteen bits of width and of height of a pixel; undefined: not stated */
export function h264Picture({
  ratio,
  isInterlaced = false,
}: {
  readonly ratio?: readonly [number, number];
  readonly isInterlaced?: boolean;
}): VideoDecoderConfig {
  const fixed = (value: number, length: number) => value.toString(2).padStart(length, '0');
  const order = number(0) + number(0) + number(2) + number(4) + '0';
  const size = number(44) + number(isInterlaced ? 17 : 35) + (isInterlaced ? '00' : '1') + '10';
  const stated = ratio ? `11${fixed(255, 8)}${fixed(ratio[0], 16)}${fixed(ratio[1], 16)}00000000` : '0';
  const bits = `${order}${size}${stated}1`;
  const bytes = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0').match(/.{8}/g) ?? [];
  const raw = [0x67, 0x4d, 0, 0x28, ...bytes.map((byte) => parseInt(byte, 2))];
  const set = Buffer.from(
    raw.flatMap((byte, at) => (byte <= 3 && raw[at - 1] === 0 && raw[at - 2] === 0 ? [3, byte] : [byte])),
  );
  const description = Buffer.concat([
    Buffer.from([1, 0x4d, 0, 0x28, 0xff, 0xe1, 0, set.length]),
    set,
    Buffer.from([1, 0, PPS.length]),
    PPS,
  ]);
  return { codec: 'avc1.4d0028', codedWidth: 720, codedHeight: 576, description };
}

/** The same bytes for the same seed; as NAL units: four bytes of length, then a picture slice. */
function noise(bytes: number, seed: number): Uint8Array {
  const data = Buffer.alloc(bytes);
  for (let at = 0; at < bytes; at += 32) createHash('md5').update(`${seed}/${at}`).digest().copy(data, at);
  data.writeUInt32BE(bytes - 4, 0);
  data[4] = 0x65;
  return data;
}

export interface ReadPacket {
  readonly sha1: string;
  /** Milliseconds. */
  readonly at: number;
}

/** Packets of a file in decode order, as an independent reader sees them. */
export async function readPackets(file: Uint8Array): Promise<{ video: ReadPacket[]; audio: ReadPacket[] }> {
  const input = new Input({ formats: [MP4, QTFF, WEBM, MATROSKA], source: new BufferSource(file) });
  const of = async (track: InputTrack | null): Promise<ReadPacket[]> => {
    const packets: ReadPacket[] = [];
    if (track === null) return packets;
    for await (const { data, timestamp } of new EncodedPacketSink(track).packets())
      packets.push({
        sha1: createHash('sha1').update(data).digest('hex'),
        at: Math.round(timestamp * 10_000) / 10,
      });
    return packets;
  };
  return {
    video: await of(await input.getPrimaryVideoTrack()),
    audio: await of(await input.getPrimaryAudioTrack()),
  };
}

/** Changes the index of an MP4 file. Its length must stay the same, or the index must be last. */
export function withIndex(file: Buffer, change: (moov: Box) => Box): Buffer {
  const boxes = parseBoxes(file, 6);
  return Buffer.concat(
    boxes.map((box) => {
      if (box.type !== 'moov') return serialize(box);
      return serialize(change({ ...box, children: parseBoxes(box.content, 1), content: Buffer.alloc(0) }));
    }),
  );
}
