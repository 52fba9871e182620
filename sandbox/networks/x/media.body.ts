import type { Call } from '../../wire/call.js';
import type { MediaContent, MediaIsRefused, MediaProblem } from '../kit/media/media-content.js';
import { type ImageLimits, readImage, readVideo } from '../kit/media/read-media.js';
import type { VideoLimits } from '../kit/media/video-shape.js';
import { BodyIsInvalid, type Check, id, objectOf, oneOf, text, wholeNumber } from './body-checks.js';
import { CATEGORIES, type MediaCategory } from './x-uploads.js';

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

/** Media types of each category, of those that X's OpenAPI document 2.167 lists and the sandbox can read. */
const TYPES: Readonly<Record<MediaCategory, readonly string[]>> = {
  tweet_image: ['image/jpeg', 'image/pjpeg', 'image/png', 'image/webp'],
  tweet_gif: ['image/gif'],
  tweet_video: ['video/mp4', 'video/quicktime'],
};

interface InitializeBody {
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

interface MetadataBody {
  readonly id: string;
  readonly metadata: { readonly alt_text: { readonly text: string } };
}

/** MetadataCreateRequest, as far as posts use it. @throws BodyIsInvalid */
export function parseMetadata(value: unknown): MetadataBody {
  METADATA(value, '$');
  return value as MetadataBody;
}

/** Fields and the bytes of a call with a file, as multipart or as JSON with base64. */
interface SentBytes {
  readonly fields: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
  /** Of the file of a multipart body. */
  readonly contentType: string | null;
}

export async function sentBytes(call: Call): Promise<SentBytes> {
  const form = await call.multipart();
  return form ? ofForm(form) : ofJson(call);
}

async function ofForm(form: FormData): Promise<SentBytes> {
  const fields: Record<string, string> = {};
  let file: File | undefined;
  for (const [name, value] of form) {
    if (typeof value === 'string') fields[name] = value;
    else if (name === 'media') file = value;
  }
  if (!file) throw new BodyIsInvalid('Missing media field in form data.');
  return { fields, bytes: Buffer.from(await file.arrayBuffer()), contentType: file.type || null };
}

function ofJson(call: Call): SentBytes {
  const value = call.mediaType === 'application/json' ? call.json?.value : undefined;
  if (typeof value !== 'object' || value === null) throw new BodyIsInvalid('Missing media field in JSON.');
  const { media, ...others } = value as Record<string, unknown>;
  if (typeof media !== 'string') throw new BodyIsInvalid('Missing media field in JSON.');
  const fields = Object.fromEntries(Object.entries(others).map(([name, each]) => [name, String(each)]));
  return { fields, bytes: Buffer.from(media, 'base64'), contentType: null };
}
