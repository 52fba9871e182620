import { type AiMark, isMarked } from '#libs/content';
import { withXmpInGif } from './gif.js';
import { withXmpInJpeg } from './jpeg.js';
import { withXmpInMp4 } from './mp4.js';
import { withXmpInPng } from './png.js';
import { withXmpInWebp } from './webp.js';
import { type WrittenMark, xmpPacket } from './xmp-packet.js';

/** The bytes are not of the type, are damaged, or the type has no place for a mark. */
export class CannotBeMarked extends Error {
  constructor(contentType: string) {
    super(`The bytes cannot be marked as ${contentType}.`);
    this.name = 'CannotBeMarked';
  }
}

/** Puts an XMP packet in place of the one that the file has. @returns null for bytes of another type, or damaged ones */
export type XmpWriter = (bytes: Buffer, packet: Buffer) => Buffer | null;

const WRITERS: ReadonlyMap<string, XmpWriter> = new Map([
  ['image/jpeg', withXmpInJpeg],
  ['image/png', withXmpInPng],
  ['image/webp', withXmpInWebp],
  ['image/gif', withXmpInGif],
  ['video/mp4', withXmpInMp4],
]);

/** Each format needs fewer bytes for a mark: the packet, and up to 300 bytes around it. */
export const MAX_MARK_BYTES = 1024;

/**
 * The file with the mark as its only XMP, by XMP part 3. Its pixels, frames and packets are copied, not encoded: nothing is decoded.
 */
export function writeMark(bytes: Buffer, contentType: string, mark: WrittenMark): Buffer {
  const marked = WRITERS.get(contentType)?.(bytes, xmpPacket(mark));
  if (!marked) throw new CannotBeMarked(contentType);
  return marked;
}

/**
 * The file of a model with the mark for it.
 * @param contentType `image/jpeg`, `image/png`, `image/webp`, `image/gif` or `video/mp4`
 */
export const markAsGenerated = (bytes: Buffer, contentType: string): Buffer =>
  writeMark(bytes, contentType, 'generated');

/** The picture with the mark of its source, which has at most MAX_MARK_BYTES. */
export const marked = (data: Buffer, contentType: string, mark: AiMark | null): Buffer =>
  isMarked(mark) ? writeMark(data, contentType, mark) : data;
