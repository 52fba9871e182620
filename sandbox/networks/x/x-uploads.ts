import type { MediaContent } from '../kit/media/media-content.js';

/** Categories of media of posts; X has others for messages, subtitles and advertisements. */
export const CATEGORIES = ['tweet_image', 'tweet_gif', 'tweet_video'] as const;
export type MediaCategory = (typeof CATEGORIES)[number];

/** Why X could not use the bytes of a video or a GIF, as its status shows it. */
export interface ProcessingError {
  readonly code: number;
  readonly name: string;
  readonly message: string;
}

export interface Finalized {
  /** null: the bytes could not be read. */
  readonly content: MediaContent | null;
  /** null for images, which need no processing. */
  readonly processing: {
    /** Epoch milliseconds. */
    readonly from: number;
    readonly until: number;
    readonly error: ProcessingError | null;
  } | null;
}

/** One media id. Instants in epoch milliseconds. */
export interface XUpload {
  readonly id: string;
  readonly accountId: string;
  readonly category: MediaCategory;
  readonly mediaType: string;
  readonly totalBytes: number;
  readonly expiresAt: number;
  /** Bytes by segment index. */
  readonly segments: Readonly<Record<string, number>>;
  readonly finalized: Finalized | null;
  readonly altText: string | null;
  readonly postId: string | null;
}

const KEY_PREFIXES: Readonly<Record<MediaCategory, string>> = {
  tweet_image: '3',
  tweet_gif: '16',
  tweet_video: '7',
};

export const mediaKeyOf = ({ id, category }: XUpload): string => `${KEY_PREFIXES[category]}_${id}`;

export const segmentName = (id: string, index: number): string => `${id}.${index}`;

export const segmentNames = (id: string, segments: XUpload['segments']): string[] =>
  Object.keys(segments)
    .map(Number)
    .sort((left, right) => left - right)
    .map((index) => segmentName(id, index));

/** The bytes are there and X has finished with them. */
export const isUsable = ({ finalized, expiresAt }: XUpload, now: number): boolean =>
  finalized !== null &&
  finalized.content !== null &&
  expiresAt > now &&
  (finalized.processing === null ||
    (finalized.processing.until <= now && finalized.processing.error === null));
