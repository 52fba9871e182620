import type { EncodedPacket } from 'mediabunny';
import {
  EncodedAudioPacketSource,
  EncodedVideoPacketSource,
  FilePathTarget,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';
import { CannotRender } from '../domain/render.types.js';
import type { VisibleSpan } from '../domain/timeline.js';
import { align } from './align.js';
import type { Aligned } from './align.js';
import { take } from './packets.js';
import type { CopiedTracks } from './tracks.js';

/** Written at once: the default of 16 MiB is a quarter of the memory that a rendition may use. */
const WRITE_BYTES = 2 * 1024 * 1024;

export interface Remux {
  readonly tracks: CopiedTracks;
  /** What edit lists show, by the id of the track. */
  readonly spans: ReadonlyMap<number, VisibleSpan>;
  /** Of the file that is written. */
  readonly path: string;
  /** Of all packets. */
  readonly maxBytes: number;
}

/**
 * Copies the packets of the tracks into an MP4 file with its index at the end, without edit lists.
 * @returns duration in seconds. @throws CannotRender
 */
export async function remux({ tracks, spans, path, maxBytes }: Remux): Promise<number> {
  const aligned = await align(tracks, spans);
  const { output, write } = await openOutput(tracks, path);
  try {
    await output.start();
    const seconds = await copy(aligned, write, maxBytes);
    await output.finalize();
    return seconds;
  } catch (error) {
    await output.cancel();
    throw error;
  }
}

interface Writers {
  readonly video: (packet: EncodedPacket) => Promise<void>;
  readonly audio: (packet: EncodedPacket) => Promise<void>;
}

async function openOutput({ video, audio }: CopiedTracks, path: string) {
  const output = new Output({
    format: new Mp4OutputFormat({ fastStart: false }),
    target: new FilePathTarget(path, { chunkSize: WRITE_BYTES }),
  });
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
  const write: Writers = {
    video: (packet) => pictures.add(packet, pictureMeta),
    audio: async (packet) => sounds?.add(packet, soundMeta),
  };
  return { output, write };
}

/** Interleaves both tracks by time. @returns the end of the last packet, in seconds */
async function copy({ pictures, sounds }: Aligned, write: Writers, maxBytes: number): Promise<number> {
  let [bytes, end] = [0, 0];
  let picture = await take(pictures);
  let sound = await take(sounds);
  while (picture || sound) {
    const isPicture = picture && (!sound || picture.timestamp <= sound.timestamp);
    const packet = (isPicture ? picture : sound) as EncodedPacket;
    bytes += packet.byteLength;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    end = Math.max(end, packet.timestamp + packet.duration);
    await (isPicture ? write.video(packet) : write.audio(packet));
    if (isPicture) picture = await take(pictures);
    else sound = await take(sounds);
  }
  return end;
}

export const tooLarge = (maxBytes: number) =>
  new CannotRender(
    'cannot_fit',
    `The video has more than ${maxBytes} bytes. Export it with a lower bit rate or make it shorter.`,
  );
