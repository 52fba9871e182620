import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import { sendProblem } from '../problems/send-problem.js';
import { wordsFor } from '../problems/status-words.js';
import { limitArrival } from './arrival.js';
import { answerClientErrors } from './client-error.js';
import type { Surface } from './surface.js';
import { markSurface } from './surface.js';

const HEADERS_TIMEOUT_MS = 15_000;
const KEEP_ALIVE_MS = 65_000;
const CHECK_INTERVAL_MS = 1_000;

/** Express's own, which calls `otherwise` when no layer answered: that is, when it can find no path in the target. */
export type Router = (
  request: IncomingMessage,
  response: ServerResponse,
  otherwise: (error?: unknown) => void,
) => void;

/** A server that slow senders cannot hold: headers within 15 s, the body within `requestTimeoutMs` of them unless it is an upload. */
export function createHttpServer(surface: Surface, requestTimeoutMs: number, router: Router): Server {
  const server = createServer(
    {
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, requestTimeoutMs),
      requestTimeout: 0,
      // Refused by the boundary with a problem, and not by Node without one.
      requireHostHeader: false,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
    },
    (request, response) =>
      router(request, response, (error) => {
        const status = error ? 500 : 400;
        sendProblem(response, { status, ...wordsFor(status) });
      }),
  );
  // Refused by the boundary, and not by Node, which knows no problems.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  markSurface(server, surface);
  answerClientErrors(server);
  limitArrival(server, requestTimeoutMs);
  return server;
}

/** Express as Nest drives it, on a server of our own making. */
export class ServiceAdapter extends ExpressAdapter {
  constructor(private readonly requestTimeoutMs: number) {
    super();
  }

  override initHttpServer(): void {
    this.httpServer = createHttpServer('public', this.requestTimeoutMs, this.getInstance<Router>());
  }
}
