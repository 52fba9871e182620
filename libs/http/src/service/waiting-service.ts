import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { problemOf } from '../problems/problem-of.js';
import { sendProblem } from '../problems/send-problem.js';
import { managementPort } from './bootstrap-http-service.js';
import type { HttpServiceOptions } from './options.js';
import { closeServer, listen } from './servers.js';

/**
 * Listens on the ports of a service that has not started: `/healthz` 200, everything else 503. A port 0 stays closed,
 * because the actual port is not known yet.
 */
export class WaitingService {
  private readonly servers: Server[] = [];

  constructor(
    private readonly options: Pick<HttpServiceOptions, 'service' | 'port' | 'managementPort'>,
    private readonly host: string,
  ) {}

  /** @param reason the error sent to every request except `/healthz`. @throws the system's error, such as EADDRINUSE */
  async open(reason: unknown): Promise<void> {
    if (this.servers.length > 0) return;
    for (const port of [managementPort(this.options), this.options.port]) {
      if (!port) continue;
      const server = createServer(answering(this.options.service, reason));
      this.servers.push(server);
      await listen(server, port, this.host);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.servers.splice(0).map((server) => closeServer(server, 0)));
  }
}

function answering(service: string, reason: unknown): RequestListener {
  const problem = problemOf(reason);
  return (request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('Connection', 'close');
    if (request.url?.split('?', 1)[0] !== '/healthz') {
      sendProblem(response, problem);
      return;
    }
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.end(JSON.stringify({ status: 'ok', service }));
  };
}
