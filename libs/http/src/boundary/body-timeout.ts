import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Long enough for a client that still sends to read the response. */
export const LINGER_MS = 2_000;

const SLOW_BODY = Symbol('slow body');

type Marked = IncomingMessage & { [SLOW_BODY]?: true };

/** For an upload: no time limit while bytes arrive. */
export function allowSlowBody(request: IncomingMessage): void {
  (request as Marked)[SLOW_BODY] = true;
}

export function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
}

/**
 * Ends requests whose body is not complete after `limitMs`. Slow bodies end after `limitMs` without a byte, at most
 * another `limitMs` later. Node's `requestTimeout` allows no exceptions.
 */
export function enforceBodyTimeout(server: Server, limitMs: number): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return;
    let arrived = request.socket.bytesRead;
    const check = setInterval(() => {
      const before = arrived;
      arrived = request.socket.bytesRead;
      if ((request as Marked)[SLOW_BODY] && arrived > before && !request.complete) return;
      clearInterval(check);
      if (!request.complete) endWithTimeout(server, request, response);
    }, limitMs).unref();
    request.once('close', () => clearInterval(check));
  });
}

/** Same behaviour as Node's own timeouts. */
function endWithTimeout(server: Server, request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) {
    request.destroy();
    return;
  }
  const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  server.emit('clientError', error, request.socket);
}
