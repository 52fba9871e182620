import type { IncomingMessage, ServerResponse } from 'node:http';
import { LINGER_MS } from './body-timeout.js';

/**
 * For bodies that a route reads itself. If the route responds before the end of the body, the rest is discarded for a
 * moment and the connection then closed. Closing it at once would reset it before the client reads the response
 * (RFC 9112, 9.6).
 */
export function discardUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    if (request.complete) return;
    request.unpipe();
    request.resume();
    const cut = setTimeout(() => request.destroy(), LINGER_MS).unref();
    request.once('close', () => clearTimeout(cut));
  });
}
