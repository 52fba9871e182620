import type { GraphProblem } from '../graph/graph-problems.js';
import type { FetchProblem } from '../kit/media/fetched-media.js';
import type { MediaProblem } from '../kit/media/media-content.js';

/* Errors of Threads: developers.facebook.com/docs/threads/troubleshooting; codes of pictures as clients have recorded them. */

const NO_MEDIA: GraphProblem = {
  message: 'An unknown error occurred',
  code: 1,
  subcode: 2_207_052,
  title: 'Media download has failed. The media URI doesn’t meet our requirements.',
  userMessage: 'The media could not be fetched from this URI.',
};

export const notFetched = (): GraphProblem => NO_MEDIA;

const IMAGES: Readonly<Partial<Record<MediaProblem, GraphProblem>>> = {
  bytes: { message: 'The image is too large to download.', code: 36_000, subcode: 2_207_004 },
  format: { message: 'The image format is not supported.', code: 36_001, subcode: 2_207_005 },
  animation: { message: 'The image format is not supported.', code: 36_001, subcode: 2_207_005 },
  ratio: {
    message: 'The submitted image has an aspect ratio that is not allowed.',
    code: 36_003,
    subcode: 2_207_009,
  },
};

export const refusedImage = (problem: MediaProblem): GraphProblem => IMAGES[problem] ?? NO_MEDIA;

/** `error_message` of a container. */
const VIDEOS: Readonly<Partial<Record<MediaProblem | FetchProblem, string>>> = {
  ratio: 'INVALID_ASPEC_RATIO',
  duration: 'INVALID_DURATION',
  'frame-rate': 'INVALID_FRAME_RATE',
  unreadable: 'FAILED_PROCESSING_VIDEO',
  codec: 'FAILED_PROCESSING_VIDEO',
  format: 'FAILED_PROCESSING_VIDEO',
  connection: 'FAILED_DOWNLOADING_VIDEO',
  status: 'FAILED_DOWNLOADING_VIDEO',
  redirect: 'FAILED_DOWNLOADING_VIDEO',
  address: 'FAILED_DOWNLOADING_VIDEO',
  time: 'FAILED_DOWNLOADING_VIDEO',
};

export const videoError = (problem: MediaProblem | FetchProblem): string => VIDEOS[problem] ?? 'UNKNOWN';

export const quotaProblem: GraphProblem = {
  message: 'Application request limit reached',
  code: 9,
  subcode: 2_207_042,
  title: 'You have reached the maximum number of posts.',
};

export const suspendedProblem: GraphProblem = {
  message: 'Application does not have permission for this action',
  code: 25,
  subcode: 2_207_050,
  title: 'The Threads profile is restricted.',
};

export const notFound = (id: string): GraphProblem => ({
  message: 'The requested resource does not exist',
  code: 24,
  subcode: 4_279_009,
  title: 'Media Not Found',
  userMessage: `The media with id ${id} cannot be found.`,
});

/** Too early, and too late, are the same as unknown. */
export const notReady = notFound;
export const expired = notFound;
