import type { IncomingMessage } from 'node:http';

/** Much larger than any valid call; larger bodies are refused and discarded. */
export const MAX_BODY_BYTES = 1_000_000;
/** An oversized body is read up to here, so that the client can read the refusal. */
const MAX_DRAINED_BYTES = 20_000_000;

/**
 * The whole body as text, `null` when it is larger than allowed.
 * @throws when the client goes away, or sends so much that it is cut off.
 */
export function readBody(request: IncomingMessage): Promise<string | null> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      else chunks = [];
      if (size > MAX_DRAINED_BYTES) request.destroy();
    });
    request.on('end', () => resolve(size > MAX_BODY_BYTES ? null : Buffer.concat(chunks).toString('utf8')));
    request.on('error', reject);
    request.on('close', () => reject(new Error('The client went away.')));
  });
}
