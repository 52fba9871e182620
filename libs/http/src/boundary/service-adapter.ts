import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import { limitArrival } from './arrival.js';
import { answerClientErrors } from './client-error.js';
import type { Surface } from './surface.js';
import { markSurface } from './surface.js';

const HEADERS_TIMEOUT_MS = 15_000;
const KEEP_ALIVE_MS = 65_000;
const CHECK_INTERVAL_MS = 1_000;

/** A server that slow senders cannot hold: headers within 15 s, the body within `requestTimeoutMs` of them unless it is an upload. */
export function createHttpServer(
  surface: Surface,
  requestTimeoutMs: number,
  listener: RequestListener,
): Server {
  const server = createServer(
    {
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, requestTimeoutMs),
      requestTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
    },
    listener,
  );
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
    const listener = this.getInstance<RequestListener>();
    this.httpServer = createHttpServer('public', this.requestTimeoutMs, listener);
  }
}
