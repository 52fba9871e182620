import { parsedInThread } from '../../../parsing.js';
import { type MediaContent, MediaIsRefused, type MediaProblem } from './media-content.js';
import type { VideoLimits, VideoShape } from './video-shape.js';
import { hashed, within } from './whole-file.js';

const THREAD = new URL('./video-thread.js', import.meta.url);

export type ReadShape = { readonly shape: VideoShape } | { readonly problem: MediaProblem };

/** Reads the index and the last packet of a video: an upload that was cut has none. @throws MediaIsRefused */
export async function readVideo(path: string, limits: VideoLimits): Promise<MediaContent> {
  await within(path, limits.maxBytes);
  const read = (await parsedInThread<ReadShape>(THREAD, { path, limits })) ?? { problem: 'unreadable' };
  if ('problem' in read) throw new MediaIsRefused(read.problem);
  return { ...read.shape, ...(await hashed(path)) };
}
