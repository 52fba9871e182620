import { HttpException } from '@nestjs/common';
import type { Response } from 'express';
import { sendStream } from '#libs/http';
import type { OpenedObject } from './open-object.js';

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
