import { type AiMark, type MediaFacts, type MediaKind, unknownMedia } from '#libs/content';

export interface InspectionInput {
  readonly contentType: string;
  /** The image represents a video in the library. */
  readonly isPoster: boolean;
}

/** What inspection finds out. Everything but what the row has in columns of its own. */
export type InspectedFacts = Omit<
  MediaFacts,
  'id' | 'kind' | 'contentType' | 'bytes' | 'aiMark' | 'altText'
> & {
  readonly kind: MediaKind;
  /** Of images: whether a pixel can be transparent. */
  readonly hasAlpha?: boolean;
  /** Of images: as libvips names it, such as `srgb`. */
  readonly colourSpace?: string;
  /** Of images: EXIF orientation, 1 to 8. */
  readonly orientation?: number;
};

export interface Rejection {
  /** Stable machine name, snake_case. */
  readonly code: string;
  /** A sentence for the person who uploaded it. */
  readonly message: string;
}

export function unknownFacts(): Omit<InspectedFacts, 'kind'> {
  const {
    altText: _text,
    aiMark: _mark,
    id: _id,
    contentType: _type,
    bytes: _bytes,
    ...facts
  } = unknownMedia('');
  return facts;
}

/** A file in the folder of the task. */
export interface DerivedFile {
  /** Name without folder. */
  readonly name: string;
  readonly contentType: 'image/webp' | 'image/jpeg';
}

export interface Accepted {
  readonly kind: 'accepted';
  readonly contentType: string;
  readonly facts: InspectedFacts;
  /** null: it cannot be told. */
  readonly aiMark: AiMark | null;
  /** At most 320 × 320 pixels; null for a video. */
  readonly thumbnail: DerivedFile | null;
  /** At most 1600 × 1600 pixels; null for a video. */
  readonly preview: DerivedFile | null;
}

export interface Rejected extends Rejection {
  readonly kind: 'rejected';
  readonly code: RejectionCode;
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
