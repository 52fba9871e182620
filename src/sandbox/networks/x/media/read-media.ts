import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { MediaCategory, MediaContent } from '../x-uploads.js';

/** The bytes are nothing that X takes in this category. The message is in X's words where clients have recorded them. */
export class MediaIsRefused extends Error {
  override name = 'MediaIsRefused';
}

const MIB = 1_048_576;
export const MAX_BYTES: Readonly<Record<MediaCategory, number>> = {
  tweet_image: 5 * MIB,
  tweet_gif: 15 * MIB,
  tweet_video: 16_000 * MIB,
};
/** Limits of GIF: docs.x.com, "Media best practices". */
const GIF = { width: 1_280, height: 1_080, frames: 350, framePixels: 300_000_000 };
const MAX_PIXELS = 100_000_000;
const IMAGE_TYPES: Readonly<Record<string, string>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
};
const VIDEO = { minSide: 32, minMs: 500, codecs: ['avc', 'hevc'] };

type Shape = Omit<MediaContent, 'bytes' | 'sha256'>;

/** Decodes an image entirely; of a video the index and the last packet are read. @throws MediaIsRefused */
export async function readMedia(path: string, category: MediaCategory): Promise<MediaContent> {
  const { size } = await stat(path);
  if (size > MAX_BYTES[category]) throw new MediaIsRefused('File size exceeds the limit of its category.');
  const shape = category === 'tweet_video' ? await readVideo(path) : await readImage(path, category);
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return { bytes: size, sha256: hash.digest('hex'), ...shape };
}

async function readImage(path: string, category: MediaCategory): Promise<Shape> {
  const { default: sharp } = await import('sharp');
  const image = sharp(path, { animated: true, limitInputPixels: GIF.framePixels });
  const { format, width, height, pages = 1, pageHeight = height } = await image.metadata().catch(refuse);
  const contentType = IMAGE_TYPES[format ?? ''];
  if (contentType === undefined) throw new MediaIsRefused('media type unrecognized.');
  if ((category === 'tweet_gif') !== (format === 'gif'))
    throw new MediaIsRefused('The media category does not fit the media type.');
  const frames = category === 'tweet_gif' ? pages : null;
  if (frames === null && pages > 1) throw new MediaIsRefused('Animated images are not supported.');
  if (frames !== null) mustFit(width, pageHeight, frames);
  if (frames === null && width * height > MAX_PIXELS)
    throw new MediaIsRefused('Image dimensions are too large.');
  await image.stats().catch(refuse);
  return { contentType, width, height: pageHeight, frames, durationMs: null };
}

function mustFit(width: number, height: number, frames: number): void {
  const fits =
    width <= GIF.width &&
    height <= GIF.height &&
    frames <= GIF.frames &&
    width * height * frames <= GIF.framePixels;
  if (!fits) throw new MediaIsRefused('Gif dimensions or number of frames exceed the limit.');
}

async function readVideo(path: string): Promise<Shape> {
  const { EncodedPacketSink, FilePathSource, Input, MP4, QTFF } = await import('mediabunny');
  const input = new Input({ formats: [MP4, QTFF], source: new FilePathSource(path) });
  try {
    const track = await input.getPrimaryVideoTrack();
    if (!track) throw new MediaIsRefused('InvalidMedia');
    const [codec, width, height] = await Promise.all([
      track.getCodec(),
      track.getDisplayWidth(),
      track.getDisplayHeight(),
    ]);
    const seconds = (await input.getDurationFromMetadata()) ?? (await input.computeDuration());
    const last = await new EncodedPacketSink(track).getPacket(seconds);
    const isRead = last !== null && codec !== null && VIDEO.codecs.includes(codec);
    if (!isRead || Math.min(width, height) < VIDEO.minSide || seconds * 1000 < VIDEO.minMs)
      throw new MediaIsRefused('InvalidMedia');
    const contentType = 'video/mp4';
    return { contentType, width, height, frames: null, durationMs: Math.round(seconds * 1000) };
  } catch (error) {
    return refuse(error);
  } finally {
    input.dispose();
  }
}

function refuse(error: unknown): never {
  throw error instanceof MediaIsRefused ? error : new MediaIsRefused('media type unrecognized.');
}
