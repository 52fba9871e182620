import { type AiMark, isMarked } from '#libs/content';
import { writeMark } from './write-mark.js';

/** The picture with the mark of its source, which has at most MAX_MARK_BYTES. */
export const marked = (data: Buffer, contentType: string, mark: AiMark | null): Buffer =>
  isMarked(mark) ? writeMark(data, contentType, mark) : data;
