import type { Input, InputVideoTrack } from 'mediabunny';
import type { MediaContent, SideLimits } from './media-content.js';
import { MediaIsRefused, mustFitSides } from './media-content.js';
import { hashed, within } from './whole-file.js';

export type VideoContainer = 'mp4' | 'mov' | 'webm';

/** What a network takes as a video. */
export interface VideoLimits extends SideLimits {
  readonly containers: readonly VideoContainer[];
  readonly maxBytes: number;
  /** As the demultiplexer names them: `avc`, `hevc`, `vp8`, `vp9`, `av1`. */
  readonly codecs: readonly string[];
  readonly minMs?: number;
  readonly maxMs?: number;
  /** Frames per second; read only when a limit is given. */
  readonly minFrameRate?: number;
  readonly maxFrameRate?: number;
}

const TYPES: Readonly<Record<string, string>> = {
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
};
/** Packets that tell the frame rate. */
const SAMPLED_PACKETS = 100;

/** Reads the index and the last packet of a video: an upload that was cut has none. @throws MediaIsRefused */
export async function readVideo(path: string, limits: VideoLimits): Promise<MediaContent> {
  await within(path, limits.maxBytes);
  const { FilePathSource, Input, MP4, QTFF, WEBM } = await import('mediabunny');
  const input = new Input({ formats: [MP4, QTFF, WEBM], source: new FilePathSource(path) });
  try {
    return { ...(await shapeOf(input, limits)), ...(await hashed(path)) };
  } catch (error) {
    throw error instanceof MediaIsRefused ? error : new MediaIsRefused('unreadable');
  } finally {
    input.dispose();
  }
}

async function shapeOf(input: Input, limits: VideoLimits): Promise<Omit<MediaContent, 'bytes' | 'sha256'>> {
  const container = await containerOf(input);
  if (!limits.containers.includes(container)) throw new MediaIsRefused('format');
  const track = await input.getPrimaryVideoTrack();
  if (!track) throw new MediaIsRefused('unreadable');
  const [codec, width, height] = await Promise.all([
    track.getCodec(),
    track.getDisplayWidth(),
    track.getDisplayHeight(),
  ]);
  if (codec === null || !limits.codecs.includes(codec)) throw new MediaIsRefused('codec');
  const durationMs = await durationOf(input, track);
  if (durationMs < (limits.minMs ?? 0) || durationMs > (limits.maxMs ?? Infinity))
    throw new MediaIsRefused('duration');
  mustFitSides(width, height, limits);
  await mustFitFrameRate(track, limits);
  return { contentType: TYPES[container] ?? '', width, height, frames: null, durationMs };
}

async function containerOf(input: Input): Promise<VideoContainer> {
  const { MP4, QTFF } = await import('mediabunny');
  const format = await input.getFormat();
  if (format === MP4) return 'mp4';
  return format === QTFF ? 'mov' : 'webm';
}

async function durationOf(input: Input, track: InputVideoTrack): Promise<number> {
  const { EncodedPacketSink } = await import('mediabunny');
  const seconds = (await input.getDurationFromMetadata()) ?? (await input.computeDuration());
  const last = await new EncodedPacketSink(track).getPacket(seconds);
  if (last === null) throw new MediaIsRefused('unreadable');
  return Math.round(seconds * 1000);
}

async function mustFitFrameRate(track: InputVideoTrack, limits: VideoLimits): Promise<void> {
  const { minFrameRate, maxFrameRate } = limits;
  if (minFrameRate === undefined && maxFrameRate === undefined) return;
  const { averagePacketRate } = await track.computePacketStats(SAMPLED_PACKETS);
  // Rates such as 29.97 and 59.94 count as their whole numbers.
  const rate = Math.round(averagePacketRate);
  if (rate < (minFrameRate ?? 0) || rate > (maxFrameRate ?? Infinity)) throw new MediaIsRefused('frame-rate');
}
