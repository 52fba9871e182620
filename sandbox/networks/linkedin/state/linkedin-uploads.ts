import type { MediaContent } from '../../kit/media/media-content.js';
import type { UploadRules } from '../../kit/state/uploads.js';

/** One image or video. Instants in epoch milliseconds. */
export interface LinkedInUpload {
  readonly id: string;
  /** Account that owns it: a member or an organization. */
  readonly ownerId: string;
  /** Member whose token began it. */
  readonly memberId: string;
  readonly kind: 'image' | 'video';
  /** Announced; null for images. */
  readonly totalBytes: number | null;
  readonly partBytes: number;
  readonly expiresAt: number;
  /** Name by index of the part. */
  readonly parts: Readonly<Record<string, string>>;
  /** null: not all bytes are there. */
  readonly complete: { readonly content: MediaContent | null; readonly until: number } | null;
}

export type UploadState = 'WAITING_UPLOAD' | 'PROCESSING' | 'AVAILABLE' | 'PROCESSING_FAILED';

export const LINKEDIN_UPLOADS: UploadRules<LinkedInUpload> & { readonly kind: string } = {
  kind: 'linkedin.upload',
  filesOf: ({ id, parts }) => [id, ...Object.keys(parts).map((part) => partName(id, Number(part)))],
};

export const partName = (id: string, part: number): string => `${id}.${part}`;

/** Real ones carry opaque letters before the number too. */
export const mediaUrnOf = ({ id, kind }: Pick<LinkedInUpload, 'id' | 'kind'>): string =>
  `urn:li:${kind}:D4E10AQ${id}`;

/** The id of the upload with this URN. */
export const uploadIdIn = (urn: string): string =>
  /^urn:li:(?:image|video):D4E10AQ(\d+)$/.exec(urn)?.[1] ?? '';

export function stateOf({ complete }: LinkedInUpload, now: number): UploadState {
  if (complete === null) return 'WAITING_UPLOAD';
  if (complete.until > now) return 'PROCESSING';
  return complete.content === null ? 'PROCESSING_FAILED' : 'AVAILABLE';
}

/** Bounds of each part, first and last byte. */
export function boundsOf({ totalBytes, partBytes }: LinkedInUpload): { first: number; last: number }[] {
  const bytes = totalBytes ?? 0;
  return Array.from({ length: Math.ceil(bytes / partBytes) }, (_, part) => ({
    first: part * partBytes,
    last: Math.min((part + 1) * partBytes, bytes) - 1,
  }));
}
