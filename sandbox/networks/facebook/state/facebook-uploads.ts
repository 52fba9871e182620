import type { MediaContent } from '../../kit/media/media-content.js';
import type { UploadRules } from '../../kit/state/uploads.js';

/** A photo or a video of a page. Instants in epoch milliseconds. */
export interface FacebookUpload {
  readonly id: string;
  readonly pageId: string;
  readonly kind: 'photo' | 'video' | 'reel';
  /** null: the bytes are not complete, or could not be read. */
  readonly content: MediaContent | null;
  readonly altText: string | null;
  /** The post that shows it; null: none yet. */
  readonly postId: string | null;
  /** An unpublished upload is gone afterwards. */
  readonly expiresAt: number;
  /** Of a video. */
  readonly session?: string;
  readonly totalBytes?: number;
  /** Offsets of the parts that have arrived, each with its length. */
  readonly parts?: Readonly<Record<string, number>>;
  /** Set when the video is published. */
  readonly processedAt?: number;
  readonly processingError?: string | null;
  readonly isAiGenerated?: boolean;
}

export const fileOf = (id: string): string => `facebook-${id}`;
export const partOf = (id: string, offset: string | number): string => `facebook-${id}.${offset}`;

export const FACEBOOK_UPLOADS: UploadRules<FacebookUpload> & { readonly kind: string } = {
  kind: 'facebook.upload',
  filesOf: ({ id, parts = {} }) => [fileOf(id), ...Object.keys(parts).map((offset) => partOf(id, offset))],
};

/** Bytes from the beginning without a gap. */
export function receivedOf({ parts = {} }: FacebookUpload): number {
  let received = 0;
  for (let length = parts[0]; length !== undefined; length = parts[received]) received += length;
  return received;
}
