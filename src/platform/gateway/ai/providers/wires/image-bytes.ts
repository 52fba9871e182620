import { setImmediate as turn } from 'node:timers/promises';
import type { Accepts, GeneratedImage } from './wire.js';
import type { LongString } from './long-strings.js';
import type { ImageRequest } from './requests.js';

type GoogleImageSize = '1K' | '2K' | '4K';

/** Longest sides in pixels. */
const LARGEST_OF_1K = 1_536;
const LARGEST_OF_2K = 3_072;

/** The size that is requested of Google, and billed. */
export function googleImageSizeOf(
  { width, height }: Pick<ImageRequest, 'width' | 'height'>,
  imageSizes: Accepts['imageSizes'] = 'ratio-and-size',
): GoogleImageSize {
  if (imageSizes === 'ratio') return '1K';
  const longest = Math.max(width, height);
  if (longest > LARGEST_OF_2K) return '4K';
  return longest > LARGEST_OF_1K ? '2K' : '1K';
}

type MediaType = GeneratedImage['mediaType'];

/**
 * Of the images of one response in base64. With an Idempotency-Key the response is stored as one string of `jsonb`, which has at most
 * 256 MiB.
 */
const MAX_BYTES_OF_IMAGES = 240 * 1_048_576;

/** Of one image in base64: PNG of the most pixels that providers draw for the size, with what else the response has. */
const MAX_BYTES: Readonly<Record<GoogleImageSize, number>> = {
  '1K': 12 * 1_048_576,
  '2K': 24 * 1_048_576,
  '4K': 40 * 1_048_576,
};

type Size = Pick<ImageRequest, 'width' | 'height'>;

/** The most bytes that are read for one image of a provider, in base64. */
export const maxBytesOfImage = (size: Size): number => MAX_BYTES[googleImageSizeOf(size)];

/** The most bytes that are read for all images of a call, in base64. */
export const maxBytesOfImages = (request: Size & Pick<ImageRequest, 'count'>): number =>
  Math.min(request.count * maxBytesOfImage(request), MAX_BYTES_OF_IMAGES);

/** As many as certainly fit. */
export const mostImagesOf = (request: Size & Pick<ImageRequest, 'count'>): number =>
  Math.floor(maxBytesOfImages(request) / maxBytesOfImage(request));

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** The whole IEND chunk: length 0, type, checksum (W3C PNG, 11.2.5). */
const PNG_END = Buffer.from([0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);
const JPEG_END = Buffer.from([0xff, 0xd9]);
const RIFF = Buffer.from('RIFF');
const WEBP = Buffer.from('WEBP');
const RIFF_HEADER = 8;

/**
 * One whole image. It stays in base64, as the response to the caller has it: another copy would be as large. Canonical base64 only: a
 * decoder that skips characters would repair what is broken.
 * @returns null for half an image, another format or text that is no base64
 */
export async function imageOf(
  data: string | LongString,
): Promise<Omit<GeneratedImage, 'revisedPrompt'> | null> {
  // Each image takes some milliseconds per 10 MB; other requests run in between.
  await turn();
  const base64 = typeof data === 'string' ? data : data.bytes.toString('latin1');
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length === 0 || bytes.toString('base64') !== base64) return null;
  const mediaType = mediaTypeOf(bytes);
  return mediaType && { base64, mediaType };
}

/** By signature, structure and end; null: no whole image. */
export function mediaTypeOf(bytes: Buffer): MediaType | null {
  if (startsWith(bytes, PNG)) return isWholePng(bytes) ? 'image/png' : null;
  if (startsWith(bytes, JPEG)) return endsWith(bytes, JPEG_END) ? 'image/jpeg' : null;
  if (!startsWith(bytes, RIFF) || !bytes.subarray(RIFF_HEADER, 12).equals(WEBP)) return null;
  return bytes.readUInt32LE(4) + RIFF_HEADER === bytes.length ? 'image/webp' : null;
}

const startsWith = (bytes: Buffer, start: Buffer) => bytes.subarray(0, start.length).equals(start);
const endsWith = (bytes: Buffer, end: Buffer) =>
  bytes.length > end.length && bytes.subarray(-end.length).equals(end);

/** The chunks lead exactly to IEND at the end of the file. */
function isWholePng(bytes: Buffer): boolean {
  if (!endsWith(bytes, PNG_END)) return false;
  const end = bytes.length - PNG_END.length;
  let at = PNG.length;
  while (at < end && at + 12 <= bytes.length) at += bytes.readUInt32BE(at) + 12;
  return at === end && at > PNG.length;
}
