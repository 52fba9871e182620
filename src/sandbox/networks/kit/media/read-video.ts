import { parsedInThread } from '../../../parsing.js';
import type { MediaContent, MediaProblem, SideLimits } from './media-content.js';
import { MediaIsRefused } from './media-content.js';
import type { VideoShape } from './video-shape.js';
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

const THREAD = new URL('./video-thread.js', import.meta.url);

export type ReadShape = { readonly shape: VideoShape } | { readonly problem: MediaProblem };

/** Reads the index and the last packet of a video: an upload that was cut has none. @throws MediaIsRefused */
export async function readVideo(path: string, limits: VideoLimits): Promise<MediaContent> {
  await within(path, limits.maxBytes);
  const read = (await parsedInThread<ReadShape>(THREAD, { path, limits })) ?? { problem: 'unreadable' };
  if ('problem' in read) throw new MediaIsRefused(read.problem);
  return { ...read.shape, ...(await hashed(path)) };
}
