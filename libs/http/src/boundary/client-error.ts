import { randomUUIDv7 } from 'node:crypto';
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { problemBody } from '../problems/problem.js';
import { textsFor } from '../problems/status-texts.js';
import { LINGER_MS } from './body-timeout.js';
import { API_HEADERS, type CorsPolicy } from './cors.js';

const STATUS_OF: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
};

/**
 * Answers requests that Node's parser refuses with a problem. Discards what the client still sends for a moment, because
 * closing the connection at once would reset it before the client reads the response.
 */
export function answerClientErrors(server: Server, cors: CorsPolicy): void {
  const answered = new WeakSet<Socket>();
  server.on('clientError', (error: ClientError, socket: Socket) => {
    // Node reports the same error again with every further chunk.
    if (answered.has(socket)) return;
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    answered.add(socket);
    refuse(socket, STATUS_OF[error.code ?? ''] ?? 400, cors.headersFor(originIn(error.rawPacket)));
  });
  // Without a listener, Node closes the connection. No service is a proxy.
  server.on('connect', ({ headers }: IncomingMessage, socket: Duplex) =>
    refuse(socket, 405, cors.headersFor(headers.origin)),
  );
}

/** Node's parser adds the bytes that it was given last. */
type ClientError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

const MAX_HEAD = 16_384;

/** The parser delivers no headers of a request that it refuses. */
const originIn = (packet?: Buffer): string | undefined =>
  /\r\norigin:[ \t]{0,8}([^\s]{1,512})[ \t]{0,8}\r\n/i.exec(
    packet?.toString('latin1', 0, MAX_HEAD) ?? '',
  )?.[1];

/** Writes a problem to the connection and closes it. */
function refuse(socket: Duplex, status: number, headers: ReturnType<CorsPolicy['headersFor']>): void {
  const requestId = randomUUIDv7();
  const body = JSON.stringify(problemBody({ status, ...textsFor(status) }, requestId));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
    'Vary: Origin',
    `X-Request-Id: ${requestId}`,
    ...[...API_HEADERS, ...headers].map(([name, value]) => `${name}: ${value}`),
  ];
  const cut = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(cut));
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
