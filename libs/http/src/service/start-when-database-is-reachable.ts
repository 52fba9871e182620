import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Environment, loadConfig } from '#libs/config';
import { DatabaseIsUnavailable, tryConnection } from '#libs/database';
import { HttpConfig } from '../context/http.config.js';
import { problemOf } from '../problems/problem-of.js';
import { sendProblem } from '../problems/problem.js';
import { bootstrapHttpService, managementPort } from './bootstrap-http-service.js';
import { logLine } from './loggable-error.js';
import { closeServer, type HttpServiceOptions, listen, type RunningService } from './running-service.js';
import type { DescribedService } from './start-http-service.js';

/**
 * Listens on the ports of a service that has not started: `/healthz` 200, everything else 503. A port 0 stays closed,
 * because the actual port is not known yet.
 */
class WaitingService {
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

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Starts a service when PostgreSQL accepts connections. Until then the process is live (`/healthz` 200), not ready (503) and
 * retries with backoff without a limit.
 * @param ending stops the waiting
 * @throws the signal's reason, ConfigIsInvalid, DatabaseIsNotSupported, MigrationsAreMissing, and the errors of `bootstrapHttpService`
 */
export async function startWhenDatabaseIsReachable(
  environment: Environment,
  describe: (environment: Environment) => DescribedService,
  ending: AbortSignal,
): Promise<RunningService> {
  const { module, database, ...options } = describe(environment);
  const waiting = new WaitingService(options, loadConfig(HttpConfig, environment).host);
  const beforeListening = () => waiting.close();
  const start = async () => {
    // One connection is faster and logs less than creating the whole service.
    await tryConnection(database);
    return bootstrapHttpService(module, { ...options, environment, beforeListening });
  };
  try {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const outcome = await start().catch(rethrowUnlessOutage);
      if (!(outcome instanceof DatabaseIsUnavailable)) return outcome;
      const msg = `The database is not reachable; next try in ${pauseMs} ms`;
      logLine('warn', options.service, msg, outcome.cause);
      await waiting.open(outcome);
      await sleepUnlessAborted(ending, pauseMs);
    }
  } catch (error) {
    await waiting.close();
    throw error;
  }
}

function rethrowUnlessOutage(error: unknown): DatabaseIsUnavailable {
  if (error instanceof DatabaseIsUnavailable) return error;
  throw error;
}

/** @throws the reason of the signal */
async function sleepUnlessAborted(ending: AbortSignal, milliseconds: number): Promise<void> {
  await delay(milliseconds, undefined, { signal: ending }).catch(() => undefined);
  ending.throwIfAborted();
}
