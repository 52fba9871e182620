import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import { sendProblem } from '../problems/problem.js';
import { textsFor } from '../problems/status-texts.js';
import { enforceBodyTimeout } from './body-timeout.js';
import { answerClientErrors } from './client-error.js';
import type { CorsPolicy } from './cors.js';
import { type Listener, markListener } from './listener.js';

const HEADERS_TIMEOUT_MS = 15_000;
const KEEP_ALIVE_MS = 65_000;
const CHECK_INTERVAL_MS = 1_000;

/** Express's router. It calls `otherwise` when no layer responds, that is, when the target has no path. */
export type Router = (
  request: IncomingMessage,
  response: ServerResponse,
  otherwise: (error?: unknown) => void,
) => void;

export interface ServerOptions {
  readonly requestTimeoutMs: number;
  readonly cors: CorsPolicy;
}

/** Limits slow senders: headers within 15 s, then the body within `requestTimeoutMs`, unless it is an upload. */
export function createHttpServer(
  listener: Listener,
  { requestTimeoutMs, cors }: ServerOptions,
  router: Router,
): Server {
  const server = createServer(
    {
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, requestTimeoutMs),
      requestTimeout: 0,
      // The boundary refuses it with a problem; Node would send none.
      requireHostHeader: false,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
    },
    (request, response) =>
      router(request, response, (error) => {
        const status = error ? 500 : 400;
        sendProblem(response, { status, ...textsFor(status) });
      }),
  );
  // The boundary refuses it with a problem; Node would send none.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  markListener(server, listener);
  answerClientErrors(server, cors);
  enforceBodyTimeout(server, requestTimeoutMs);
  return server;
}

/** Nest's Express adapter on the server of `createHttpServer`. */
export class ServiceAdapter extends ExpressAdapter {
  constructor(private readonly server: ServerOptions) {
    super();
  }

  override initHttpServer(): void {
    this.httpServer = createHttpServer('public', this.server, this.getInstance<Router>());
  }
}
