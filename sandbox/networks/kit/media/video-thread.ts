import { serveThread } from '#libs/concurrency';
import { MediaIsRefused } from './media-content.js';
import type { ReadShape } from './read-media.js';
import { shapeOfVideo, type VideoLimits } from './video-shape.js';

interface Received {
  readonly path: string;
  readonly limits: VideoLimits;
}

/** Any other error is one of the parser, and ends the thread. */
serveThread(async ({ path, limits }: Received): Promise<ReadShape> => {
  try {
    return { shape: await shapeOfVideo(path, limits) };
  } catch (error) {
    if (error instanceof MediaIsRefused) return { problem: error.problem };
    throw error;
  }
});
