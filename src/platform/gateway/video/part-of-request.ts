import type { Request } from 'express';
import type { SentPart } from './video-calls.js';
import { PartIsNotValid } from './video.errors.js';

const CONTENT_RANGE = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/;

/** The part in the body of a request; it is read while it is sent on. @throws PartIsNotValid */
export function partOf(request: Request): SentPart {
  const [, start, last, total] = CONTENT_RANGE.exec(request.header('content-range') ?? '') ?? [];
  if (start === undefined || last === undefined || total === undefined)
    throw new PartIsNotValid('Content-Range must be bytes first-last/total.');
  const length = Number(last) - Number(start) + 1;
  if (length < 1 || request.header('content-length') !== String(length))
    throw new PartIsNotValid('Content-Length must be the length of the range.');
  return { start: Number(start), total: Number(total), body: { length, open: () => request } };
}
