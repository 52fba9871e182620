import type { IncomingMessage } from 'node:http';

/** Much larger than any valid call without a file; larger bodies are refused and discarded. */
export const MAX_BODY_BYTES = 1_000_000;
/** An oversized body is read up to here, so that the client can read the refusal. */
const MAX_DRAINED_BYTES = 20_000_000;

/**
 * The whole body, `null` when it is larger than allowed.
 * @throws when the client goes away, or sends so much that it is cut off.
 */
export function readBody(request: IncomingMessage, maxBytes = MAX_BODY_BYTES): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else chunks = [];
      if (size > MAX_DRAINED_BYTES) request.destroy();
    });
    request.on('end', () => resolve(size > maxBytes ? null : Buffer.concat(chunks)));
    request.on('error', reject);
    request.on('close', () => reject(new Error('The client went away.')));
  });
}
