import type { VideoLimits } from '../kit/media/video-shape.js';

/** Both networks publish the same rules for the encoding of videos. */
export const VIDEO_ENCODING: Pick<
  VideoLimits,
  'containers' | 'codecs' | 'minFrameRate' | 'maxFrameRate' | 'maxWidth' | 'maxRatio'
> = {
  containers: ['mp4', 'mov'],
  codecs: ['avc', 'hevc'],
  minFrameRate: 23,
  maxFrameRate: 60,
  maxWidth: 1_920,
  maxRatio: 10,
};

export const MB = 1_000_000;
