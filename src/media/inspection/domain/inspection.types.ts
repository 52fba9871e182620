import type { AiMark, MediaFacts, MediaKind } from '#libs/content';

/** What the uploader declared. */
export interface InspectionInput {
  readonly contentType: string;
  /** The image represents a video in the library. */
  readonly isPoster: boolean;
}

/** What is read of a file. */
export type ReadFacts = Omit<MediaFacts, 'id' | 'kind' | 'contentType' | 'bytes' | 'aiMark' | 'altText'> & {
  readonly kind: MediaKind;
  readonly hasAlpha?: boolean;
  readonly colourSpace?: string;
  /** EXIF, 1 to 8. */
  readonly orientation?: number;
};

/** A file in the folder of the task. */
export interface DerivedFile {
  /** Name without folder. */
  readonly name: string;
  readonly contentType: 'image/webp' | 'image/jpeg';
}

export interface Accepted {
  readonly kind: 'accepted';
  /** Media type of the content. */
  readonly contentType: string;
  readonly facts: ReadFacts;
  /** null: it cannot be told. */
  readonly aiMark: AiMark | null;
  /** At most 320 × 320 pixels; null for a video. */
  readonly thumbnail: DerivedFile | null;
  /** At most 1600 × 1600 pixels; null for a video. */
  readonly preview: DerivedFile | null;
}

export interface Rejected {
  readonly kind: 'rejected';
  readonly code: RejectionCode;
  /** For the person who uploaded the file: what is wrong, then what to do. */
  readonly message: string;
}

export type RejectionCode =
  | 'media_type_not_supported'
  | 'media_type_does_not_match'
  | 'media_not_readable'
  | 'media_missing'
  | 'media_has_too_many_pixels'
  | 'media_has_too_many_frames';

export type InspectionResult = Accepted | Rejected;

export const rejected = (code: RejectionCode, message: string): Rejected => ({
  kind: 'rejected',
  code,
  message,
});

/** Thrown where a file turns out to be unacceptable. */
export class FileIsRejected extends Error {
  constructor(readonly rejection: Rejected) {
    super(rejection.message);
  }
}

export const notReadable = (what: string): FileIsRejected =>
  new FileIsRejected(rejected('media_not_readable', `${what} Export it again, or upload it again.`));
