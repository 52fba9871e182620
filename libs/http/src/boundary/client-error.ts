import { STATUS_CODES } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { problemBody } from '../problems/problem.js';
import { wordsFor } from '../problems/status-words.js';
import { LINGER_MS } from './arrival.js';

const STATUS_OF: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
};

/**
 * Requests that Node's parser refuses never reach a route; their answer is a problem nevertheless. What the client is
 * still sending is thrown away for a moment: closing the connection at once would reset it with the answer unread.
 */
export function answerClientErrors(server: Server): void {
  const answered = new WeakSet<Socket>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Node tells of the same error with every piece that still comes.
    if (answered.has(socket)) return;
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    answered.add(socket);
    refuse(socket, STATUS_OF[error.code ?? ''] ?? 400);
  });
  // Without a listener Node hangs up. No service of the product is a proxy.
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => refuse(socket, 405));
}

/** Answers a problem on the connection itself and closes it. */
function refuse(socket: Duplex, status: number): void {
  const body = JSON.stringify(problemBody({ status, ...wordsFor(status) }, null));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  const cut = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(cut));
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
