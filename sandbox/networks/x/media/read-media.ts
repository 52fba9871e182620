import { type MediaContent, type MediaIsRefused, type MediaProblem } from '../../kit/media/media-content.js';
import { type ImageLimits, readImage } from '../../kit/media/read-image.js';
import type { VideoLimits } from '../../kit/media/video-shape.js';
import { readVideo } from '../../kit/media/read-video.js';
import type { MediaCategory } from '../state/x-uploads.js';

const MIB = 1_048_576;
/** Limits of GIF: docs.x.com, "Media best practices". */
const GIF = { maxWidth: 1_280, maxHeight: 1_080 };
const GIF_FRAMES = { maxFrames: 350, maxPixelsOfFrames: 300_000_000 };

const IMAGES: Readonly<Record<'tweet_image' | 'tweet_gif', ImageLimits>> = {
  tweet_image: { formats: ['jpeg', 'png', 'webp'], maxBytes: 5 * MIB, maxPixels: 100_000_000 },
  tweet_gif: { formats: ['gif'], maxBytes: 15 * MIB, ...GIF, animation: GIF_FRAMES },
};
const VIDEO: VideoLimits = {
  containers: ['mp4', 'mov'],
  codecs: ['avc', 'hevc'],
  maxBytes: 16_000 * MIB,
  minSide: 32,
  minMs: 500,
};

export const MAX_BYTES: Readonly<Record<MediaCategory, number>> = {
  tweet_image: IMAGES.tweet_image.maxBytes,
  tweet_gif: IMAGES.tweet_gif.maxBytes,
  tweet_video: VIDEO.maxBytes,
};

/** @throws MediaIsRefused */
export const readMedia = (path: string, category: MediaCategory): Promise<MediaContent> =>
  category === 'tweet_video' ? readVideo(path, VIDEO) : readImage(path, IMAGES[category]);

const IN_WORDS: Partial<Record<MediaProblem, string>> = {
  bytes: 'File size exceeds the limit of its category.',
  format: 'The media category does not fit the media type.',
  animation: 'Animated images are not supported.',
  size: 'Image dimensions or number of frames exceed the limit.',
};

/** The problem in X's words where clients have recorded them. */
export const refusalOf = ({ problem }: MediaIsRefused): string =>
  IN_WORDS[problem] ?? 'media type unrecognized.';
