import type { GraphProblem } from '../graph/graph-problems.js';
import type { FetchProblem } from '../kit/media/fetched-media.js';
import type { MediaProblem } from '../kit/media/media-content.js';

/*
 * Errors of media containers: developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/error-codes; messages as
 * clients have recorded them.
 */

const NO_MEDIA: GraphProblem = {
  message: 'Only photo or video can be accepted as media type.',
  code: 9_004,
  subcode: 2_207_052,
  title: 'Media download has failed. The media URI doesn’t meet our requirements.',
  userMessage: 'The media could not be fetched from this URI.',
};

export const notFetched = (problem: FetchProblem): GraphProblem =>
  problem === 'time'
    ? { message: 'The download of the media has timed out.', code: -2, subcode: 2_207_003 }
    : NO_MEDIA;

const IMAGES: Readonly<Partial<Record<MediaProblem, GraphProblem>>> = {
  bytes: { message: 'The image is too large to download.', code: 36_000, subcode: 2_207_004 },
  format: { message: 'The image format is not supported.', code: 36_001, subcode: 2_207_005 },
  animation: { message: 'The image format is not supported.', code: 36_001, subcode: 2_207_005 },
  ratio: {
    message: 'The submitted image has an aspect ratio that is not allowed.',
    code: 36_003,
    subcode: 2_207_009,
  },
  size: { message: 'The submitted image has a size that is not allowed.', code: 36_003, subcode: 2_207_009 },
};

export const refusedImage = (problem: MediaProblem): GraphProblem => IMAGES[problem] ?? NO_MEDIA;

export const videoSubcode = (problem: MediaProblem | FetchProblem): number => {
  if (problem === 'time') return 2_207_003;
  return problem === 'connection' || problem === 'status' || problem === 'redirect' || problem === 'address'
    ? 2_207_052
    : 2_207_026;
};

export const quotaProblem: GraphProblem = {
  message: 'Application request limit reached',
  code: 9,
  subcode: 2_207_042,
  title: 'You have reached the maximum number of posts that can be published by the content publishing API.',
};

export const suspendedProblem: GraphProblem = {
  message: 'The user must be an administrator, editor, or moderator',
  code: 25,
  subcode: 2_207_050,
  title: 'The Instagram account is restricted.',
};

export const notReady = (): GraphProblem => ({
  message: 'Media ID is not available',
  code: 9_007,
  subcode: 2_207_027,
  userMessage: 'The media is not ready for publishing, please wait for a moment',
});

export const notFound = (id: string): GraphProblem => ({
  message: 'The requested resource does not exist',
  code: 24,
  subcode: 2_207_006,
  userMessage: `The media with ID ${id} cannot be found.`,
});

export const expired = (id: string): GraphProblem => ({ ...notFound(id), subcode: 2_207_008 });
