import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Sends a body of known length as fast as the client reads. Resolves when it is sent or when either side has failed; both are
 * closed then. A client detects missing bytes by Content-Length; no error can be sent any more.
 */
export async function sendStream(body: Readable, response: ServerResponse): Promise<void> {
  try {
    await pipeline(body, response);
  } catch {
    // `pipeline` leaves the body open when the client was gone before.
    body.destroy();
    response.destroy();
  }
}
