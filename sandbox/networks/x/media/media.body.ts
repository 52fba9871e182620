import { BodyIsInvalid, type Check, id, objectOf, oneOf, text, wholeNumber } from '../api/body-checks.js';
import { MAX_BYTES } from './read-media.js';
import { CATEGORIES, type MediaCategory } from '../state/x-uploads.js';

/** Media types of each category, of those that X's OpenAPI document 2.167 lists and the sandbox can read. */
const TYPES: Readonly<Record<MediaCategory, readonly string[]>> = {
  tweet_image: ['image/jpeg', 'image/pjpeg', 'image/png', 'image/webp'],
  tweet_gif: ['image/gif'],
  tweet_video: ['video/mp4', 'video/quicktime'],
};

export interface InitializeBody {
  readonly media_type: string;
  readonly total_bytes: number;
  readonly media_category: MediaCategory;
}

const INITIALIZE = objectOf(
  {
    media_type: oneOf(...Object.values(TYPES).flat()),
    total_bytes: wholeNumber(1, 17_179_869_184),
    media_category: oneOf(...CATEGORIES),
  },
  ['media_type', 'total_bytes', 'media_category'],
);

/** MediaUploadConfigRequest. @throws BodyIsInvalid */
export function parseInitialize(value: unknown): InitializeBody {
  INITIALIZE(value, '$');
  const body = value as InitializeBody;
  mustFitCategory(body.media_type, body.media_category);
  if (body.total_bytes > MAX_BYTES[body.media_category])
    throw new BodyIsInvalid(`$.total_bytes: must have a maximum value of ${MAX_BYTES[body.media_category]}`);
  return body;
}

/** @throws BodyIsInvalid */
export function mustFitCategory(mediaType: string, category: MediaCategory): void {
  if (!TYPES[category].includes(mediaType))
    throw new BodyIsInvalid(`The media type ${mediaType} does not fit the media category ${category}.`);
}

/** X describes images with at most so many characters. */
const MAX_ALT_TEXT = 1_000;

const altText: Check = (value, path) => {
  text(value, path);
  if ([...String(value)].length > MAX_ALT_TEXT)
    throw new BodyIsInvalid(`${path}: must be at most ${MAX_ALT_TEXT} characters long`);
};

const METADATA = objectOf(
  { id, metadata: objectOf({ alt_text: objectOf({ text: altText }, ['text']) }, ['alt_text']) },
  ['id', 'metadata'],
);

export interface MetadataBody {
  readonly id: string;
  readonly metadata: { readonly alt_text: { readonly text: string } };
}

/** MetadataCreateRequest, as far as posts use it. @throws BodyIsInvalid */
export function parseMetadata(value: unknown): MetadataBody {
  METADATA(value, '$');
  return value as MetadataBody;
}
