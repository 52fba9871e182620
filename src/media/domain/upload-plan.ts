import type { MediaKind } from '#libs/content';
import { ChecksumIsMissing, MediaTypeIsNotSupported, PartDoesNotExist } from './media.errors.js';
import { canonicalType, MEDIA_TYPES } from './media-types.js';

const MIB = 1_048_576;

/** Larger files are uploaded in parts. */
export const MAX_SINGLE_BYTES = 64 * MIB;
/** Of all parts but the last. S3 needs at least 5 MiB, and at most 10 000 parts. */
export const PART_BYTES = 16 * MIB;
export const MAX_BYTES: Readonly<Record<'image' | 'video', number>> = {
  image: 64 * MIB,
  video: 4_096 * MIB,
};

export interface UploadPlan {
  /** As declared; inspection finds out whether an image is an animation. */
  readonly kind: MediaKind & ('image' | 'video');
  readonly contentType: string;
  /** null: one request for the whole file. */
  readonly partBytes: number | null;
}

interface DeclaredFile {
  readonly contentType: string;
  readonly bytes: number;
  readonly sha256?: string;
}

/** The way in which a file is uploaded. */
export function planUpload(file: DeclaredFile): UploadPlan {
  const contentType = canonicalType(file.contentType);
  if (!MEDIA_TYPES.some((type) => type === contentType)) throw new MediaTypeIsNotSupported(MEDIA_TYPES);
  const kind = contentType.startsWith('image/') ? 'image' : 'video';
  const isSingle = file.bytes <= MAX_SINGLE_BYTES;
  if (isSingle && file.sha256 === undefined) throw new ChecksumIsMissing(MAX_SINGLE_BYTES);
  return { kind, contentType, partBytes: isSingle ? null : PART_BYTES };
}

interface UploadInParts {
  readonly bytes: number;
  readonly partBytes: number | null;
}

/** 0 for an upload by one request. */
export const partCountOf = ({ bytes, partBytes }: UploadInParts): number =>
  partBytes === null ? 0 : Math.ceil(bytes / partBytes);

/** Bytes of one part, from 1. */
export function partLength(upload: UploadInParts, partNumber: number): number {
  const count = partCountOf(upload);
  const { bytes, partBytes } = upload;
  if (partBytes === null || partNumber < 1 || partNumber > count) throw new PartDoesNotExist(count);
  return partNumber < count ? partBytes : bytes - (count - 1) * partBytes;
}
