import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Enough for an answer to be read by a client that is still sending. */
export const LINGER_MS = 2_000;

const AT_LENGTH = Symbol('at length');

type Marked = IncomingMessage & { [AT_LENGTH]?: true };

/** For an upload: however long it takes, as long as bytes keep coming. */
export function mayArriveAtLength(request: IncomingMessage): void {
  (request as Marked)[AT_LENGTH] = true;
}

export function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
}

/**
 * Cuts requests whose body has not arrived after `limitMs`; those that may arrive at length, when nothing came for
 * `limitMs`, noticed within another `limitMs`. Node's own `requestTimeout` knows no exceptions.
 */
export function limitArrival(server: Server, limitMs: number): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return;
    let arrived = request.socket.bytesRead;
    const check = setInterval(() => {
      const before = arrived;
      arrived = request.socket.bytesRead;
      if ((request as Marked)[AT_LENGTH] && arrived > before && !request.complete) return;
      clearInterval(check);
      if (!request.complete) cut(server, request, response);
    }, limitMs).unref();
    request.once('close', () => clearInterval(check));
  });
}

/** The way Node does it with its own timeouts. */
function cut(server: Server, request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) {
    request.destroy();
    return;
  }
  const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  server.emit('clientError', error, request.socket);
}
