import {
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  NullTarget,
  Output,
} from 'mediabunny';
import { CannotRender } from '../domain/render.types.js';
import type { Aligned } from './align.js';
import { take } from './packets.js';
import type { CopiedTracks } from './tracks.js';

export interface DescribedVideo {
  /** The first box of the file (`ftyp`). */
  readonly type: Buffer;
  /** The index (`moov`), as of a file that has it after its data. */
  readonly index: Buffer;
  /** Of all packets. */
  readonly dataBytes: number;
  /** End of the last packet. */
  readonly seconds: number;
}

export interface Limits {
  /** Of the source: a forged index may name the same bytes again and again. */
  readonly sourceBytes: number;
  readonly maxBytes: number;
}

/**
 * What mediabunny writes around the packets of an MP4 file. It gets packets of the right sizes and times, whose bytes are never read, and
 * its output goes nowhere: the memory is that of the index.
 * @param aligned packets without bytes. @throws CannotRender
 */
export async function describeIndex(
  tracks: CopiedTracks,
  aligned: Aligned,
  limits: Limits,
): Promise<DescribedVideo> {
  const boxes: { type?: Buffer; index?: Buffer } = {};
  const format = new Mp4OutputFormat({
    fastStart: false,
    onFtyp: (data) => (boxes.type = Buffer.from(data)),
    onMoov: (data) => (boxes.index = Buffer.from(data)),
  });
  const output = new Output({ format, target: new NullTarget() });
  const write = await addTracks(output, tracks);
  await output.start();
  const sums = await addAll(aligned, write, limits);
  await output.finalize();
  const { type, index } = boxes;
  if (!type || !index) throw new Error('No index was written.');
  return { type, index, ...sums };
}

type Write = Readonly<Record<'video' | 'audio', (packet: EncodedPacket) => Promise<void>>>;

async function addTracks(output: Output, { video, audio }: CopiedTracks): Promise<Write> {
  const pictures = new EncodedVideoPacketSource(video.codec);
  output.addVideoTrack(pictures, {
    rotation: await video.track.getRotation(),
    flip: await video.track.getFlip(),
    // Becomes the time scale of the track, so that times stay exact.
    frameRate: await video.track.getTimeResolution(),
  });
  const sounds = audio && new EncodedAudioPacketSource(audio.codec);
  if (sounds) output.addAudioTrack(sounds);
  const pictureMeta = { decoderConfig: (await video.track.getDecoderConfig()) ?? undefined };
  const soundMeta = { decoderConfig: (await audio?.track.getDecoderConfig()) ?? undefined };
  return {
    video: (packet) => pictures.add(packet, pictureMeta),
    audio: async (packet) => sounds?.add(packet, soundMeta),
  };
}

async function addAll(
  { pictures, sounds }: Aligned,
  write: Write,
  limits: Limits,
): Promise<Pick<DescribedVideo, 'dataBytes' | 'seconds'>> {
  let [dataBytes, seconds] = [0, 0];
  const sized = sizedPackets();
  let picture = await take(pictures);
  let sound = await take(sounds);
  while (picture || sound) {
    const isPicture = picture && (!sound || picture.timestamp <= sound.timestamp);
    const packet = (isPicture ? picture : sound) as EncodedPacket;
    dataBytes += packet.byteLength;
    mustBeWithin(dataBytes, packet, limits);
    seconds = Math.max(seconds, packet.timestamp + packet.duration);
    await write[isPicture ? 'video' : 'audio'](sized(packet));
    if (isPicture) picture = await take(pictures);
    else sound = await take(sounds);
  }
  return { dataBytes, seconds };
}

/** A packet of the same size, whose bytes are a part of one buffer for all. */
function sizedPackets(): (packet: EncodedPacket) => EncodedPacket {
  let zeros = new Uint8Array();
  return (packet) => {
    if (zeros.length < packet.byteLength) zeros = new Uint8Array(packet.byteLength * 2);
    return packet.clone({ data: zeros.subarray(0, packet.byteLength) });
  };
}

/** Silence is added to a few packets; it is a small part of any video. */
const MORE_BYTES = 1_000_000;

function mustBeWithin(bytes: number, packet: EncodedPacket, { sourceBytes, maxBytes }: Limits): void {
  if (bytes > maxBytes) throw tooLarge(maxBytes);
  if (packet.byteLength > sourceBytes || bytes > sourceBytes + MORE_BYTES)
    throw new CannotRender('not_readable', 'The index of the video is wrong. Export it again.');
}

export const tooLarge = (maxBytes: number) =>
  new CannotRender(
    'cannot_fit',
    `The video has more than ${maxBytes} bytes. Export it with a lower bit rate or make it shorter.`,
  );
