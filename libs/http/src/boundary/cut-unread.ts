import type { IncomingMessage, ServerResponse } from 'node:http';
import { LINGER_MS } from './arrival.js';

/**
 * For bodies that a route reads itself: when it has answered before the body was read, the rest is thrown away for a
 * moment, so that the client comes to read the answer, and then the connection is cut. Closing it at once would
 * reset it with the answer unread (RFC 9112, 9.6).
 */
export function cutUnread(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    if (request.complete) return;
    request.unpipe();
    request.resume();
    const cut = setTimeout(() => request.destroy(), LINGER_MS).unref();
    request.once('close', () => clearTimeout(cut));
  });
}
