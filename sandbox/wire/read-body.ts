import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BodyFile } from './call.js';

/** Much larger than any valid call without a file; larger bodies are refused and discarded. */
export const MAX_BODY_BYTES = 1_000_000;
/** An oversized body is read up to here, so that the client can read the refusal. */
const MAX_DRAINED_BYTES = 20_000_000;

/** The whole body, `null` when it is larger than allowed. @throws when the client goes away, or is cut off */
export function readBody(request: IncomingMessage, maxBytes = MAX_BODY_BYTES): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else chunks = [];
      if (size > Math.max(maxBytes, MAX_DRAINED_BYTES)) request.destroy();
    });
    request.on('end', () => resolve(size > maxBytes ? null : Buffer.concat(chunks)));
    request.on('error', reject);
    request.on('close', () => reject(new Error('The client went away.')));
  });
}

/** Writes the body to a file as it arrives; `null` when it is larger than allowed. @throws when the client goes away */
export async function readBodyToFile(
  request: IncomingMessage,
  path: string,
  maxBytes: number,
): Promise<BodyFile | null> {
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      // The rest is read and discarded, so that the client can read the refusal.
      done(null, bytes > maxBytes ? undefined : chunk);
    },
  });
  await pipeline(request, counted, createWriteStream(path, { mode: 0o600 }));
  return bytes > maxBytes ? null : { path, bytes };
}
