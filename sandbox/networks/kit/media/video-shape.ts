import { EncodedPacketSink, FilePathSource, Input, type InputVideoTrack, MP4, QTFF, WEBM } from 'mediabunny';
import { type MediaContent, MediaIsRefused, mustFitSides, type SideLimits } from './media-content.js';

export type VideoContainer = 'mp4' | 'mov' | 'webm';

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

export type VideoShape = Omit<MediaContent, 'bytes' | 'sha256'>;

const TYPES: Readonly<Record<string, string>> = {
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
};
/** Packets that tell the frame rate. */
const SAMPLED_PACKETS = 100;

/** Parses the video: in a thread only. @throws MediaIsRefused, and what the parser throws */
export async function shapeOfVideo(path: string, limits: VideoLimits): Promise<VideoShape> {
  using input = new Input({ formats: [MP4, QTFF, WEBM], source: new FilePathSource(path) });
  // Awaited here: the return disposes the input.
  return await shapeOf(input, limits);
}

async function shapeOf(input: Input, limits: VideoLimits): Promise<VideoShape> {
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
  const format = await input.getFormat();
  if (format === MP4) return 'mp4';
  return format === QTFF ? 'mov' : 'webm';
}

async function durationOf(input: Input, track: InputVideoTrack): Promise<number> {
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
