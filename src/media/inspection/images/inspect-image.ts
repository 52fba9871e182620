import { createWriteStream } from 'node:fs';
import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import sharp, { type Metadata, type Sharp } from 'sharp';
import type { AiMark } from '#libs/content';
import { TaskTookTooLong } from '../../isolation/isolation.errors.js';
import type { TaskContext } from '../../isolation/media-task.js';
import { xmpInGif } from '../../marks/gif.js';
import { marked } from '../../marks/write-mark.js';
import { refusalOf } from '../domain/accepted-types.js';
import { MAX_PIXELS, tooLarge } from '../domain/limits.js';
import {
  type Accepted,
  type DerivedFile,
  FileIsRejected,
  type InspectedFacts,
  notReadable,
  unknownFacts,
} from '../domain/inspection.types.js';
import { isAnimatedPng, isGifTruncated, withoutHarmlessFaults } from './faults.js';
import { claimsOf } from './claims.js';

/** As sharp reports the end of `.timeout()`. */
const TIMEOUT = /timeout: \d+% complete/;

/**
 * Names the failure of a decoder that reads a file. The time limit is one of wall time, and a busy machine may be the reason.
 * @throws FileIsRejected, TaskTookTooLong, or the system's error when the file is gone, which is a fault of the machine
 */
export async function decoding<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await access(path);
    if (error instanceof Error && TIMEOUT.test(error.message)) throw new TaskTookTooLong();
    throw notReadable('The picture is damaged or incomplete.');
  }
}

/** Browsers show a frame with a shorter delay for 100 ms. */
const SHORTEST_MS = 11;
const DEFAULT_MS = 100;

/** Duration of one pass of an animation, in milliseconds. @param delays of its frames, in milliseconds */
const durationOfFrames = (delays: readonly number[]): number =>
  delays.reduce((sum, delay) => sum + (delay < SHORTEST_MS ? DEFAULT_MS : delay), 0);

const TIME_LIMIT_S = 40;
const THUMBNAIL_SIDE = 320;
const PREVIEW_SIDE = 1_600;
const FITTED = { fit: 'inside', withoutEnlargement: true } as const;

/**
 * Decodes all pixels of all frames, and makes a thumbnail and a preview: upright, sRGB, without metadata but the mark that
 * a model made it. The file is downloaded first, so that the decoder streams it from disk.
 */
export async function inspectImage(
  { source, folder }: TaskContext,
  contentType: string,
  { isStill = false } = {},
): Promise<Accepted> {
  const path = join(folder, 'source');
  await pipeline(Readable.from(source.stream(0, source.bytes)), createWriteStream(path));
  const metadata = await decoding(path, () =>
    sharp(path, { limitInputPixels: false, failOn: 'error' }).metadata(),
  );
  const facts = factsOf(metadata, contentType);
  const refusal = tooLarge({ ...sizeOf(metadata), contentType });
  if (refusal) throw new FileIsRejected(refusal);
  if (contentType === 'image/png' && isAnimatedPng(await readFile(path)))
    throw new FileIsRejected(refusalOf('image/apng'));
  const gif = contentType === 'image/gif' ? await readFile(path) : null;
  if (gif && isGifTruncated(gif)) throw notReadable('The end of the picture is missing.');
  if (facts.kind === 'animation') {
    if (isStill) throw notReadable('A poster must be a still picture.');
    await decoding(path, () => open(path, { animated: true }).resize({ width: 16 }).raw().toBuffer());
  }
  const xmp = gif ? xmpInGif(gif) : metadata.xmp;
  const { aiMark, ...credentials } = claimsOf(gif ?? (await readFile(path)), contentType, {
    ...metadata,
    xmp,
  });
  const preview = await makePreview(path, facts.hasAlpha === true, { folder, aiMark });
  const thumbnail = await makeThumbnail(join(folder, preview.name), { folder, aiMark });
  return { kind: 'accepted', contentType, facts: { ...facts, ...credentials }, aiMark, thumbnail, preview };
}

interface Derivation {
  readonly folder: string;
  readonly aiMark: AiMark | null;
}

const open = (source: string | Buffer, options: { animated?: boolean } = {}): Sharp =>
  sharp(source, { limitInputPixels: MAX_PIXELS, ...options }).timeout({ seconds: TIME_LIMIT_S });

function sizeOf({ width, height, pages = 1, pageHeight, isProgressive }: Metadata) {
  return { width, height: pageHeight ?? height, frames: pages, isProgressive: isProgressive === true };
}

function factsOf(metadata: Metadata, contentType: string): InspectedFacts {
  const { pages = 1, delay = [], hasAlpha, space, orientation, autoOrient } = metadata;
  const isAnimation = pages > 1 && ['image/gif', 'image/webp'].includes(contentType);
  return {
    ...unknownFacts(),
    kind: isAnimation ? 'animation' : 'image',
    width: autoOrient.width,
    height: autoOrient.height,
    frames: isAnimation ? pages : null,
    durationMs: isAnimation ? durationOfFrames(delay) : null,
    hasAlpha,
    colourSpace: space,
    orientation: orientation ?? 1,
  };
}

/** The decoder streams: the whole source is decoded, also when the result is small. */
async function makePreview(path: string, hasAlpha: boolean, how: Derivation): Promise<DerivedFile> {
  const encoded = (source: string | Buffer) => {
    const upright = open(source).autoOrient().resize(PREVIEW_SIDE, PREVIEW_SIDE, FITTED);
    return hasAlpha ? upright.webp({ quality: 82 }) : upright.jpeg({ quality: 82 });
  };
  const file: DerivedFile = hasAlpha
    ? { name: 'preview.webp', contentType: 'image/webp' }
    : { name: 'preview.jpg', contentType: 'image/jpeg' };
  return save(
    file,
    await decoding(path, () => decodeWhole(path, (source) => encoded(source).toBuffer())),
    how,
  );
}

/** @throws the error of the decoder, unless the picture is whole without faults that are known to be harmless */
async function decodeWhole(
  path: string,
  decode: (source: string | Buffer) => Promise<Buffer>,
): Promise<Buffer> {
  try {
    return await decode(path);
  } catch (error) {
    const repaired = withoutHarmlessFaults(await readFile(path));
    if (repaired === null) throw error;
    return decode(repaired);
  }
}

async function makeThumbnail(preview: string, how: Derivation): Promise<DerivedFile> {
  const small = open(preview).resize(THUMBNAIL_SIDE, THUMBNAIL_SIDE, FITTED).webp({ quality: 78 });
  const bytes = await decoding(preview, () => small.toBuffer());
  return save({ name: 'thumbnail.webp', contentType: 'image/webp' }, bytes, how);
}

/** Written by Node: errors of the disk then differ from errors of the file. */
async function save(file: DerivedFile, bytes: Buffer, { folder, aiMark }: Derivation): Promise<DerivedFile> {
  await writeFile(join(folder, file.name), marked(bytes, file.contentType, aiMark));
  return file;
}
