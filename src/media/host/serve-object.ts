import type { Readable } from 'node:stream';
import { HttpException } from '@nestjs/common';
import type { Response } from 'express';
import { matchesEtag, sendStream } from '#libs/http';
import { type ByteRange, ObjectHasChanged, type ObjectStorage, readByteRange } from '#libs/object-storage';
import { MediaAddressIsNotValid } from './media-host.errors.js';

interface MediaRequest {
  readonly isHead: boolean;
  /** Headers as sent. */
  readonly range: string | undefined;
  readonly ifRange: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

interface Tagged {
  readonly etag: string;
  /** Bytes of the whole object. */
  readonly length: number;
}

interface OpenedObject extends Tagged {
  readonly status: 200 | 206 | 304 | 416;
  /** Of the answer 206. */
  readonly range: ByteRange | null;
  /** Of a GET that is answered with bytes. Destroy it if it is not read to its end. */
  readonly body: Readable | null;
}

/**
 * Reads an object as RFC 9110, sections 13 and 14, asks for. Ranges are absolute when the store sees them.
 * @throws MediaAddressIsNotValid when there is no such object
 */
export async function openObject(
  storage: ObjectStorage,
  key: string,
  request: MediaRequest,
): Promise<OpenedObject> {
  const { isHead, range, ifRange, ifNoneMatch } = request;
  if (!isHead && range === undefined && ifNoneMatch === undefined) return whole(storage, key);
  const head = found(await storage.head(key));
  const tagged = { etag: head.etag, length: head.length, range: null, body: null };
  if (matchesEtag(head.etag, ifNoneMatch)) return { ...tagged, status: 304 };
  if (isHead) return { ...tagged, status: 200 };
  // A date matches nothing: the host sends no Last-Modified.
  const wanted =
    ifRange === undefined || ifRange.trim() === head.etag ? readByteRange(range, head.length) : null;
  if (wanted === 'unsatisfiable') return { ...tagged, status: 416 };
  return wanted ? partOrWhole(storage, key, tagged, wanted) : whole(storage, key);
}

async function whole(storage: ObjectStorage, key: string): Promise<OpenedObject> {
  const { etag, length, body } = found(await storage.get(key));
  return { status: 200, etag, length, range: null, body };
}

/** A range may be ignored, so that an object replaced since the head is sent as a whole. */
async function partOrWhole(
  storage: ObjectStorage,
  key: string,
  { etag, length }: Tagged,
  range: ByteRange,
): Promise<OpenedObject> {
  const part = { etag, range: { start: range.start, end: range.end + 1 } };
  try {
    const { body } = found(await storage.get(key, part));
    return { status: 206, etag, length, range, body };
  } catch (error) {
    if (error instanceof ObjectHasChanged) return whole(storage, key);
    throw error;
  }
}

function found<T>(object: T | null): T {
  if (object === null) throw new MediaAddressIsNotValid();
  return object;
}

/** Pages of any origin may show the file; nothing in it may run. */
const SAFE = {
  'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
};

/** Resolves when the response is complete or its client is gone. The store is read as fast as the client reads. */
export async function sendObject(
  opened: OpenedObject,
  contentType: string,
  response: Response,
): Promise<void> {
  const { status, etag, length, body } = opened;
  if (status === 416) {
    response.setHeader('Content-Range', `bytes */${length}`);
    throw new HttpException(`The file has ${length} bytes. Ask for a range within them.`, status);
  }
  response.status(status).set({ ETag: etag, 'Accept-Ranges': 'bytes', ...SAFE });
  if (status === 304) return void response.end();
  const range = opened.range ?? { start: 0, end: length - 1 };
  if (status === 206) response.set('Content-Range', `bytes ${range.start}-${range.end}/${length}`);
  response.set({ 'Content-Type': contentType, 'Content-Length': String(range.end - range.start + 1) });
  if (!body) return void response.end();
  await sendStream(body, response);
}
